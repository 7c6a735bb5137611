import WaymarkAPI
import WaymarkHTTP
import WaymarkLinks
import WaymarkServer
import WaymarkService

/// A request for a URL as a browser would send it, with any header fields and address. It is serialised and parsed by
/// the real parser, so that an explanation matches a real visit.
enum SimulatedRequest {
    enum Reading {
        /// The slug is nil if the URL's path is not possible for a smart link.
        case visit(Visit)
        case problems([FieldProblem])
    }

    /// Fields for framing and connection control, and the host, which the URL contains.
    private static let framing: Set<HeaderName> = Set(
        [
            "Host", "Connection", "Content-Length", "Transfer-Encoding", "Expect", "Upgrade", "Keep-Alive", "TE",
            "Trailer",
        ].compactMap { HeaderName($0) })

    static func read(_ url: WebURL, headers: [String: String], from peer: Peer, _ site: Site) -> Reading {
        var problems: [FieldProblem] = []
        var text = "GET \(target(url)) HTTP/1.1\r\nHost: \(authority(url))\r\n"
        for (name, value) in headers.sorted(by: { $0.key < $1.key }) {
            let field = "headers.\(name.prefix(64))"
            guard let known = HeaderName(name) else {
                problems.append(FieldProblem(field: field, problem: "is no header field's name"))
                continue
            }
            guard value.utf8.allSatisfy({ ($0 >= 0x20 || $0 == 0x09) && $0 != 0x7F }) else {
                problems.append(FieldProblem(field: field, problem: "must not hold control characters"))
                continue
            }
            if !framing.contains(known) { text += "\(name): \(value)\r\n" }
        }
        guard problems.isEmpty else { return .problems(problems) }
        let message = Array((text + "\r\n").utf8)
        let bytes = message.span
        let head = RequestHead(limits: HeadLimits())
        var parser = RequestParser(limits: HeadLimits())
        switch parser.parse(bytes, into: head) {
        case .needMore: return .problems([FieldProblem(field: "headers", problem: "make no whole request")])
        case .reject(let status, let detail):
            let field = status == .requestHeaderFieldsTooLarge ? "headers" : "url"
            return .problems([FieldProblem(field: field, problem: "makes no request that is read: \(detail)")])
        case .head: break
        }
        func visit(_ segment: String) -> Visit {
            Visit(
                head, bytes, segment: segment, from: peer, Visit.visitorClass(head, bytes),
                countryField: site.options.countryField, countries: site.service.countries, withReasons: true)
        }
        guard
            case .found(let route, let parameters) = site.router.match(
                .get, path: bytes.extracting(head.path.indices)),
            case .open(.visit) = route.access
        else {
            let directory = site.service.applications.directory.current
            let path = SlugPath(
                head, bytes, takesExtraPath: url.host.map(directory.appendsExtraPaths) ?? false,
                reservesCompatibility: url.host.map(directory.reservesCompatibility) ?? true)
            guard let path, path.route == .visit else { return .visit(visit("")) }
            return .visit(visit(path.slug))
        }
        return .visit(visit(parameters.first ?? ""))
    }

    private static func authority(_ url: WebURL) -> String {
        String(url.origin.dropFirst(url.scheme.text.count + "://".count))
    }

    private static func target(_ url: WebURL) -> String {
        (url.path.isEmpty ? "/" : url.path) + (url.query.map { "?\($0)" } ?? "")
    }
}
