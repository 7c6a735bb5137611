import WaymarkHTTP
import WaymarkServer
import WaymarkSignIn

/// The cookie that remembers a sign-in on its way to a provider and back. Unlike the session's it comes with the provider's redirect
/// (`SameSite=Lax`); it opens nothing without the provider's code.
struct AttemptCookie {
    /// Ten minutes.
    private static let seconds = 600

    let attempt: OpenIDAttempt
    /// The token of the invitation that the sign-in is for; empty if there is none.
    let invitation: String

    init(_ attempt: OpenIDAttempt, invitation: String) {
        self.attempt = attempt
        self.invitation = invitation
    }

    /// Nil if the request has none.
    init?(_ head: RequestHead, _ bytes: Span<UInt8>, _ peer: Peer, redirectURI: String) {
        guard let field = head.value(.cookie) else { return nil }
        let name = Array((Self.name(peer) + "=").utf8)
        let pairs = field.copy(of: bytes).split(separator: UInt8(ascii: ";")).map {
            $0.drop { $0 == UInt8(ascii: " ") }
        }
        guard let pair = pairs.first(where: { $0.starts(with: name) }) else { return nil }
        let parts = String(decoding: pair.dropFirst(name.count), as: UTF8.self)
            .split(separator: ".", omittingEmptySubsequences: false).map(String.init)
        guard parts.count == 4, parts.prefix(3).allSatisfy({ !$0.isEmpty }) else { return nil }
        // checked: four parts
        attempt = OpenIDAttempt(state: parts[0], nonce: parts[1], verifier: parts[2], redirectURI: redirectURI)
        invitation = parts[3]
    }

    func field(_ peer: Peer) -> HeaderFields {
        let value = [attempt.state, attempt.nonce, attempt.verifier, invitation].joined(separator: ".")
        return Self.field(value, seconds: Self.seconds, peer)
    }

    /// Forgets the attempt.
    static func removal(_ peer: Peer) -> HeaderFields { field("", seconds: 0, peer) }

    private static func field(_ value: String, seconds: Int, _ peer: Peer) -> HeaderFields {
        let attributes = "; Path=/; Max-Age=\(seconds); HttpOnly; SameSite=Lax" + (peer.isSecure ? "; Secure" : "")
        var fields = HeaderFields()
        _ = fields.append(.setCookie, "\(name(peer))=\(value)\(attributes)")
        return fields
    }

    private static func name(_ peer: Peer) -> String { peer.isSecure ? "__Host-waymark-oidc" : "waymark-oidc" }
}
