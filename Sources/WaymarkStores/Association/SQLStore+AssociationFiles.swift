import WaymarkLinks

/// `AssociationFileStore`.
extension SQLStore {
    package var associationFiles: any AssociationFileStore { self }

    package func associationVersions() async throws(StoreError) -> [AssociationVersion] {
        try await read(AssociationVersion.all) { try AssociationVersion($0) }
    }

    package func associationFetches() async throws(StoreError) -> [AssociationFetch] {
        try await read(AssociationFetch.all) { try AssociationFetch($0) }
    }

    package func record(
        _ versions: [AssociationVersion], _ fetches: [AssociationFetch]
    ) async throws(StoreError) {
        guard !versions.isEmpty || !fetches.isEmpty else { return }
        // In one order, so that servers don't wait for each other in a circle.
        let statements =
            versions.sorted { $0.file < $1.file }.map(\.replacement)
            + fetches.sorted { ($0.file, $0.fetcher.rawValue) < ($1.file, $1.fetcher.rawValue) }.flatMap(\.merging)
            + (versions.isEmpty ? [] : [.leftVersions, .leftFetches])
        try await transact { _ = try $0.run(statements) }
    }
}

extension SQLArchive {
    package func associationVersions() throws(StoreError) -> [AssociationVersion] {
        try rows(AssociationVersion.all) { try AssociationVersion($0) }
    }

    package func associationFetches() throws(StoreError) -> [AssociationFetch] {
        try rows(AssociationFetch.all) { try AssociationFetch($0) }
    }
}

extension AssociationFileKey: Comparable {
    package static func < (one: Self, other: Self) -> Bool {
        (one.host.text, one.name.rawValue) < (other.host.text, other.name.rawValue)
    }

    fileprivate init(_ row: any SQLRow) throws(StoreError) {
        self.init(
            try row.present(HostName(row.text(0))), try row.present(AssociationFileName(rawValue: row.text(1))))
    }
}

extension AssociationVersion {
    fileprivate static let all = SQLStatement("SELECT host, file, tag, since FROM association_file")

    fileprivate init(_ row: any SQLRow) throws {
        self.init(try AssociationFileKey(row), tag: try row.text(2), since: try row.optionalTimestamp(3))
    }

    fileprivate var replacement: SQLStatement {
        SQLStatement(
            """
            INSERT INTO association_file (host, file, tag, since) VALUES ($1, $2, $3, NULL)
            ON CONFLICT (host, file) DO UPDATE SET tag = excluded.tag, since = $4
            WHERE association_file.tag <> excluded.tag
            """, .text(file.host.text), .text(file.name.rawValue), .text(tag), .time(since))
    }
}

extension AssociationFetch {
    fileprivate static let all = SQLStatement(
        "SELECT host, file, fetcher, at, status, tag, first_at FROM association_fetch")

    fileprivate init(_ row: any SQLRow) throws {
        self.init(
            try AssociationFileKey(row), by: try row.present(AssociationFetcher(rawValue: row.text(2))),
            at: try row.timestamp(3), status: try row.count(4), tag: try row.text(5), firstAt: try row.timestamp(6))
    }

    /// Another server may have written a later fetch, and this one an earlier fetch of the same tag.
    fileprivate var merging: [SQLStatement] {
        [
            SQLStatement(
                """
                UPDATE association_fetch SET first_at = $5
                WHERE host = $1 AND file = $2 AND fetcher = $3 AND tag = $4 AND first_at > $5
                """, .text(file.host.text), .text(file.name.rawValue), .text(fetcher.rawValue), .text(tag),
                .time(firstAt)),
            SQLStatement(
                """
                INSERT INTO association_fetch (host, file, fetcher, at, status, tag, first_at)
                VALUES ($1, $2, $3, $4, $5, $6, $7)
                ON CONFLICT (host, file, fetcher) DO UPDATE SET at = excluded.at, status = excluded.status,
                    tag = excluded.tag,
                    first_at = CASE WHEN association_fetch.tag = excluded.tag THEN association_fetch.first_at
                        ELSE excluded.first_at END
                WHERE association_fetch.at < excluded.at
                """, .text(file.host.text), .text(file.name.rawValue), .text(fetcher.rawValue), .time(at),
                .number(status), .text(tag), .time(firstAt)),
        ]
    }
}

extension SQLStatement {
    fileprivate static let leftVersions = SQLStatement("DELETE FROM association_file WHERE " + unknownHost)
    fileprivate static let leftFetches = SQLStatement("DELETE FROM association_fetch WHERE " + unknownHost)

    private static var unknownHost: SQLText {
        "host NOT IN (SELECT domain FROM application_domain UNION SELECT host FROM application_host)"
    }
}
