import WaymarkAPI
import WaymarkHTTP
import WaymarkServer
import WaymarkService
import WaymarkStores

/// The cookie that holds the secret of a dashboard session.
///
/// Over TLS its name has the prefix `__Host-`, so that no other host can set it (RFC 6265bis section 4.1.3.2). Over plain HTTP
/// (`PlainSignIn`) browsers would not accept that prefix.
enum SessionCookie {
    private static let secureName = "__Host-waymark"
    private static let plainName = "waymark"

    /// The secret in a request; nil if there is none.
    ///
    /// - Parameter plainNetworks: see `PlainSignIn`.
    static func secret(
        _ head: RequestHead, _ bytes: Span<UInt8>, _ peer: Peer, plainNetworks: PeerNetworks
    ) -> [UInt8]? {
        guard let value = head.value(.cookie),
            PlainSignIn.isAllowed(head, bytes, peer, networks: plainNetworks)
        else { return nil }
        let name = Array((name(peer) + "=").utf8)
        for pair in value.copy(of: bytes).split(separator: UInt8(ascii: ";")) {
            let pair = pair.drop { $0 == UInt8(ascii: " ") }
            if pair.starts(with: name) { return Array(pair.dropFirst(name.count)) }
        }
        return nil
    }

    /// The field that sets the cookie; an empty secret removes it.
    static func field(_ secret: String, seconds: Int64, _ peer: Peer) -> HeaderFields {
        let attributes = "; Path=/; Max-Age=\(seconds); HttpOnly; SameSite=Strict" + (peer.isSecure ? "; Secure" : "")
        var fields = HeaderFields()
        _ = fields.append(.setCookie, "\(name(peer))=\(secret)\(attributes)")
        return fields
    }

    /// Why a request with the cookie is rejected; nil if it is not. Another site can make a browser send requests, but can
    /// neither set these fields nor pretend to be this origin.
    static func problem(_ head: RequestHead, _ bytes: Span<UInt8>, _ peer: Peer) -> Problem? {
        guard !head.method.isSafe else { return nil }
        let isMarked = HeaderName("X-Waymark-Dashboard").flatMap { head.value(named: $0, in: bytes) }
            .map { $0.text(in: bytes) == "1" }
        guard isMarked == true, isSameOrigin(head, bytes, peer) else {
            return Problem(
                .originForbidden,
                "Requests with the dashboard's cookie that change something come from the dashboard: with X-Waymark-Dashboard: 1 and from the same origin."
            )
        }
        return nil
    }

    private static func isSameOrigin(_ head: RequestHead, _ bytes: Span<UInt8>, _ peer: Peer) -> Bool {
        if let site = head.text(.secFetchSite, in: bytes) { return site == "same-origin" }
        return RequestOrigin.isOwn(head, bytes, peer)
    }

    private static func name(_ peer: Peer) -> String { peer.isSecure ? secureName : plainName }
}

/// How the caller of the API identifies itself. A key in `Authorization` has precedence over the cookie.
enum Credential: Sendable {
    case key([UInt8])
    case session([UInt8])
    /// An access token of OAuth, which requests from outside can't have here: only the route that takes tokens makes one.
    case token([UInt8])
    /// The right to open the database, which the listener proves.
    case owner
    /// Nothing: on a server that shows a demonstration.
    case demo

    init?(_ head: RequestHead, _ bytes: Span<UInt8>, _ peer: Peer, plainNetworks: PeerNetworks) {
        if head.value(.authorization) != nil {
            guard let key = APIRoute.bearer(head, bytes) else { return nil }
            self = .key(key)
        } else if peer.role == .owner, !peer.isForwarded {
            self = .owner
        } else {
            guard let secret = SessionCookie.secret(head, bytes, peer, plainNetworks: plainNetworks)
            else { return nil }
            self = .session(secret)
        }
    }

    var secret: [UInt8] {
        switch self {
        case .key(let secret), .session(let secret), .token(let secret): secret
        case .owner, .demo: []
        }
    }

    /// Nil if it is not accepted.
    func key(_ keys: KeyRing) -> KeyIdentity? {
        switch self {
        case .key(let key): keys.authenticate(key)
        case .session(let secret): keys.session(secret)?.key
        case .token(let token): keys.tokenIdentity(token)
        case .owner: .environment
        case .demo: .demo
        }
    }

    /// Whether to look up in the store what `key` does not accept.
    func mayBeNew(_ keys: KeyRing) -> Bool {
        if case .token(let token) = self { return keys.mayBeNewToken(token) }
        return keys.mayBeNew(secret)
    }

    /// Like `key`, but queries the store.
    func lookUp(_ keys: KeyRing) async throws(StoreError) -> KeyIdentity? {
        switch self {
        case .key(let key): try await keys.lookUp(key)
        case .session(let secret): try await keys.lookUpSession(secret)?.key
        case .token(let token): try await keys.lookUpToken(token)
        case .owner: .environment
        case .demo: .demo
        }
    }
}
