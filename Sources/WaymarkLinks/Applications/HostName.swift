import WaymarkBytes

/// A host as links and addresses carry it: lower case, no port, no final dot; a DNS name of letters, digits and hyphens
/// (RFC 1123 section 2.1), an IPv4 address, or an IPv6 address in brackets and in its shortest form (RFC 5952).
package struct HostName: Hashable, Sendable {
    package let text: String

    /// Parses a host without port: `go.example.com`, `GO.example.com.`, `127.0.0.1`, `[::1]` or `::1`.
    package init?(_ text: String) {
        guard let host = HostName.check(text).value else { return nil }
        self = host
    }

    /// Parses the value of a Host header or a URL's authority without user info, and drops the port. Nil if the host
    /// or the port is malformed.
    package init?(hostHeader value: String) {
        guard value.utf8.span.holds(UInt8(ascii: ":")) else {
            self.init(value)
            return
        }
        let bytes = value.utf8
        var end = bytes.endIndex
        if let colon = bytes.lastIndex(of: UInt8(ascii: ":")),
            bytes.last.map({ $0 != UInt8(ascii: "]") }) == true
        {
            guard HostName.port(bytes[bytes.index(after: colon)...]) != nil || colon == bytes.index(before: end)
            else { return nil }
            end = colon
        }
        let host = value[..<end]
        // Without brackets, a colon must be the port's: `::1` is not a valid header value.
        guard host.utf8.first == UInt8(ascii: "[") || !host.utf8.contains(UInt8(ascii: ":")) else { return nil }
        self.init(String(host))
    }

    /// The host of a destination, which browsers also open if its name has underscores, as no domain of links may; with
    /// or without port.
    init?(destination text: String) {
        let name = text.utf8.first == UInt8(ascii: "[") ? text[...] : text.prefix { $0 != ":" }
        guard let host = HostName.check(String(name), allowsUnderscores: true).value else { return nil }
        self = host
    }

    private init(checked text: String) { self.text = text }

    package static let maximumLength = 253

    static func check(_ text: String, allowsUnderscores: Bool = false) -> Checked<HostName> {
        let bytes = text.utf8
        guard let first = bytes.first else { return .problem("is empty") }
        if first == UInt8(ascii: "[") || bytes.span.holds(UInt8(ascii: ":")) {
            let inner = first == UInt8(ascii: "[") ? (text.last == "]" ? text.dropFirst().dropLast() : "") : text[...]
            guard let address = IPAddress(ipv6: inner) else { return .problem("is not a valid host name") }
            return .valid(HostName(checked: "[\(address.ipv6Text)]"))
        }
        let isAbsolute = bytes.last == UInt8(ascii: ".")
        let count = bytes.count - (isAbsolute ? 1 : 0)
        guard count <= maximumLength else { return .problem("is longer than \(maximumLength) characters") }
        let form = DomainForm(bytes.span, count: count, allowsUnderscores: allowsUnderscores)
        guard form.isASCII else {
            return .problem("must be written in ASCII (an international name in its xn-- form)")
        }
        guard form.hasValidLabels else { return .problem("is not a valid host name") }
        let name = isAbsolute ? text.dropLast() : text[...]
        if form.lastLabelStartsWithDigit {
            let labels = name.utf8.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
            // Browsers treat a name whose last label is a number as an IPv4 address, including notations such as
            // 0x7f.1.
            if let last = labels.last, last.allSatisfy({ $0.isHexDigitOrX }),
                last.allSatisfy(\.isDigit) || last.dropFirst().first.map({ $0 | 0x20 == UInt8(ascii: "x") }) == true
            {
                guard !isAbsolute, isIPv4(labels) else { return .problem("is not a valid host name") }
            }
        }
        return .valid(HostName(checked: form.isLowercase ? String(name) : name.asciiLowercased))
    }

    /// Properties of a domain name, found in one pass.
    private struct DomainForm {
        private(set) var isASCII = true
        private(set) var isLowercase = true
        /// Whether each label has 1 to 63 letters, digits and hyphens, with no hyphen first or last.
        private(set) var hasValidLabels = true
        private(set) var lastLabelStartsWithDigit = false

        init(_ bytes: Span<UInt8>, count: Int, allowsUnderscores: Bool) {
            var start = 0
            for position in 0...count {
                let byte = position < count ? bytes[position] : UInt8(ascii: ".")
                if byte == UInt8(ascii: ".") {
                    let isValid =
                        (1...63).contains(position - start) && bytes[start] != UInt8(ascii: "-")
                        && bytes[position - 1] != UInt8(ascii: "-")
                    if !isValid { hasValidLabels = false }
                    lastLabelStartsWithDigit = start < count && bytes[start].isDigit
                    start = position + 1
                } else if byte >= 0x80 {
                    isASCII = false
                } else if !byte.isAlphanumeric, byte != UInt8(ascii: "-"),
                    !allowsUnderscores || byte != UInt8(ascii: "_")
                {
                    hasValidLabels = false
                } else if byte != byte.lowercased {
                    isLowercase = false
                }
            }
        }
    }

    private static func isIPv4(_ parts: [Substring.UTF8View.SubSequence]) -> Bool {
        parts.count == 4
            && parts.allSatisfy { part in
                part.count <= 3 && part.allSatisfy(\.isDigit) && !(part.count > 1 && part.first == UInt8(ascii: "0"))
                    && part.reduce(0) { $0 * 10 + Int($1 - 0x30) } <= 255
            }
    }

    /// 1–65535 in decimal.
    static func port(_ digits: some Collection<UInt8>) -> Int? {
        guard (1...5).contains(digits.count), digits.allSatisfy(\.isDigit) else { return nil }
        let number = digits.reduce(0) { $0 * 10 + Int($1 - 0x30) }
        return (1...65535).contains(number) ? number : nil
    }
}

extension UInt8 {
    fileprivate var isHexDigitOrX: Bool { hexadecimalValue != nil || self | 0x20 == UInt8(ascii: "x") }
}

extension Span<UInt8> {
    fileprivate func holds(_ byte: UInt8) -> Bool {
        for index in indices where self[index] == byte { return true }
        return false
    }
}

extension HostName {
    /// Whether it is an IPv4 or IPv6 address rather than a name.
    package var isAddress: Bool {
        let bytes = text.utf8
        guard bytes.first != UInt8(ascii: "[") else { return true }
        // The last label of a name is never a number.
        return bytes.split(separator: UInt8(ascii: ".")).last?.allSatisfy(\.isDigit) == true
    }

    /// An address or `localhost`: on such a host, other ports are other services.
    package var isMachine: Bool { isAddress || text == "localhost" || text.hasSuffix(".localhost") }

    /// The IPv4 address embedded in `[::ffff:192.0.2.1]`, which connections to it reach (RFC 4291, section 2.5.5.2);
    /// nil for other hosts.
    package var mapped: HostName? {
        guard text.hasPrefix("[::ffff:"), let address = IPAddress(ipv6: text.dropFirst().dropLast()), address.isIPv4
        else { return nil }
        return HostName(address.text)
    }
}

extension HostName {
    /// Host names in one text, separated by spaces, sorted; empty for nil. Nil if one is invalid.
    package static func list(_ text: String?) -> [HostName]? {
        var hosts: [HostName] = []
        for name in (text ?? "").split(separator: " ").sorted() {
            guard let host = HostName(String(name)) else { return nil }
            hosts.append(host)
        }
        return hosts
    }
}
