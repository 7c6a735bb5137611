import WaymarkJSON

/// The link that an installation was made for, or that there is none.
public struct ClaimResponse: Sendable, Hashable {
    /// As a resolve answers it. Where nothing matched: no deep link, no route, no parameters, no metadata, and a redeem of
    /// the status `none`.
    public var resolved: ResolveResponse
    /// How the click was found: `referrer` or `clipboard`; nil where none was.
    public var method: String?

    public init(resolved: ResolveResponse, method: String) {
        self.resolved = resolved
        self.method = method
    }

    private init(unmatched resolved: ResolveResponse) {
        self.resolved = resolved
        method = nil
    }

    /// Nothing matched.
    public static let unmatched = ClaimResponse(
        unmatched: ResolveResponse(
            deeplink: nil, route: nil, routeParameters: [:], queryParameters: [:], metadata: nil,
            redeem: RedeemCount(limit: nil, used: 0, status: "none")))

    public var json: [UInt8] {
        JSONWriter.text { writer in
            writer.beginObject()
            resolved.writeMembers(to: &writer)
            if let method {
                writer.name("match")
                writer.beginObject()
                writer.member("method", method)
                writer.endObject()
            } else {
                writer.memberNull("match")
            }
            writer.endObject()
        }
    }

    /// Reads an answer that a server sent; nil where the bytes are none. It must say how the click was found, or with `null`
    /// that none was: an answer without `match` is not to a claim, and must not end one.
    public init?(json: [UInt8]) {
        guard let document = try? JSONDocument(json), let match = document.root["match"] else { return nil }
        if match.isNull {
            self = .unmatched
            return
        }
        guard let method = match["method"]?.string, let resolved = ResolveResponse(json: json) else { return nil }
        self.init(resolved: resolved, method: method)
    }
}
