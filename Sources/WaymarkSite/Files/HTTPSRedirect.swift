import WaymarkAPI
import WaymarkHTTP
import WaymarkLinks
import WaymarkServer
import WaymarkService

/// What plain HTTP gets on a listener that is there to send everybody to HTTPS.
struct HTTPSRedirect {
    private let options: SiteOptions.HTTPSRedirect
    private var directory: PublishedView<ApplicationDirectory>

    init(_ site: Site) {
        options = site.options.secureRedirect
        directory = PublishedView(site.service.applications.directory)
    }

    /// Whether the route answers as it does everywhere: association files are never redirected, an authority that
    /// issues certificates asks in clear for the proof that it was promised (RFC 8555 section 8.3), and whoever
    /// watches a process follows no redirects.
    static func leavesAlone(_ kind: OpenRoute) -> Bool {
        switch kind {
        case .appleAssociation, .assetLinks, .wellKnown, .health, .readiness: true
        default: false
        }
    }

    /// The same URL under `https`, where the host is one of ours: never one that only the client has named.
    mutating func response(to head: RequestHead, in bytes: Span<UInt8>) -> Response {
        guard let host = VisitHost.name(head, bytes),
            directory.current().lookup(at: host) != nil || options.isCertified(host.text)
        else {
            return StatePage.response(
                .hostUnserved, as: head.method.isSafe ? ProblemFormat(head, bytes) : .json)
        }
        // A redirect would make it work, and the key would cross the network in clear with each call, unnoticed.
        guard head.value(.authorization) == nil else { return Self.keyInClear }
        let port = options.port == 443 ? "" : ":\(options.port)"
        let path = head.path.isEmpty ? "/" : head.path.text(in: bytes)
        let query = head.query.map { "?" + $0.text(in: bytes) } ?? ""
        var fields = Self.fields
        guard fields.append(.location, "https://\(host.text)\(port)\(path)\(query)") else {
            return .problem(.malformedRequest, "The request's target can't be sent back.")
        }
        return Response(options.isPermanentForMethods ? .permanentRedirect : .movedPermanently, fields: fields)
    }

    /// Kept by nobody: by themselves these redirects would be remembered for ever, a mistaken port too, and a browser that
    /// was told of HSTS does not ask again anyway.
    private static let fields = HeaderFields((.cacheControl, "no-store"))

    private static let keyInClear: Response = {
        var problem = Problem(
            .requestRefused,
            "This port sends to HTTPS. The API key came in clear: revoke it, and send the new one over HTTPS only.")
        problem.status = 403
        problem.title = "A key was sent without encryption"
        return .problem(problem)
    }()
}
