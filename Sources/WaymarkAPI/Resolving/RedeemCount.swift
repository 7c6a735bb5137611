package import WaymarkJSON

/// A link's redeem limit and how much of it is used.
public struct RedeemCount: Sendable, Hashable {
    /// Nil if redeems are not counted.
    public var limit: Int?
    public var used: Int
    /// Nil if redeems are not counted; also 0 if the limit was set below `used`.
    public var remaining: Int?
    /// In the response to a resolve: `redeemed`, `exhausted`, `none`, `unlimited` or `skipped`.
    public var status: String?

    public init(limit: Int?, used: Int, status: String? = nil) {
        self.limit = limit
        self.used = used
        self.remaining = limit.map { max(0, $0.subtractingReportingOverflow(used).partialValue) }
        self.status = status
    }

    package func write(to writer: inout JSONWriter) {
        writer.beginObject()
        writer.member("limit", limit)
        writer.member("used", used)
        writer.member("remaining", remaining)
        writer.member("status", ifGiven: status)
        writer.endObject()
    }

    package init?(_ value: JSONValue?) {
        guard let value, let used = value["used"]?.integer else { return nil }
        limit = value["limit"]?.integer
        self.used = used
        remaining = value["remaining"]?.integer
        status = value["status"]?.string
    }
}
