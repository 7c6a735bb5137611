package import WaymarkJSON

/// An import as returned by the server.
public struct ImportResponse: Sendable, Hashable {
    public enum State: String, Sendable, CaseIterable {
        case running
        /// It was asked to stop, and finishes its batch.
        case stopping
        /// Every row was read.
        case finished
        case stopped
        /// The source can't be read on, or the store failed; `error` says why.
        case failed
    }

    public struct Counts: Sendable, Hashable {
        public var rows: Int
        public var created: Int
        public var same: Int
        public var clash: Int
        public var refused: Int

        public init(rows: Int = 0, created: Int = 0, same: Int = 0, clash: Int = 0, refused: Int = 0) {
            self.rows = rows
            self.created = created
            self.same = same
            self.clash = clash
            self.refused = refused
        }
    }

    public var id: String
    public var source: String
    public var app: String
    /// Nil: the domain that the source names.
    public var domain: String?
    public var dryRun: Bool
    public var state: State
    /// One sentence without a full stop; nil unless `state` is `failed`.
    public var error: String?
    /// RFC 3339.
    public var createdAt: String
    /// RFC 3339; nil: it has not ended.
    public var endedAt: String?
    public var counts: Counts
    /// Bytes of all files; 0: it reads from an API.
    public var fileBytes: Int
    public var fileBytesRead: Int
    /// Whether the report has every row: it ends at its size limit.
    public var isReportComplete: Bool
    /// What was not taken over, one sentence without a full stop each, as known at the end.
    public var notes: [String]

    public init(
        id: String, source: String, app: String, domain: String?, dryRun: Bool, state: State, error: String?,
        createdAt: String, endedAt: String?, counts: Counts, fileBytes: Int, fileBytesRead: Int,
        isReportComplete: Bool, notes: [String] = []
    ) {
        self.id = id
        self.source = source
        self.app = app
        self.domain = domain
        self.dryRun = dryRun
        self.state = state
        self.error = error
        self.createdAt = createdAt
        self.endedAt = endedAt
        self.counts = counts
        self.fileBytes = fileBytes
        self.fileBytesRead = fileBytesRead
        self.isReportComplete = isReportComplete
        self.notes = notes
    }

    public var json: [UInt8] { JSONWriter.text { write(to: &$0) } }

    /// The body of `GET /api/v1/imports`.
    public static func list(_ imports: [ImportResponse]) -> [UInt8] {
        JSONWriter.text { writer in
            writer.beginObject()
            writer.array("imports", imports) { $0.write(to: &$1) }
            writer.endObject()
        }
    }

    package func write(to writer: inout JSONWriter) {
        writer.beginObject()
        writer.member("id", id)
        writer.member("source", source)
        writer.member("app", app)
        writer.member("domain", domain)
        writer.member("dryRun", dryRun)
        writer.member("state", state.rawValue)
        writer.member("error", error)
        writer.member("createdAt", createdAt)
        writer.member("endedAt", endedAt)
        writer.name("counts")
        writer.beginObject()
        writer.member("rows", counts.rows)
        writer.member("created", counts.created)
        writer.member("same", counts.same)
        writer.member("clash", counts.clash)
        writer.member("refused", counts.refused)
        writer.endObject()
        writer.member("fileBytes", fileBytes)
        writer.member("fileBytesRead", fileBytesRead)
        writer.member("reportComplete", isReportComplete)
        writer.array("notes", notes) { $1.string($0) }
        writer.endObject()
    }

    /// Decodes a server's response; nil if the bytes are not an import.
    public init?(json: [UInt8]) {
        guard let value = try? JSONValue(parsing: json), let id = value["id"]?.string,
            let state = value["state"]?.string.flatMap({ State(rawValue: $0) })
        else { return nil }
        func count(_ name: String) -> Int { value["counts"]?[name]?.integer ?? 0 }
        self.init(
            id: id, source: value["source"]?.string ?? "", app: value["app"]?.string ?? "",
            domain: value["domain"]?.string, dryRun: value["dryRun"]?.bool ?? false, state: state,
            error: value["error"]?.string, createdAt: value["createdAt"]?.string ?? "",
            endedAt: value["endedAt"]?.string,
            counts: Counts(
                rows: count("rows"), created: count("created"), same: count("same"), clash: count("clash"),
                refused: count("refused")), fileBytes: value["fileBytes"]?.integer ?? 0,
            fileBytesRead: value["fileBytesRead"]?.integer ?? 0,
            isReportComplete: value["reportComplete"]?.bool ?? true,
            notes: (value["notes"]?.array ?? []).compactMap(\.string))
    }
}
