package import WaymarkLinks

/// Counts of links by folder, which stores keep with each write among what links use of their application.
extension SQLStore {
    package func folders(
        of applications: [ApplicationID]?, atMost limit: Int
    ) async throws(StoreError) -> [FolderCount] {
        if let applications, applications.isEmpty { return [] }
        let ofApplications: SQLText =
            applications.map {
                "application IN (SELECT number FROM application WHERE name IN (" + SQLText.places(2..<$0.count + 2)
                    + ")) AND "
            } ?? ""
        let counts = SQLStatement(
            "SELECT name, CAST(sum(links) AS bigint) FROM application_use WHERE " + ofApplications
                + "kind = 4 GROUP BY name HAVING sum(links) > 0 ORDER BY name LIMIT $1",
            [.number(limit)] + (applications ?? []).map { .text($0.text) })
        return try await read(as: .folders, on: .listings, counts) { row in
            FolderCount(folder: try row.unicode(0), links: try row.count(1))
        }
    }
}
