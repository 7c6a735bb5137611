import WaymarkBytes

/// The opaque part of a strong entity tag: the first half of the content's SHA-256 in hexadecimal digits.
enum ContentTag {
    static func text(of content: [UInt8], sha256: ([UInt8]) -> [UInt8]) -> String {
        Hexadecimal.text(sha256(content).prefix(16))
    }
}
