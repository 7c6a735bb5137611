import WaymarkAPI
import WaymarkHTTP
import WaymarkLinks
import WaymarkServer
import WaymarkService

/// Responds to requests on a listener that redirects plain HTTP to HTTPS.
struct HTTPSRedirect {
    private let options: SiteOptions.HTTPSRedirect
    private var directory: PublishedView<ApplicationDirectory>

    init(_ site: Site) {
        options = site.options.secureRedirect
        directory = PublishedView(site.service.applications.directory)
    }

    /// Whether the route is served normally, without a redirect: association files must not be redirected, certificate
    /// authorities fetch their challenges over plain HTTP (RFC 8555 section 8.3), and health checks don't follow
    /// redirects.
    static func leavesAlone(_ kind: OpenRoute) -> Bool {
        switch kind {
        case .appleAssociation, .assetLinks, .wellKnown, .acmeChallenge, .health, .readiness: true
        default: false
        }
    }

    /// The same URL with `https`, only if this server serves the host: a host that only the client named is never a
    /// target.
    mutating func response(to head: RequestHead, in bytes: Span<UInt8>) -> Response {
        guard let host = VisitHost.name(head, bytes),
            directory.current().lookup(at: host) != nil || options.isCertified(host.text)
        else {
            return StatePage.response(
                .hostUnserved, as: head.method.isSafe ? ProblemFormat(head, bytes) : .json)
        }
        // A redirect would work, and so hide that each call sends the key unencrypted.
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

    /// Not cached: browsers would otherwise keep these redirects permanently, including a wrong port, and browsers that
    /// know HSTS don't need them.
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
