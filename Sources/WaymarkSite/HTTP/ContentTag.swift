/// A strong entity tag's opaque part, made of the content itself: the first half of its SHA-256 in hexadecimal digits.
enum ContentTag {
    static func text(of content: [UInt8], sha256: ([UInt8]) -> [UInt8]) -> String {
        let digits = Array("0123456789abcdef".utf8)
        let bytes = sha256(content).prefix(16).flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] }
        return String(decoding: bytes, as: UTF8.self)
    }
}
