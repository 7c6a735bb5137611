package import WaymarkLinks

/// `AuditStore`, and how transactions of what are no links write their entries.
extension SQLStore {
    package var audit: any AuditStore { self }

    package func record(_ entry: AuditEntry) async throws(StoreError) {
        try await transact { try $0.add(entry) }
    }

    package func auditEntries(_ query: AuditQuery) async throws(StoreError) -> AuditPage {
        var page = AuditPage()
        if let applications = query.applications, applications.isEmpty { return page }
        var open = query
        var examined = 0
        while examined < AuditQuery.examined {
            let rows = try await read(as: nil, on: .listings, open.statement) { try AuditRow($0) }
            examined += query.atOnce
            for (index, row) in rows.enumerated() {
                guard let entry = row.entry else { continue }
                page.entries.append(entry)
                guard page.entries.count == query.limit else { continue }
                let isLast = index == rows.count - 1 && rows.count < query.atOnce
                page.next = isLast ? nil : row.position
                return page
            }
            guard rows.count == query.atOnce else { return page }
            open.after = rows.last?.position
        }
        page.next = open.after
        return page
    }

    package func purgeAudit(before time: Timestamp, limit: Int) async throws(StoreError) -> Int {
        try await run(
            SQLStatement(
                "DELETE FROM audit WHERE number IN (SELECT number FROM audit WHERE at < $1 ORDER BY at LIMIT $2)",
                .time(time), .number(limit)))
    }
}

extension SQLTransaction {
    /// Adds an entry about what this transaction changes, unless no call makes the change.
    ///
    /// - Parameters:
    ///   - call: as the task has it, or a sign-in makes it known.
    ///   - before: and `after`: what the object was and is; nil where it was not, or is not.
    package func audit(
        _ action: AuditAction, _ object: AuditObject, of application: ApplicationID?, by call: AuditCall? = nil,
        before: AuditValues? = nil, after: AuditValues? = nil
    ) throws {
        guard let call = call ?? auditCall else { return }
        try add(
            AuditEntry(
                action, object, of: application, by: call, before: before.map(\.json), after: after.map(\.json)))
    }

    /// The same about a change, with the fields that differ.
    package func audit(
        _ action: AuditAction, _ object: AuditObject, of application: ApplicationID?, by call: AuditCall? = nil,
        from before: AuditValues, to after: AuditValues
    ) throws {
        let difference = AuditValues.difference(before, after)
        try audit(action, object, of: application, by: call, before: difference.before, after: difference.after)
    }

    /// The document of an application before a change, for the audit; nil if no entry is written, or there is none.
    package func auditedApplication(_ id: ApplicationID) throws -> [UInt8]? {
        try auditCall == nil ? nil : document(of: id)
    }

    package func audit(_ application: StoredApplication, before: [UInt8]?) throws {
        let (object, id) = (AuditObject(.application, application.id.text), application.id)
        let after = AuditValues(application: application.document)
        guard let before else { return try audit(.applicationCreated, object, of: id, after: after) }
        // The documents are compared: a change may be of a secret alone, which no entry has.
        guard before != application.document else { return }
        try audit(.applicationChanged, object, of: id, from: AuditValues(application: before), to: after)
    }

    package func audit(deleted id: ApplicationID, before: [UInt8]?) throws {
        try audit(
            .applicationDeleted, AuditObject(.application, id.text), of: id,
            before: before.map(AuditValues.init(application:)))
    }
}

extension SQLArchive {
    package func auditEntries(
        after number: Int64?, limit: Int
    ) throws(StoreError) -> [(number: Int64, entry: AuditEntry)] {
        let page = SQLStatement(
            "SELECT number, entry FROM audit WHERE number > $1 ORDER BY number LIMIT $2", .number(number ?? .min),
            .number(limit))
        return try rows(page) { (try $0.number(0), try $0.present(AuditEntry(json: $0.bytes(1)))) }
    }
}

extension AuditEntry {
    /// Nothing, if it is there: an import may repeat it.
    package var restoration: SQLStatement {
        SQLStatement(
            """
            INSERT INTO audit (at, application, person, actor_key, action, entry) SELECT $1, $2, $3, $4, $5, $6
            WHERE NOT EXISTS (SELECT 1 FROM audit WHERE at = $1 AND entry = $6)
            """, .time(at), .text(application?.text), .text(person), .unicode(key), .text(action), .bytes(json))
    }
}

extension AuditValues {
    /// - Parameter document: as stored, perhaps with a mark before the object.
    fileprivate init(application document: [UInt8]) {
        self.init(json: Array(document.drop { $0 != UInt8(ascii: "{") }))
    }
}

/// A row that was examined.
private struct AuditRow: Sendable {
    let position: AuditPosition
    /// Nil if it doesn't match.
    let entry: [UInt8]?

    init(_ row: any SQLRow) throws {
        position = AuditPosition(at: try row.timestamp(0), number: try row.number(1))
        entry = try row.optionalBytes(2)
    }
}

extension AuditQuery {
    /// Rows of one statement. Where an index leads to all that is asked for, one more than the page tells whether there are more.
    fileprivate var atOnce: Int {
        let isIndexed = key == nil && action == nil && (applications?.count ?? 1) == 1 && !hasTwoIndexes
        return isIndexed ? limit + 1 : Self.examinedAtOnce
    }

    /// Whether an index leads to the application and another one to the person, and none to both.
    private var hasTwoIndexes: Bool { person != nil && applications?.count == 1 }

    /// Of the index: on a later page the row comparison alone would pass all that came before.
    private var end: Timestamp {
        let end = to ?? Timestamp(rawValue: .max)
        return after.map { min(end, $0.at.advanced(byMilliseconds: 1)) } ?? end
    }

    /// Examines the next entries: what an index leads to is a condition, the rest decides which of the rows have an entry.
    fileprivate var statement: SQLStatement {
        var values: [SQLValue] = [
            .time(from ?? Timestamp(rawValue: .min)), .time(end), .time(after?.at ?? Timestamp(rawValue: .max)),
            .number(after?.number ?? .max), .number(atOnce),
        ]
        func places(_ new: [SQLValue]) -> SQLText {
            defer { values += new }
            return .places(values.count + 1..<values.count + 1 + new.count)
        }
        var range: SQLText = "at >= $1 AND at < $2 AND (at, number) < ($3, $4)"
        var match: SQLText = "1 = 1"
        if let applications {
            let condition: SQLText = " AND application IN (" + places(applications.map { .text($0.text) }) + ")"
            if applications.count == 1, !hasTwoIndexes { range = range + condition } else { match = match + condition }
        }
        if let person { range = range + " AND person IN (" + places([.text(person)]) + ")" }
        if let key { match = match + " AND actor_key IN (" + places([.unicode(key)]) + ")" }
        if let action {
            if action.hasSuffix(".") {
                // PostgreSQL takes no bigint here.
                match = match + " AND substr(action, 1, CAST(" + places([.number(action.utf8.count)])
                match = match + " AS integer)) IN (" + places([.text(action)]) + ")"
            } else {
                match = match + " AND action IN (" + places([.text(action)]) + ")"
            }
        }
        return SQLStatement(
            "SELECT at, number, CASE WHEN " + match + " THEN entry END FROM audit WHERE " + range
                + " ORDER BY at DESC, number DESC LIMIT $5", values)
    }
}

// MARK: What objects are, for the audit

extension StoredKey {
    package var auditValues: AuditValues {
        var values = AuditValues()
        values.add("name", name)
        values.add("app", application?.text)
        values.add("scopes", KeyScope.allCases.filter(scopes.contains).map(\.rawValue))
        values.add("expiresAt", expiresAt?.rfc3339)
        values.add("platform", platform?.rawValue)
        values.add("person", person)
        return values
    }
}

extension Webhook {
    package var auditValues: AuditValues {
        var values = AuditValues()
        values.add("url", auditedURL)
        values.add("events", events)
        values.add("name", name)
        values.add("app", application?.text)
        values.add("managedBy", managedBy)
        values.add("disabled", disabled != nil)
        return values
    }

    /// Without what may be a credential: a user, and the query.
    private var auditedURL: String {
        var text = url.prefix { $0 != "?" && $0 != "#" }
        if let scheme = text.firstRange(of: "://"),
            let at = text[scheme.upperBound...].prefix(while: { $0 != "/" }).lastIndex(of: "@")
        {
            text = text[..<scheme.upperBound] + text[text.index(after: at)...]
        }
        return String(text)
    }
}

extension Person {
    package var auditValues: AuditValues {
        var values = AuditValues()
        values.add("name", name)
        values.add("email", email)
        values.add("disabled", isDisabled)
        values.add("memberships", memberships.map { "\($0.role.rawValue) of \($0.application?.text ?? "all")" })
        values.add("identities", identities.map { "\($0.issuer) \($0.subject)" })
        values.add("passkeys", passkeys.count)
        return values
    }

    /// Of all roles; nil if there are several applications, or none.
    package func auditedApplication(and other: Person? = nil) -> ApplicationID? {
        let applications = Set((memberships + (other?.memberships ?? [])).map(\.application))
        return applications.count == 1 ? applications.first ?? nil : nil
    }
}
