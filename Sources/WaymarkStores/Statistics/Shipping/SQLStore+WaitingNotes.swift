extension SQLStore {
    package func waitingNotes() async throws(StoreError) -> ClosedRange<Int64>? {
        let numbers = SQLStatement(
            """
            SELECT number FROM (SELECT number FROM click_note ORDER BY number LIMIT 1) AS oldest
            UNION ALL SELECT number FROM (SELECT number FROM click_note ORDER BY number DESC LIMIT 1) AS newest
            """)
        let found = try await read(as: nil, on: .background, numbers) { try $0.number(0) }
        guard let first = found.min(), let last = found.max() else { return nil }
        return first...last
    }
}
