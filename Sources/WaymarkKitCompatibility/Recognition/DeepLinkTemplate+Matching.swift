import WaymarkBytes
import WaymarkKit

extension DeepLinkTemplate {
    /// Extracts the template's values from a URL; nil if the URL does not match.
    ///
    /// The parts are the host followed by the path's segments, without empty ones; each is percent-decoded once.
    /// Their number must equal the template's. Scheme, user, port and fragment are ignored.
    ///
    /// In the query, only pairs with exactly one `=` count, and the last of duplicate names wins. Names are compared
    /// as written; numbers and booleans are read as written, strings are percent-decoded (`+` is unchanged). The
    /// service's parameters (`_hk_*`) are removed first, so they never prevent a match.
    public func values(
        in url: some DeepLinkURLConvertible, options: DeepLinkMatchingOptions = .strict
    ) -> DeepLinkValues? {
        values(inPlain: url.deepLinkURL.separatingServiceParameters().url, options: options)
    }

    /// The same for a URL without service parameters.
    func values(inPlain url: DeepLinkURL, options: DeepLinkMatchingOptions) -> DeepLinkValues? {
        guard let path = pathValues(in: url, webHost: options.webHost),
            let query = queryValues(in: url, options: options)
        else { return nil }
        return DeepLinkValues(path: path, query: query, fragment: url.fragment)
    }

    private func pathValues(
        in url: DeepLinkURL, webHost: DeepLinkMatchingOptions.WebHost
    ) -> [String: any Sendable]? {
        guard let parts = Self.parts(of: url, webHost: webHost), parts.count == pathParts.count else { return nil }
        var values: [String: any Sendable] = [:]
        for (part, text) in zip(pathParts, parts) {
            let text = PercentEncoding.decodeWholeText(text)
            switch part {
            case .term(let symbol):
                guard text == symbol else { return nil }
            case .value(let type, let name):
                guard let value = type.value(of: text) else { return nil }
                values[name] = value
            }
        }
        return values
    }

    /// The parts of the path as written; nil for a web link of a host that is not allowed.
    private static func parts(of url: DeepLinkURL, webHost: DeepLinkMatchingOptions.WebHost) -> [Substring]? {
        var parts = url.segments.filter { !$0.isEmpty }
        let host = url.host ?? ""
        switch webHost {
        case .isLeftOut where url.isWeb: break
        case .isOneOf(let hosts) where url.isWeb:
            guard hosts.contains(where: { $0.lowercased() == host.lowercased() }) else { return nil }
        default:
            if !host.isEmpty { parts.insert(host[...], at: 0) }
        }
        return parts
    }

    private func queryValues(in url: DeepLinkURL, options: DeepLinkMatchingOptions) -> [String: any Sendable]? {
        guard !parameters.isEmpty else {
            return url.query == nil || options.toleratesUndeclaredQuery ? [:] : nil
        }
        var texts: [String: Substring] = [:]
        for item in url.queryItems {
            guard let value = item.value, !value.utf8.contains(UInt8(ascii: "=")) else { continue }
            texts[String(item.name)] = value
        }
        var values: [String: any Sendable] = [:]
        for parameter in parameters {
            let value = texts[parameter.name].flatMap { text in
                parameter.type == .string
                    ? PercentEncoding.decodeWholeText(text) : parameter.type.value(of: String(text))
            }
            if let value {
                values[parameter.name] = value
            } else if parameter.isRequired {
                return nil
            }
        }
        return values
    }
}
