import WaymarkKit

extension DeepLinkTemplate {
    /// Prints the URL that the values stand for. Reading it with the same template gives the same values.
    ///
    /// Strings are escaped so that they mean the same anywhere in a URL; numbers are printed as Swift prints them; the query
    /// is sorted by name. Values that the template does not name are left out.
    ///
    /// Nil where no URL can be read back as these values: one is missing or of another type than the template says, a part of
    /// the path is empty, `.` or `..`, a query name holds characters that a query cannot hold as written or begins with
    /// `_hk_`, the scheme is none (RFC 3986, section 3.1), or the fragment holds characters that belong escaped.
    ///
    /// - Parameters:
    ///   - values: a value for each name.
    ///   - scheme: the app's scheme, or `https`.
    ///   - host: a host in front of the path, for web links, which are read back with the option that leaves the host out.
    ///     Nil, the default, makes the first part of the path the host, as in `shop://show/photo`.
    public func url(filledWith values: DeepLinkValues, scheme: String, host: String? = nil) -> DeepLinkURL? {
        guard Self.isScheme(scheme), let parts = printedParts(values), let query = printedQuery(values),
            values.fragment.map(Self.isEscaped) ?? true
        else { return nil }
        let authority: String
        let path: String
        if let host {
            guard Self.isHost(host) else { return nil }
            authority = host
            path = parts.map { "/" + $0 }.joined()
        } else {
            authority = parts.first ?? ""
            path = parts.dropFirst().map { "/" + $0 }.joined()
        }
        return DeepLinkURL(
            scheme: scheme, authority: authority, path: path, query: query.isEmpty ? nil : query,
            fragment: values.fragment)
    }

    private func printedParts(_ values: DeepLinkValues) -> [String]? {
        var parts: [String] = []
        for part in pathParts {
            let text: String? =
                switch part {
                case .term(let symbol): PercentEncoding.encoded(symbol)
                case .value(let type, let name): values.path[name].flatMap { type.text(of: $0) }
                }
            guard let text, !text.isEmpty, text != ".", text != ".." else { return nil }
            parts.append(text)
        }
        return parts
    }

    private func printedQuery(_ values: DeepLinkValues) -> String? {
        var items: [String] = []
        for parameter in parameters.sorted(by: { $0.name < $1.name }) {
            guard let value = values.query[parameter.name] else {
                if parameter.isRequired { return nil }
                continue
            }
            guard Self.isQueryName(parameter.name), let text = parameter.type.text(of: value) else { return nil }
            items.append(parameter.name + "=" + text)
        }
        return items.joined(separator: "&")
    }

    private static func isScheme(_ text: String) -> Bool {
        guard let first = text.utf8.first, isLetter(first) else { return false }
        return text.utf8.allSatisfy { isLetter($0) || (0x30...0x39).contains($0) || "+-.".utf8.contains($0) }
    }

    private static func isLetter(_ byte: UInt8) -> Bool {
        (0x61...0x7A).contains(byte | 0x20)
    }

    private static func isHost(_ text: String) -> Bool {
        !text.isEmpty && text.utf8.allSatisfy(PercentEncoding.isUnreserved)
    }

    /// Names are compared as written, so what must be escaped cannot be printed.
    private static func isQueryName(_ name: String) -> Bool {
        isEscaped(name) && !name.utf8.contains { "&=+".utf8.contains($0) }
            && !PercentEncoding.decoded(name).utf8.starts(with: ServiceParameters.prefix.utf8)
    }

    /// Whether the text can stand in a query or a fragment as it is (RFC 3986, sections 3.4 and 3.5).
    private static func isEscaped(_ text: String) -> Bool {
        var rest = text.utf8[...]
        while let byte = rest.popFirst() {
            if byte == UInt8(ascii: "%") {
                guard let high = rest.popFirst(), let low = rest.popFirst(), isHexDigit(high), isHexDigit(low) else {
                    return false
                }
            } else if !PercentEncoding.isUnreserved(byte), !"!$&'()*+,;=:@/?".utf8.contains(byte) {
                return false
            }
        }
        return true
    }

    private static func isHexDigit(_ byte: UInt8) -> Bool {
        (0x30...0x39).contains(byte) || (0x61...0x66).contains(byte | 0x20)
    }
}
