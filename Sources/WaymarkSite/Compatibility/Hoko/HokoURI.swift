import WaymarkAPI
import WaymarkBytes
import WaymarkHTTP
import WaymarkLinks

/// The `uri` of a smart link: a path (`products/42?referrer=ana`, percent-encoded or not), a web URL, or a URL of the app.
///
/// A URI that matches a pattern of a template becomes a link of that template. Otherwise its path is appended to
/// `web.baseURL` and the app's schemes; a web URL of another site stays unchanged.
struct HokoURI {
    /// Nil for a path.
    let scheme: String?
    /// Host and port of a web URL. In an app's URL the host is the first segment of the path.
    let authority: String?
    /// Decoded, without empty ones.
    let segments: [String]
    let query: [(name: String, value: String)]
    private let text: String

    private static let maximumLength = 2_048

    /// Nil for other texts.
    init?(_ text: String) {
        guard !text.isEmpty, text.utf8.count <= Self.maximumLength,
            Self.isClean(text.utf8),
            // Queries have it where bytes are not UTF-8.
            !text.unicodeScalars.contains("\u{FFFD}")
        else { return nil }
        self.text = text
        var rest = Substring(text)
        if let hash = rest.firstIndex(of: "#") { rest = rest[..<hash] }
        var query: Substring?
        if let mark = rest.firstIndex(of: "?") {
            query = rest[rest.index(after: mark)...]
            rest = rest[..<mark]
        }
        // A colon after a slash belongs to the path.
        if let colon = rest.firstIndex(of: ":"), !rest[..<colon].contains("/") {
            let scheme = rest[..<colon].lowercased()
            guard URLScheme(scheme) != nil, rest[colon...].hasPrefix("://") else { return nil }
            self.scheme = scheme
            rest = rest[colon...].dropFirst(3)
        } else {
            scheme = nil
            // `//host/path` is a URL of another site.
            guard !rest.hasPrefix("//") else { return nil }
        }
        if scheme == "http" || scheme == "https" {
            guard WebURL(text) != nil else { return nil }
            let end = rest.firstIndex(of: "/") ?? rest.endIndex
            authority = rest[..<end].lowercased()
            rest = rest[end...]
        } else {
            authority = nil
        }
        var segments: [String] = []
        for segment in rest.split(separator: "/") {
            guard let decoded = Self.decoded(segment, plusIsSpace: false), decoded != ".", decoded != ".." else {
                return nil
            }
            segments.append(decoded)
        }
        self.segments = segments
        var pairs: [(name: String, value: String)] = []
        for pair in (query ?? "").split(separator: "&") {
            let parts = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            guard let name = Self.decoded(parts[0], plusIsSpace: true),
                let value = Self.decoded(parts.count > 1 ? parts[1] : "", plusIsSpace: true)
            else { return nil }
            if !name.isEmpty { pairs.append((name, value)) }
        }
        self.query = pairs
    }

    private static func isClean(_ bytes: some Sequence<UInt8>) -> Bool {
        bytes.allSatisfy { !$0.isControl && $0 != UInt8(ascii: "\\") }
    }

    /// With a malformed escape nothing is decoded, because SDKs send paths without encoding them.
    private static func decoded(_ text: Substring, plusIsSpace: Bool) -> String? {
        let bytes =
            PercentEncoding.decode(text.utf8, plusIsSpace: plusIsSpace)
            ?? Array(PercentEncoding.decodeWholeText(text, plusIsSpace: plusIsSpace).utf8)
        // Escapes that decode to something else than UTF-8 are refused.
        guard isClean(bytes) else { return nil }
        return String(validUTF8: bytes)
    }

    /// The host of a web URL, else nil.
    var host: HostName? { isWeb ? WebURL(text)?.host : nil }
    var isWeb: Bool { authority != nil }

    /// Whether it is a path, a web URL on a host that the application names, or a URL of its app.
    func isOwn(of application: Application) -> Bool {
        if isWeb { return host.map(application.isOwnDestination) ?? false }
        guard let scheme else { return true }
        return application.allowedSchemes.contains { $0.text == scheme }
    }

    // MARK: A link for it

    /// The link for the URI; nil for a URL of another app.
    ///
    /// - Parameter templates: those of the application.
    func request(for application: Application, _ templates: HokoTemplateIndex) -> LinkRequest? {
        var request = LinkRequest()
        request.app = application.id.text
        if let match = templates.best(for: self) {
            request.route = match.template.route.text
            request.routeParameters = match.variables
            request.queryParameters = Self.parameters(match.remainingQuery)
            return request
        }
        let base = application.webBaseURL
        if isWeb {
            request.urls["web"] = URLEntryRequest(text)
            // The app can open pages of its own site, but not those of another.
            if let path = base.flatMap(path(below:)) {
                request.urls["web"] = URLEntryRequest(Self.withoutQuery(text))
                request.queryParameters = Self.parameters(query)
                addApps(path, of: application, to: &request)
            }
            return request
        }
        if let scheme {
            guard application.allowedSchemes.contains(where: { $0.text == scheme }) else { return nil }
        }
        let path = Self.encoded(segments)
        if let base { request.urls["web"] = URLEntryRequest(Self.join(base.text, path)) }
        request.queryParameters = Self.parameters(query)
        addApps(path, of: application, to: &request)
        return request
    }

    private func addApps(_ path: String, of application: Application, to request: inout LinkRequest) {
        guard !path.isEmpty else { return }
        if let scheme = application.ios?.urlScheme { request.urls["ios"] = URLEntryRequest("\(scheme.text)://\(path)") }
        if let scheme = application.android?.urlScheme {
            request.urls["android"] = URLEntryRequest("\(scheme.text)://\(path)")
        }
    }

    /// The path after the base URL, encoded; nil for another site.
    private func path(below base: WebURL) -> String? {
        guard let root = HokoURI(base.text), root.authority == authority,
            segments.starts(with: root.segments)
        else { return nil }
        return Self.encoded(Array(segments.dropFirst(root.segments.count)))
    }

    private static func encoded(_ segments: [String]) -> String {
        segments.map { PercentEncoding.encode($0) }.joined(separator: "/")
    }

    private static func join(_ base: String, _ path: String) -> String {
        base.hasSuffix("/") ? base + path : path.isEmpty ? base : base + "/" + path
    }

    private static func withoutQuery(_ text: String) -> String {
        let fragment = text.firstIndex(of: "#").map { String(text[$0...]) } ?? ""
        return text.prefix { $0 != "?" && $0 != "#" } + fragment
    }

    /// The last value wins if a name is given twice.
    private static func parameters(_ pairs: [(name: String, value: String)]) -> [String: String] {
        Dictionary(pairs.map { ($0.name, $0.value) }) { _, last in last }
    }
}
