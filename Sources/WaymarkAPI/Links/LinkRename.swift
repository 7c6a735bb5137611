import WaymarkJSON

/// The body of `POST /api/v1/links/{domain}/{slug}:rename`.
public struct LinkRenameRequest: Sendable, Hashable {
    /// The new slug.
    public var slug: String

    public init(slug: String) { self.slug = slug }

    package init(json: [UInt8]) throws(BodyError) {
        self = try ObjectReader.body(json, shape: Self.shape) { reader in
            if reader.value("slug") == nil { reader.reject("slug", "is missing") }
            return LinkRenameRequest(slug: reader.string("slug") ?? "")
        }
    }

    private static let shape = JSONShape.names(["slug"])
}
