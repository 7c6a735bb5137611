import WaymarkHTTP
import WaymarkLinks
import WaymarkServer

/// Answers an authority that validates a host over plain HTTP (RFC 8555 section 8.3). Without a pending challenge the operator's
/// files are looked through, where another ACME client may have written one.
struct ChallengeRoute {
    let site: Site

    func respond(_ token: String, to head: RequestHead, in bytes: Span<UInt8>, from peer: Peer) -> Reply {
        let files = FileRoute(site: site, isCompressible: false).respond(.wellKnown, to: head, in: bytes, from: peer)
        guard let host = VisitHost.name(head, bytes), Self.isToken(token) else { return files }
        let file: @Sendable () async -> Response
        switch files {
        case .now(let response): file = { response }
        case .later(_, let answer): file = answer
        case .body, .stream: return files
        }
        return .later { [site] in
            guard let text = await site.certificates.keyAuthorization(for: token, at: host.text) else {
                return await file()
            }
            return Response(.ok, fields: Self.fields, body: .bytes(Array(text.utf8)))
        }
    }

    /// base64url; of 128 bits or more, by the same section.
    private static func isToken(_ text: String) -> Bool {
        (22...128).contains(text.utf8.count)
            && text.utf8.allSatisfy { byte in
                switch byte {
                case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                    UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "_"):
                    true
                default: false
                }
            }
    }

    private static let fields = HeaderFields(
        (.contentType, "application/octet-stream"), (.cacheControl, "no-store"))
}
