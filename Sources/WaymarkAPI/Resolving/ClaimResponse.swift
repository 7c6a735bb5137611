import WaymarkJSON

/// The link that led to an installation, or none.
public struct ClaimResponse: Sendable, Hashable {
    /// The same as for a resolve. If nothing matched: no deep link, route, parameters or metadata, and a redeem with
    /// the status `none`.
    public var resolved: ResolveResponse
    /// How the click was found: `referrer` or `clipboard`; nil if there was none.
    public var method: String?

    public init(resolved: ResolveResponse, method: String) {
        self.resolved = resolved
        self.method = method
    }

    private init(unmatched resolved: ResolveResponse) {
        self.resolved = resolved
        method = nil
    }

    /// No link matched.
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

    /// Decodes a server's response; nil if the bytes are not one. The member `match` must be present (`null` if no
    /// click was found): a response without it does not belong to a claim and must not end one.
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
