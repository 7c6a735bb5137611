import WaymarkBytes
package import WaymarkLinks
package import WaymarkStores

/// A report on clicks that everybody who has its link may read, until it expires or ends.
package struct SharedReport: Sendable, Equatable {
    /// Of base62.
    package var id: String
    /// 1 to 200 bytes.
    package var title: String
    /// As `GET /api/v1/clicks` takes it.
    package var query: String
    /// The ID of the key or person that shares it, as of a session: the report shows what the owner may see, and ends with it.
    var owner: String
    /// SHA-256 of the token.
    var digest: [UInt8]
    package var createdAt: Timestamp
    package var expiresAt: Timestamp

    package static let titleLimit = 200
    package static let queryLimit = 4_096
    /// Of one owner, and of the database.
    package static let ownerLimit = 100
    package static let limit = 2_000
    /// 400 and 30 days, in milliseconds.
    package static let longest: Int64 = 400 * 86_400_000
    package static let usual: Int64 = 30 * 86_400_000
}

/// The shared reports of a database, one document each.
package struct SharedReports: Sendable {
    private static let prefix = "shared-report/"
    private static let idLength = 12

    private let documents: SealedDocuments
    private let keys: KeyRing

    init(_ documents: SealedDocuments, _ keys: KeyRing) {
        self.documents = documents
        self.keys = keys
    }

    /// - Returns: The report, and its token for the only time; nil if there are too many.
    package func share(
        _ query: String, title: String, until expiresAt: Timestamp, by owner: KeyIdentity
    ) async throws(StoreError) -> (report: SharedReport, token: String)? {
        let existing = try await all()
        let ownerID = keys.sessionOwnerID(of: owner)
        guard existing.count < SharedReport.limit,
            existing.count(where: { $0.owner == ownerID }) < SharedReport.ownerLimit
        else { return nil }
        let dependencies = keys.dependencies
        let secret = KeyText(randomBytes: dependencies.randomBytes).text
        let report = SharedReport(
            id: Base62.random(length: Self.idLength, bytes: dependencies.randomBytes), title: title, query: query,
            owner: ownerID, digest: dependencies.sha256(Array(secret.utf8)), createdAt: dependencies.now(),
            expiresAt: expiresAt)
        guard
            try await documents.write(
                Self.prefix + report.id, report.stored, replacing: nil, recording: report.entry(.reportShared))
        else { return nil }
        return (report, report.id + "." + secret)
    }

    /// The reports that a caller may end, the newest first: its own, or all for an administrator of all applications.
    package func list(for reader: KeyIdentity) async throws(StoreError) -> [SharedReport] {
        let owner = keys.sessionOwnerID(of: reader)
        let mayAll = reader.reach(ofOneOf: [.admin])?.isAll ?? false
        let now = keys.dependencies.now()
        return try await all()
            .filter { (mayAll || $0.owner == owner) && keys.identity(ofOwner: $0.owner, at: now)?.may(.read) ?? false }
            .sorted { ($0.createdAt, $0.id) > ($1.createdAt, $1.id) }
    }

    /// - Returns: The report that ended; nil if there is none that the caller may end.
    package func end(_ id: String, by caller: KeyIdentity) async throws(StoreError) -> SharedReport? {
        guard let report = try await list(for: caller).first(where: { $0.id == id }) else { return nil }
        return try await documents.remove(Self.prefix + id, recording: report.entry(.reportEnded)) ? report : nil
    }

    /// The report of a token, and who its readers are: they may read what the owner may, and count as a caller of their own,
    /// so that they use up nothing of the owner's limits. Nil if the report has expired or ended, or if its owner may not read
    /// clicks any more.
    package func open(_ token: [UInt8]) async throws(StoreError) -> (report: SharedReport, reader: KeyIdentity)? {
        let parts = token.split(separator: UInt8(ascii: "."), maxSplits: 1, omittingEmptySubsequences: false)
        guard parts.count == 2, parts[0].count == Self.idLength, parts[0].allSatisfy(\.isAlphanumeric),
            KeyText.isKey(Array(parts[1]))
        else { return nil }
        let id = String(decoding: parts[0], as: UTF8.self)
        let now = keys.dependencies.now()
        guard let document = try await documents.document(Self.prefix + id),
            let report = SharedReport(id: id, document.content), now < report.expiresAt,
            KeyTable.equal(report.digest, keys.dependencies.sha256(Array(parts[1]))),
            let owner = keys.identity(ofOwner: report.owner, at: now), owner.may(.read)
        else { return nil }
        let reader = KeyIdentity(
            id: "report-" + id, name: report.title, owner.grant, and: owner.furtherGrants, person: owner.person)
        return (report, reader)
    }

    /// All that have not expired; deletes those that have.
    private func all() async throws(StoreError) -> [SharedReport] {
        let now = keys.dependencies.now()
        var reports: [SharedReport] = []
        for document in try await documents.documents(prefix: Self.prefix) {
            let id = String(document.name.dropFirst(Self.prefix.count))
            if let report = SharedReport(id: id, document.content), now < report.expiresAt {
                reports.append(report)
            } else {
                _ = try await documents.remove(document.name)
            }
        }
        return reports
    }
}

extension SharedReport {
    /// Nil where no call acts.
    fileprivate func entry(_ action: AuditAction) -> AuditEntry? {
        guard let call = AuditCall.current else { return nil }
        var values = AuditValues()
        values.add("title", title)
        values.add("query", query)
        values.add("expiresAt", expiresAt.rfc3339)
        let isNew = action == .reportShared
        return AuditEntry(
            action, AuditObject(.report, id), of: nil, by: call, before: isNew ? nil : values.json,
            after: isNew ? values.json : nil)
    }

    /// A line for each member. The title has no control characters, and the query is ASCII.
    fileprivate var stored: [UInt8] {
        let lines = [
            "1", owner, String(createdAt.rawValue), String(expiresAt.rawValue), Hexadecimal.text(digest), query, title,
        ]
        return Array(lines.joined(separator: "\n").utf8)
    }

    /// Nil for a damaged document.
    fileprivate init?(id: String, _ stored: [UInt8]) {
        let lines = String(decoding: stored, as: UTF8.self)
            .split(separator: "\n", maxSplits: 6, omittingEmptySubsequences: false).map(String.init)
        guard lines.count == 7, lines[0] == "1", let created = Int64(lines[2]), let end = Int64(lines[3]),
            let digest = Hexadecimal.bytes(lines[4])
        else { return nil }
        self.init(
            id: id, title: lines[6], query: lines[5], owner: lines[1], digest: digest,
            createdAt: Timestamp(rawValue: created), expiresAt: Timestamp(rawValue: end))
    }
}
