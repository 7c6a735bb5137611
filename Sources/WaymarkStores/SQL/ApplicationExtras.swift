package import WaymarkLinks

/// `ApplicationExtraStore`.
extension SQLStore {
    package var extras: any ApplicationExtraStore { self }

    package func extra(_ name: String, of id: ApplicationID) async throws(StoreError) -> ApplicationExtra? {
        let extra = SQLStatement(
            ApplicationExtra.selection + "WHERE application.name = $1 AND application_extra.name = $2", .text(id.text),
            .text(name))
        return try await read(extra) { try ApplicationExtra($0) }.first
    }

    package func changeExtra(
        _ name: String, of id: ApplicationID, to content: [UInt8]?, expecting: Int?
    ) async throws(StoreError) -> ExtraChange {
        try await transact { transaction in
            // The application must not be deleted meanwhile, and nobody else may change what is read here.
            try transaction.lockRegistry()
            guard let application = try transaction.rows(.number(of: id), { try $0.number(0) }).first else {
                return .unknown
            }
            let known = SQLStatement(
                "SELECT version, content FROM application_extra WHERE application = $1 AND name = $2",
                .number(application), .text(name))
            let stored = try transaction.rows(known) { (version: try $0.count(0), content: try $0.bytes(1)) }.first
            let version = stored?.version ?? ApplicationExtra.noVersion
            if let expecting, expecting != version { return .versionMismatch(current: version) }
            guard let content else {
                let removal = SQLStatement(
                    "DELETE FROM application_extra WHERE application = $1 AND name = $2", .number(application),
                    .text(name))
                guard try transaction.run(removal) > 0 else { return .unknown }
                try transaction.auditExtra(name, of: id, from: stored?.content, to: nil)
                return .changed(version: version)
            }
            let extra = ApplicationExtra(application: id, name: name, version: version + 1, content: content)
            try transaction.run(extra.replacement(of: application))
            try transaction.auditExtra(name, of: id, from: stored?.content, to: content)
            return .changed(version: extra.version)
        }
    }
}

extension SQLTransaction {
    /// A change of an application by one field: of JSON its text, of a picture its size.
    fileprivate func auditExtra(
        _ name: String, of id: ApplicationID, from before: [UInt8]?, to after: [UInt8]?
    ) throws {
        func values(_ content: [UInt8]?) -> AuditValues {
            var values = AuditValues()
            let isText = content?.first == UInt8(ascii: "{")
            values.add(name, content.map { isText ? String(decoding: $0, as: UTF8.self) : "\($0.count) bytes" })
            return values
        }
        try audit(
            .applicationChanged, AuditObject(.application, id.text), of: id, before: values(before),
            after: values(after))
    }
}

extension SQLArchive {
    package func extras() throws(StoreError) -> [ApplicationExtra] {
        let all = SQLStatement(ApplicationExtra.selection + "ORDER BY application.name, application_extra.name")
        return try rows(all) { try ApplicationExtra($0) }
    }
}

extension ApplicationExtra {
    fileprivate static let selection: SQLText = """
        SELECT application.name, application_extra.name, application_extra.version, content
        FROM application_extra JOIN application ON application.number = application_extra.application\u{20}
        """

    fileprivate init(_ row: any SQLRow) throws {
        self.init(
            application: try row.present(ApplicationID(row.text(0))), name: try row.text(1),
            version: try row.count(2), content: try row.bytes(3))
    }

    /// - Parameter application: its number.
    package func replacement(of application: Int64) -> SQLStatement {
        SQLStatement(
            """
            INSERT INTO application_extra (application, name, version, content) VALUES ($1, $2, $3, $4)
            ON CONFLICT (application, name) DO UPDATE SET version = excluded.version, content = excluded.content
            """, .number(application), .text(name), .number(version), .bytes(content))
    }
}
