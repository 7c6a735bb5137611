#if PostgreSQL
    import WaymarkTestSupport

    @testable import WaymarkPostgres

    extension PostgresServer {
        /// Runs one statement, by default where there are no tables of ours, and gives the first column's numbers.
        @discardableResult
        func execute(_ sql: String, in url: String? = nil) throws -> [Int64] {
            let connection = try Connection(to: PostgresURL(url ?? self.url(of: "postgres")))
            defer { connection.close() }
            let result = try connection.run(.init(sql: sql), by: .after(milliseconds: 60_000))
            return try (0..<result.count).map { try result.number($0, 0) }
        }
    }
#endif
