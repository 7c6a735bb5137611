import WaymarkBytes
package import WaymarkLinks
package import WaymarkStores

/// A change of many links that an assistant has planned or rehearsed, until it is made or expires.
package struct PlannedChange: Sendable, Equatable {
    /// The hash that the assistant got. It covers the change, the versions of the links and the result of a rehearsal.
    package var id: String
    /// Of the change and of the versions that it was computed from.
    package var digest: String
    /// What the clicks of whole days said; nil: it was not rehearsed.
    package var rehearsal: Rehearsal?
    /// The ID of the key or person whose assistant it is, and its name of that time.
    package var owner: String
    package var ownerName: String
    /// How many links it selects.
    package var links: Int
    /// Of those links.
    package var applications: [ApplicationID]
    /// All that it selects and does, as JSON on one line. Nil if that is too long: then nobody can confirm it.
    package var summary: String?
    package var createdAt: Timestamp
    package var expiresAt: Timestamp
    /// The name of the person who confirmed it; nil: nobody has.
    package var confirmedBy: String?

    package struct Rehearsal: Sendable, Equatable {
        package var days: Int
        package var clicks: Int
        /// Those that would have ended in another way.
        package var changed: Int
        package var undecidable: Int

        package init(days: Int, clicks: Int, changed: Int, undecidable: Int) {
            self.days = days
            self.clicks = clicks
            self.changed = changed
            self.undecidable = undecidable
        }
    }

    /// An hour, in milliseconds.
    package static let duration: Int64 = 3_600_000
    /// Of one owner, and of the database.
    package static let ownerLimit = 20
    package static let limit = 500
    /// In bytes: all plans are listed together.
    package static let summaryLimit = 65_536

    package static func summary(_ text: String) -> String? { text.utf8.count <= summaryLimit ? text : nil }

    package init(
        id: String, digest: String, owner: KeyIdentity, links: Int, applications: [ApplicationID], summary: String?,
        rehearsal: Rehearsal?, at now: Timestamp
    ) {
        self.id = id
        self.digest = digest
        self.rehearsal = rehearsal
        self.owner = owner.id
        ownerName = owner.name
        self.links = links
        self.applications = applications
        self.summary = summary
        createdAt = now
        expiresAt = now.advanced(byMilliseconds: Self.duration)
    }
}

/// The planned changes of a database, one document each, so that all servers know what a person confirmed.
package struct PlannedChanges: Sendable {
    package enum Confirmation: Sendable {
        case confirmed(PlannedChange)
        case unknown
        /// It has links of applications that the caller may not change.
        case forbidden
    }

    private static let prefix = "planned-change/"
    private static let attempts = 4

    private let documents: SealedDocuments
    private let store: any LinkStore
    private let dependencies: ServiceDependencies

    package init?(_ service: LinkService) {
        guard let documents = service.documents else { return nil }
        self.documents = documents
        store = service.store
        dependencies = service.dependencies
    }

    private func now() -> Timestamp { dependencies.now() }

    /// A keyed hash, as unpadded URL-safe Base64. Hashes are shown to people and keys, and a change may set a password: without
    /// the secret, which the servers of a database share, nobody can try out which one.
    package func hash(_ bytes: [UInt8]) async throws(StoreError) -> String {
        let randomBytes = dependencies.randomBytes
        let secret = try await store.secret("planned-changes", make: { randomBytes(32) })
        return Base64.urlText(WebhookSignature(sha256: dependencies.sha256).code(bytes, key: secret))
    }

    /// Stores a change. The owner's oldest ones make room.
    ///
    /// - Returns: The change as it is stored: if the same one is there already and confirmed, the confirmation ends with it.
    ///   Nil if the database has too many.
    package func add(_ change: PlannedChange) async throws(StoreError) -> PlannedChange? {
        let others = try await all().filter { $0.id != change.id }
        let own = others.filter { $0.owner == change.owner }.sorted { $0.createdAt < $1.createdAt }
        let surplus = own.prefix(max(0, own.count + 1 - PlannedChange.ownerLimit))
        guard others.count - surplus.count < PlannedChange.limit else { return nil }
        for old in surplus { _ = try await documents.remove(Self.prefix + old.id) }
        for _ in 0..<Self.attempts {
            let stored = try await documents.document(Self.prefix + change.id)
            if let stored, let same = PlannedChange(id: change.id, stored.content), same.confirmedBy != nil,
                now() < same.expiresAt
            {
                return same
            }
            let isWritten = try await documents.write(
                Self.prefix + change.id, change.stored, replacing: stored?.version)
            if isWritten { return change }
        }
        throw .unavailable("others plan the same change at this moment; try again")
    }

    /// Nil if there is none, or if it has expired.
    package func find(_ id: String) async throws(StoreError) -> PlannedChange? {
        guard Self.isID(id), let stored = try await documents.document(Self.prefix + id),
            let change = PlannedChange(id: id, stored.content), now() < change.expiresAt
        else { return nil }
        return change
    }

    /// Those that can be shown and whose applications are all in reach, the newest first.
    package func list(for reach: ApplicationReach) async throws(StoreError) -> [PlannedChange] {
        try await all().filter { $0.summary != nil && $0.applications.allSatisfy { reach.contains($0) } }
            .sorted { ($0.createdAt, $0.id) > ($1.createdAt, $1.id) }
    }

    /// Confirms a change for a person.
    package func confirm(
        _ id: String, by person: KeyIdentity, for reach: ApplicationReach
    ) async throws(StoreError) -> Confirmation {
        for _ in 0..<Self.attempts {
            guard Self.isID(id), let stored = try await documents.document(Self.prefix + id),
                var change = PlannedChange(id: id, stored.content), now() < change.expiresAt, change.summary != nil
            else { return .unknown }
            guard change.applications.allSatisfy({ reach.contains($0) }) else { return .forbidden }
            if change.confirmedBy != nil { return .confirmed(change) }
            change.confirmedBy = person.name
            let isWritten = try await documents.write(
                Self.prefix + id, change.stored, replacing: stored.version, recording: change.confirmation)
            if isWritten { return .confirmed(change) }
        }
        return .unknown
    }

    /// Takes a change out, so that its hash is good for one request.
    ///
    /// - Returns: whether it was there.
    package func take(_ change: PlannedChange) async throws(StoreError) -> Bool {
        try await documents.remove(Self.prefix + change.id)
    }

    /// All that have not expired; deletes those that have.
    private func all() async throws(StoreError) -> [PlannedChange] {
        let now = now()
        var changes: [PlannedChange] = []
        for document in try await documents.documents(prefix: Self.prefix) {
            let id = String(document.name.dropFirst(Self.prefix.count))
            if let change = PlannedChange(id: id, document.content), now < change.expiresAt {
                changes.append(change)
            } else {
                _ = try await documents.remove(document.name)
            }
        }
        return changes
    }

    /// A hash, as unpadded URL-safe Base64.
    private static func isID(_ text: String) -> Bool {
        text.utf8.count == 43
            && text.utf8.allSatisfy { $0.isAlphanumeric || $0 == UInt8(ascii: "-") || $0 == UInt8(ascii: "_") }
    }
}

extension PlannedChange {
    /// Nil where no call acts.
    fileprivate var confirmation: AuditEntry? {
        guard let call = AuditCall.current else { return nil }
        var values = AuditValues()
        values.add("links", links)
        values.add(
            "change", String(decoding: AuditValues(json: Array((summary ?? "").utf8)).json, as: UTF8.self))
        values.add("plannedBy", ownerName)
        return AuditEntry(
            .changeConfirmed, AuditObject(.links, nil), of: applications.count == 1 ? applications.first : nil,
            by: call, after: values.json)
    }

    /// A line for each member; the summary is JSON on one line.
    fileprivate var stored: [UInt8] {
        let lines = [
            "1", digest, owner, ownerName, String(links), applications.map(\.text).joined(separator: ","),
            String(createdAt.rawValue), String(expiresAt.rawValue), confirmedBy ?? "", rehearsal?.stored ?? "",
            summary ?? "",
        ]
        return Array(lines.map { $0.replacing("\n", with: " ") }.joined(separator: "\n").utf8)
    }

    /// Nil for a damaged document.
    fileprivate init?(id: String, _ stored: [UInt8]) {
        let lines = String(decoding: stored, as: UTF8.self)
            .split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
        guard lines.count == 11, lines[0] == "1", let links = Int(lines[4]), let created = Int64(lines[6]),
            let end = Int64(lines[7])
        else { return nil }
        self.id = id
        digest = lines[1]
        owner = lines[2]
        ownerName = lines[3]
        self.links = links
        applications = lines[5].split(separator: ",").compactMap { ApplicationID(String($0)) }
        createdAt = Timestamp(rawValue: created)
        expiresAt = Timestamp(rawValue: end)
        confirmedBy = lines[8].isEmpty ? nil : lines[8]
        rehearsal = Rehearsal(stored: lines[9])
        summary = lines[10].isEmpty ? nil : lines[10]
    }
}

extension PlannedChange.Rehearsal {
    fileprivate var stored: String { "\(days) \(clicks) \(changed) \(undecidable)" }

    fileprivate init?(stored: String) {
        let numbers = stored.split(separator: " ").compactMap { Int($0) }
        guard numbers.count == 4 else { return nil }
        self.init(days: numbers[0], clicks: numbers[1], changed: numbers[2], undecidable: numbers[3])
    }
}
