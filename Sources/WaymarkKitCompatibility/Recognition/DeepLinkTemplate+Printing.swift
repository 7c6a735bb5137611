import WaymarkBytes
import WaymarkKit

extension DeepLinkTemplate {
    /// Prints the URL of the values. Reading it with the same template returns the same values.
    ///
    /// Strings are escaped so that they keep their meaning anywhere in a URL; numbers are printed as by Swift; the
    /// query is sorted by name. Values that are not in the template are omitted.
    ///
    /// Nil if no URL can be read back as these values: a value is missing or has the wrong type, a part of the path
    /// is empty, `.` or `..`, a query name begins with `_hk_` or contains characters that are not allowed unescaped
    /// in a query, the scheme is invalid (RFC 3986, section 3.1), or the fragment contains characters that must be
    /// escaped.
    ///
    /// - Parameters:
    ///   - values: a value for each name.
    ///   - scheme: the app's scheme, or `https`.
    ///   - host: the host before the path, for web links, which are read back with an option that ignores the host.
    ///     Default: nil, the first part of the path is the host, as in `shop://show/photo`.
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
                case .term(let symbol): PercentEncoding.encode(symbol)
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
        guard let first = text.utf8.first, first.isLetter else { return false }
        return text.utf8.allSatisfy { $0.isAlphanumeric || "+-.".utf8.contains($0) }
    }

    private static func isHost(_ text: String) -> Bool {
        !text.isEmpty && text.utf8.allSatisfy(\.isUnreserved)
    }

    /// Names are compared as written, so a name that needs escaping can't be printed.
    private static func isQueryName(_ name: String) -> Bool {
        isEscaped(name) && !name.utf8.contains { "&=+".utf8.contains($0) }
            && !PercentEncoding.decodeWholeText(name).utf8.starts(with: ServiceParameters.prefix.utf8)
    }

    /// Whether the text can appear unchanged in a query or a fragment (RFC 3986, sections 3.4 and 3.5).
    private static func isEscaped(_ text: String) -> Bool {
        var rest = text.utf8[...]
        while let byte = rest.popFirst() {
            if byte == UInt8(ascii: "%") {
                guard let high = rest.popFirst(), let low = rest.popFirst(), high.hexadecimalValue != nil,
                    low.hexadecimalValue != nil
                else {
                    return false
                }
            } else if !byte.isUnreserved, !"!$&'()*+,;=:@/?".utf8.contains(byte) {
                return false
            }
        }
        return true
    }
}
