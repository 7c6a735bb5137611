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

/// The response of `GET /api/v1/links/{domain}/{slug}/history`.
public struct LinkHistoryResponse: Sendable, Hashable {
    public struct Author: Sendable, Hashable {
        /// Of the key.
        public var id: String
        /// At the time of the change.
        public var name: String

        public init(id: String, name: String) {
            self.id = id
            self.name = name
        }
    }

    public struct Change: Sendable, Hashable {
        /// RFC 3339.
        public var at: String
        /// Nil for the creation, and for changes without a key.
        public var by: Author?
        /// The names of the changed fields; empty for the creation.
        public var fields: [String]

        public init(at: String, by: Author?, fields: [String]) {
            self.at = at
            self.by = by
            self.fields = fields
        }
    }

    /// Newest first.
    public var changes: [Change]

    public init(changes: [Change]) { self.changes = changes }

    public var json: [UInt8] {
        JSONWriter.text { writer in
            writer.beginObject()
            writer.array("changes", changes) { change, writer in
                writer.beginObject()
                writer.member("at", change.at)
                writer.name("by")
                if let author = change.by {
                    writer.beginObject()
                    writer.member("id", author.id)
                    writer.member("name", author.name)
                    writer.endObject()
                } else {
                    writer.null()
                }
                writer.strings("fields", change.fields)
                writer.endObject()
            }
            writer.endObject()
        }
    }
}
