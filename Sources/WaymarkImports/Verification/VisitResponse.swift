import WaymarkClient

/// The response to a visit.
extension HTTPResponse {
    var location: String? { self["Location"] }

    var isRedirect: Bool { (300..<400).contains(status) && location != nil }

    /// The URLs of a page's links.
    var links: [String] {
        var links: [String] = []
        var rest = body[...]
        while let quote = rest.firstIndex(of: UInt8(ascii: "\"")) {
            let value = rest[(quote + 1)...]
            guard let end = value.firstIndex(of: UInt8(ascii: "\"")) else { break }
            let isLink = rest[..<quote].suffix(Self.attribute.count).elementsEqual(Self.attribute)
            if isLink { links.append(String(decoding: Self.unescaped(value[..<end]), as: UTF8.self)) }
            rest = isLink ? rest[(end + 1)...] : value
        }
        return links
    }

    private static let attribute = Array("href=".utf8)
    private static let entities: [(text: [UInt8], byte: UInt8)] = [
        ("&amp;", "&"), ("&quot;", "\""), ("&#39;", "'"), ("&lt;", "<"), ("&gt;", ">"),
    ].map { (Array($0.utf8), $1.utf8.first ?? 0) }

    /// The bytes without the escapes of HTML that URLs need.
    private static func unescaped(_ text: ArraySlice<UInt8>) -> [UInt8] {
        var bytes: [UInt8] = []
        var rest = text
        while let byte = rest.first {
            let entity = byte == UInt8(ascii: "&") ? entities.first { rest.starts(with: $0.text) } : nil
            bytes.append(entity?.byte ?? byte)
            rest = rest.dropFirst(entity?.text.count ?? 1)
        }
        return bytes
    }
}
