extension SQLStore {
    package func earlierClicks() async throws(StoreError) -> EarlierClicks? {
        let start = SQLStatement("SELECT day, counted FROM click_total_start")
        return try await read(as: nil, on: .background, start) { row in
            EarlierClicks(start: Int(try row.number(0)), counted: try row.optionalNumber(1).map { Int($0) })
        }.first
    }

    package func nextClickDay(after day: Int?) async throws(StoreError) -> Int? {
        try await read(as: nil, on: .background, .nextClickDay(after: day)) { try $0.optionalNumber(0).map { Int($0) } }
            .first ?? nil
    }

    package func endCounting() async throws(StoreError) {
        try await run(SQLStatement("DELETE FROM click_total_start"))
    }
}

extension SQLArchive {
    package func nextClickDay(after day: Int?) throws(StoreError) -> Int? {
        try rows(.nextClickDay(after: day)) { try $0.optionalNumber(0).map { Int($0) } }.first ?? nil
    }
}

extension SQLStatement {
    fileprivate static func nextClickDay(after day: Int?) -> SQLStatement {
        SQLStatement("SELECT min(day) FROM click_block WHERE day > $1", .number(day ?? .min))
    }
}
