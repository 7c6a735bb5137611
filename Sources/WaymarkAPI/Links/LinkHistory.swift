package import WaymarkJSON

/// The body of `POST /api/v1/links/{domain}/{slug}:restore`.
public struct LinkRestoreRequest: Sendable, Hashable {
    /// The version whose values the link gets.
    public var version: Int

    public init(version: Int) { self.version = version }

    package init(json: [UInt8]) throws(BodyError) {
        self = try ObjectReader.body(json, shape: Self.shape) { reader in
            if reader.value("version") == nil { reader.reject("version", "is missing") }
            return LinkRestoreRequest(version: reader.integer("version") ?? 0)
        }
    }

    private static let shape = JSONShape.names(["version"])
}

/// The response of `GET /api/v1/links/{domain}/{slug}/history`.
public struct LinkHistoryResponse: Sendable {
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

    public struct Change: Sendable {
        /// The version that the change made.
        public var version: Int
        /// RFC 3339.
        public var at: String
        /// Nil for the creation, and for changes without a key.
        public var by: Author?
        /// The names of the changed fields; empty for the creation.
        public var fields: [String]
        /// The fields as they were; nil for the creation, and where values are not stored.
        package var before: JSONObject?
        /// The fields as they became; nil where values are not stored.
        package var after: JSONObject?

        package init(
            version: Int, at: String, by: Author?, fields: [String], before: JSONObject?, after: JSONObject?
        ) {
            self.version = version
            self.at = at
            self.by = by
            self.fields = fields
            self.before = before
            self.after = after
        }

        package func write(to writer: inout JSONWriter) {
            writer.beginObject()
            writer.member("version", version)
            writer.member("at", at)
            writer.name("by")
            if let by {
                writer.beginObject()
                writer.member("id", by.id)
                writer.member("name", by.name)
                writer.endObject()
            } else {
                writer.null()
            }
            writer.strings("fields", fields)
            for (name, values) in [("before", before), ("after", after)] as [(StaticString, JSONObject?)] {
                writer.name(name)
                if let values { writer.raw(JSONValue(values).bytes()) } else { writer.null() }
            }
            writer.endObject()
        }
    }

    /// Newest first.
    public var changes: [Change]
    /// Of the next page; nil on the last one.
    public var cursor: String?

    public init(changes: [Change], cursor: String?) {
        self.changes = changes
        self.cursor = cursor
    }

    public var json: [UInt8] {
        JSONWriter.text { writer in
            writer.beginObject()
            writer.array("changes", changes) { change, writer in change.write(to: &writer) }
            writer.member("cursor", cursor)
            writer.endObject()
        }
    }
}
