import WaymarkBytes

/// An absolute URL's text, checked once and cut into its components (RFC 3986 section 3).
///
/// What browsers correct is corrected as they do (WHATWG URL): international hosts become A-labels, and spaces, a `%`
/// without two digits and other characters that a URL can't hold are percent-encoded. What no browser opens is a
/// problem, and so is a backslash, which browsers and other programs read as different hosts. Offsets are two bytes
/// each, because millions of links have several URLs.
struct URLText: Hashable, Sendable {
    let text: String
    /// The offset of the colon.
    private let schemeEnd: UInt16
    /// The start of the path: after the authority, or after the colon.
    private let pathStart: UInt16
    /// The offset of `?`, of `#`, or of the end.
    private let pathEnd: UInt16
    /// The offset of `#`, or of the end.
    private let queryEnd: UInt16
    let hasAuthority: Bool

    /// In bytes, as stored. RFC 9110 section 4.1 asks for at least 8,000.
    static let maximumLength = 8000

    static func check(_ given: String) -> Checked<URLText> {
        guard !given.isEmpty else { return .problem("is empty") }
        guard given.utf8.count <= maximumLength else { return .problem("is longer than 8,000 bytes") }
        var bytes = Array(given.utf8)
        if !isSound(bytes.span) {
            switch corrected(bytes[...]) {
            case .problem(let problem): return .problem(problem)
            case .valid(let corrected): bytes = corrected
            }
            guard bytes.count <= maximumLength else {
                return .problem("is longer than 8,000 bytes once its characters are percent-encoded")
            }
        }
        return cut(bytes)
    }

    /// Whether nothing is to be corrected.
    private static func isSound(_ bytes: Span<UInt8>) -> Bool {
        for index in bytes.indices where !isUnchanged(bytes[index]) {
            guard bytes[index] == UInt8(ascii: "%"), index + 2 < bytes.count,
                bytes[index + 1].hexadecimalValue != nil, bytes[index + 2].hexadecimalValue != nil
            else { return false }
        }
        return true
    }

    private static func corrected(_ given: ArraySlice<UInt8>) -> Checked<[UInt8]> {
        guard !given.contains(where: \.isControl) else { return .problem("must not hold control characters") }
        guard !given.contains(UInt8(ascii: "\\")) else {
            return .problem("must not hold backslashes (write / or %5C)")
        }
        var rest = given
        while rest.first == 0x20 { rest = rest.dropFirst() }
        while rest.last == 0x20 { rest = rest.dropLast() }
        var bytes: [UInt8] = []
        bytes.reserveCapacity(rest.count)
        if let start = ["https://", "http://"].first(where: { isPrefix($0, of: rest) })?.utf8.count {
            bytes.append(contentsOf: rest.prefix(start))
            rest = rest.dropFirst(start)
            let end = rest.firstIndex { $0 == UInt8(ascii: "/") || $0 == UInt8(ascii: "?") || $0 == UInt8(ascii: "#") }
            guard let authority = authority(rest[..<(end ?? rest.endIndex)]) else { return .problem(noHost) }
            bytes.append(contentsOf: authority)
            rest = rest[(end ?? rest.endIndex)...]
        }
        appendEncoded(rest, to: &bytes)
        return .valid(bytes)
    }

    private static let noHost = "has no valid host; write a domain name or an IP address"

    /// With an international host in A-labels; nil if it has none. ASCII is checked later.
    private static func authority(_ bytes: ArraySlice<UInt8>) -> ArraySlice<UInt8>? {
        guard bytes.contains(where: { $0 >= 0x80 }) else { return bytes }
        let end = bytes.lastIndex(of: UInt8(ascii: ":")) ?? bytes.endIndex
        guard let ascii = UnicodeText.asciiHost(String(decoding: bytes[..<end], as: UTF8.self)) else { return nil }
        return Array(ascii.utf8) + bytes[end...]
    }

    private static func appendEncoded(_ given: ArraySlice<UInt8>, to bytes: inout [UInt8]) {
        var isFragment = false
        for index in given.indices {
            let byte = given[index]
            switch byte {
            case UInt8(ascii: "%"):
                let digits = given[(index + 1)...].prefix(2)
                if digits.count == 2, digits.allSatisfy({ $0.hexadecimalValue != nil }) {
                    bytes.append(byte)
                } else {
                    PercentEncoding.append(escaped: byte, to: &bytes)
                }
            // The first begins the fragment.
            case UInt8(ascii: "#") where isFragment:
                PercentEncoding.append(escaped: byte, to: &bytes)
            case 0x20, UInt8(ascii: "\""), UInt8(ascii: "<"), UInt8(ascii: ">"), UInt8(ascii: "^"), UInt8(ascii: "`"),
                UInt8(ascii: "{"), UInt8(ascii: "|"), UInt8(ascii: "}"), 0x80...:
                PercentEncoding.append(escaped: byte, to: &bytes)
            default:
                if byte == UInt8(ascii: "#") { isFragment = true }
                bytes.append(byte)
            }
        }
    }

    private static func isPrefix(_ prefix: String, of bytes: ArraySlice<UInt8>) -> Bool {
        let start = bytes.prefix(prefix.utf8.count)
        return start.count == prefix.utf8.count && zip(start, prefix.utf8).allSatisfy { $0.lowercased == $1 }
    }

    /// Whether the byte is valid as it is, anywhere in a URL.
    private static func isUnchanged(_ byte: UInt8) -> Bool {
        byte.isUnreserved || byte == UInt8(ascii: "/") || byte == UInt8(ascii: ":") || byte == UInt8(ascii: "?")
            || byte == UInt8(ascii: "=") || byte == UInt8(ascii: "&")
    }

    private static func cut(_ bytes: [UInt8]) -> Checked<URLText> {
        let notAbsolute = "is not an absolute URL; write it with its scheme, such as https://"
        guard let colon = bytes.firstIndex(of: UInt8(ascii: ":")), colon > 0 else { return .problem(notAbsolute) }
        let schemeText = String(decoding: bytes[..<colon], as: UTF8.self)
        guard bytes[..<colon].allSatisfy({ $0.isAlphanumeric || $0 == 0x2B || $0 == 0x2D || $0 == 0x2E }) else {
            return .problem(notAbsolute)
        }
        let scheme: URLScheme
        switch URLScheme.check(schemeText) {
        case .problem: return .problem("must not be a \(schemeText.asciiLowercased): address")
        case .valid(let checked): scheme = checked
        }
        var start = colon + 1
        let hasAuthority = bytes[start...].starts(with: "//".utf8)
        if hasAuthority {
            start += 2
            let end = bytes[start...].firstIndex { $0 == 0x2F || $0 == 0x3F || $0 == 0x23 } ?? bytes.count
            if let problem = problem(ofAuthority: bytes[start..<end], isWeb: scheme.isWeb) { return .problem(problem) }
            start = end
        } else if scheme.isWeb {
            return .problem(notAbsolute)
        }
        let fragment = bytes[start...].firstIndex(of: UInt8(ascii: "#")) ?? bytes.count
        let query = bytes[start..<fragment].firstIndex(of: UInt8(ascii: "?")) ?? fragment
        return .valid(
            URLText(
                // The scheme is lowercased for comparisons; the rest is unchanged.
                text: scheme.text + String(decoding: bytes[colon...], as: UTF8.self), schemeEnd: UInt16(colon),
                pathStart: UInt16(start), pathEnd: UInt16(query), queryEnd: UInt16(fragment), hasAuthority: hasAuthority
            ))
    }

    private static func problem(ofAuthority bytes: ArraySlice<UInt8>, isWeb: Bool) -> String? {
        guard !bytes.contains(UInt8(ascii: "@")) else { return "must not hold user info" }
        guard isWeb else {
            // `shop://products/42`: the first path segment is in the place of a host.
            return bytes.allSatisfy({ $0.isUnreserved || $0 == UInt8(ascii: ":") || $0 == UInt8(ascii: "%") })
                ? nil : "has a character before the path that may not stand there"
        }
        var host = bytes
        let bracket = bytes.lastIndex(of: UInt8(ascii: "]"))
        if let colon = bytes.lastIndex(of: UInt8(ascii: ":")), colon > bracket ?? bytes.startIndex - 1 {
            guard HostName.port(bytes[(colon + 1)...]) != nil else { return "has no valid port; write 1 to 65535" }
            host = bytes[..<colon]
        }
        guard !host.isEmpty else { return "has no host" }
        // An IPv6 address without brackets can't be distinguished from a port.
        guard bracket != nil || !host.contains(UInt8(ascii: ":")) else { return noHost }
        return HostName(destination: String(decoding: host, as: UTF8.self)) == nil ? noHost : nil
    }
}

// MARK: - Components

extension URLText {
    var isWeb: Bool {
        text.hasPrefix("https:") || text.hasPrefix("http:")
    }

    var schemeText: String { string(0..<Int(schemeEnd)) }

    /// Without the two slashes; empty if there is none.
    var authorityRange: Range<Int> {
        hasAuthority ? Int(schemeEnd) + 3..<Int(pathStart) : Int(pathStart)..<Int(pathStart)
    }
    var pathRange: Range<Int> { Int(pathStart)..<Int(pathEnd) }
    /// Without `?`; nil if there is none.
    var queryRange: Range<Int>? { pathEnd < queryEnd ? Int(pathEnd) + 1..<Int(queryEnd) : nil }
    /// Without `#`; nil if there is none.
    var fragmentRange: Range<Int>? {
        Int(queryEnd) < text.utf8.count ? Int(queryEnd) + 1..<text.utf8.count : nil
    }

    func slice(_ range: Range<Int>) -> Substring.UTF8View {
        let bytes = text.utf8
        return bytes[
            bytes.index(
                bytes.startIndex, offsetBy: range.lowerBound)..<bytes.index(
                    bytes.startIndex, offsetBy: range.upperBound)]
    }

    func string(_ range: Range<Int>) -> String { String(Substring(slice(range))) }

    var host: HostName? {
        guard hasAuthority else { return nil }
        let authority = string(authorityRange)
        return HostName(hostHeader: authority) ?? HostName(destination: authority)
    }

    var port: Int? {
        let authority = slice(authorityRange)
        guard let colon = authority.lastIndex(of: UInt8(ascii: ":")), authority.last != UInt8(ascii: "]") else {
            return nil
        }
        return HostName.port(authority[authority.index(after: colon)...])
    }
}
