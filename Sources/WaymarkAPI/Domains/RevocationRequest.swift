import WaymarkJSON

/// The body of `POST /api/v1/domains/{domain}:revoke`.
public struct RevocationRequest: Sendable, Hashable {
    /// `keyCompromise`, `superseded`, `cessationOfOperation` or `unspecified` (RFC 5280 section 5.3.1); nil: unspecified.
    public var reason: String?

    public init(reason: String? = nil) { self.reason = reason }

    package init(json: [UInt8]) throws(BodyError) {
        self = try ObjectReader.body(json, shape: Self.shape) { reader in
            RevocationRequest(reason: reader.string("reason"))
        }
    }

    private static let shape = JSONShape.names(["reason"])
}
