package import WaymarkLinks

/// A row of a result. Columns are counted from 0; a damaged database causes errors, not traps.
package protocol SQLRow {
    /// Also a boolean, as 0 or 1.
    func optionalNumber(_ column: Int) throws(StoreError) -> Int64?
    /// ASCII.
    func optionalText(_ column: Int) throws(StoreError) -> String?
    /// As `SQLValue.unicode`.
    func optionalUnicode(_ column: Int) throws(StoreError) -> String?
    func optionalBytes(_ column: Int) throws(StoreError) -> [UInt8]?
}

extension SQLRow {
    package func number(_ column: Int) throws(StoreError) -> Int64 { try present(optionalNumber(column)) }
    package func text(_ column: Int) throws(StoreError) -> String { try present(optionalText(column)) }
    package func unicode(_ column: Int) throws(StoreError) -> String { try present(optionalUnicode(column)) }
    package func bytes(_ column: Int) throws(StoreError) -> [UInt8] { try present(optionalBytes(column)) }

    /// Not negative.
    package func count(_ column: Int) throws(StoreError) -> Int {
        try present(Int(exactly: number(column)).flatMap { $0 < 0 ? nil : $0 })
    }

    package func timestamp(_ column: Int) throws(StoreError) -> Timestamp { Timestamp(rawValue: try number(column)) }

    package func optionalTimestamp(_ column: Int) throws(StoreError) -> Timestamp? {
        try optionalNumber(column).map { Timestamp(rawValue: $0) }
    }

    package func platform(_ column: Int) throws(StoreError) -> Platform? {
        guard let name = try optionalText(column) else { return nil }
        return try present(Platform(rawValue: name))
    }

    /// A value that every undamaged row has.
    package func present<Value>(_ value: Value?) throws(StoreError) -> Value {
        guard let value else { throw .corrupt("a row of the database is damaged") }
        return value
    }
}
