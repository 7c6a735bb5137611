import WaymarkBytes

/// A strong entity tag's opaque part, made of the content itself: the first half of its SHA-256 in hexadecimal digits.
enum ContentTag {
    static func text(of content: [UInt8], sha256: ([UInt8]) -> [UInt8]) -> String {
        Hexadecimal.text(sha256(content).prefix(16))
    }
}
