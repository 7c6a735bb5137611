import WaymarkBytes

/// An absolute URL's text, checked once and cut into its components (RFC 3986 section 3).
///
/// Contains only ASCII, without control characters, spaces, and backslashes, which browsers treat as slashes.
/// Non-ASCII characters are percent-encoded; other invalid characters are rejected rather than repaired. Offsets are
/// two bytes each, because millions of links have several URLs.
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

    static let maximumLength = 4096

    static func check(_ given: String) -> Checked<URLText> {
        guard !given.isEmpty else { return .problem("is empty") }
        guard given.utf8.count <= maximumLength else { return .problem("is longer than \(maximumLength) bytes") }
        switch encoded(given.utf8) {
        case .problem(let problem): return .problem(problem)
        case .valid(let bytes):
            guard bytes.count <= maximumLength else { return .problem("is longer than \(maximumLength) bytes") }
            return cut(bytes)
        }
    }

    private static func encoded(_ given: String.UTF8View) -> Checked<[UInt8]> {
        guard !given.allSatisfy(isUnchanged) else { return .valid(Array(given)) }
        var bytes: [UInt8] = []
        bytes.reserveCapacity(given.count)
        for byte in given {
            switch byte {
            case 0...0x1F, 0x7F: return .problem("must not hold control characters")
            case 0x20: return .problem("must not hold spaces (write %20)")
            case UInt8(ascii: "\\"): return .problem("must not hold backslashes")
            case UInt8(ascii: "\""), UInt8(ascii: "<"), UInt8(ascii: ">"), UInt8(ascii: "^"), UInt8(ascii: "`"),
                UInt8(ascii: "{"), UInt8(ascii: "|"), UInt8(ascii: "}"), 0x80...:
                PercentEncoding.append(escaped: byte, to: &bytes)
            default: bytes.append(byte)
            }
        }
        return .valid(bytes)
    }

    /// Whether the byte is valid as it is, anywhere in a URL.
    private static func isUnchanged(_ byte: UInt8) -> Bool {
        byte.isUnreserved || byte == UInt8(ascii: "/") || byte == UInt8(ascii: ":") || byte == UInt8(ascii: "%")
            || byte == UInt8(ascii: "?") || byte == UInt8(ascii: "=") || byte == UInt8(ascii: "&")
    }

    private static func cut(_ bytes: [UInt8]) -> Checked<URLText> {
        let notAbsolute = "is not an absolute URL"
        guard let colon = bytes.firstIndex(of: UInt8(ascii: ":")), colon > 0 else { return .problem(notAbsolute) }
        let schemeText = String(decoding: bytes[..<colon], as: UTF8.self)
        guard bytes[..<colon].allSatisfy({ $0.isAlphanumeric || $0 == 0x2B || $0 == 0x2D || $0 == 0x2E }) else {
            return .problem(notAbsolute)
        }
        let scheme: URLScheme
        switch URLScheme.check(schemeText) {
        case .problem(let problem): return .problem("has a scheme that \(problem)")
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
        guard bytes[min(fragment + 1, bytes.count)...].contains(UInt8(ascii: "#")) == false else {
            return .problem("must not hold a second # (write %23)")
        }
        guard escapesAreComplete(bytes) else { return .problem("holds a % that two hexadecimal digits don't follow") }
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
            guard HostName.port(bytes[(colon + 1)...]) != nil else { return "has no valid port" }
            host = bytes[..<colon]
        }
        guard !host.isEmpty else { return "has no host" }
        // An IPv6 address without brackets can't be distinguished from a port.
        guard bracket != nil || !host.contains(UInt8(ascii: ":")) else { return "has no valid host" }
        return HostName(String(decoding: host, as: UTF8.self)) == nil ? "has no valid host" : nil
    }

    private static func escapesAreComplete(_ bytes: [UInt8]) -> Bool {
        bytes.indices.allSatisfy { index in
            bytes[index] != UInt8(ascii: "%")
                || (index + 2 < bytes.count && bytes[index + 1].hexadecimalValue != nil
                    && bytes[index + 2].hexadecimalValue != nil)
        }
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
        return HostName(hostHeader: string(authorityRange))
    }

    var port: Int? {
        let authority = slice(authorityRange)
        guard let colon = authority.lastIndex(of: UInt8(ascii: ":")), authority.last != UInt8(ascii: "]") else {
            return nil
        }
        return HostName.port(authority[authority.index(after: colon)...])
    }
}
