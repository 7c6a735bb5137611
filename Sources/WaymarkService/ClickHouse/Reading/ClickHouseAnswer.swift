/// Rows in `TabSeparated`, read one after the other. What they hold is checked, because anything may answer in ClickHouse's place.
struct ClickHouseAnswer {
    /// More clicks than anyone has, and so few that no sum overflows.
    private static let mostClicks = 1 << 40

    private var rest: ArraySlice<UInt8>
    private var rows = 0
    private let rowLimit: Int

    init(_ bytes: [UInt8], rowLimit: Int) {
        rest = bytes[...]
        self.rowLimit = rowLimit
    }

    /// Nil after the last one.
    mutating func next(columns: Int) throws(ClickHouseFailure) -> Row? {
        guard !rest.isEmpty else { return nil }
        guard rows < rowLimit else { throw .answer("more than \(rowLimit) rows") }
        rows += 1
        guard let end = rest.firstIndex(of: UInt8(ascii: "\n")) else { throw .answer("a row without an end") }
        let fields = rest[..<end].split(separator: UInt8(ascii: "\t"), omittingEmptySubsequences: false)
        guard fields.count == columns else {
            throw .answer("a row of \(fields.count) columns; \(columns) were expected")
        }
        rest = rest[(end + 1)...]
        return Row(fields: fields)
    }

    struct Row {
        fileprivate let fields: [ArraySlice<UInt8>]

        func bytes(_ column: Int) -> [UInt8] { ClickHouseText.bytes(fields[column]) }

        func text(_ column: Int) -> String { ClickHouseText.value(fields[column]) }

        func number(_ column: Int) throws(ClickHouseFailure) -> Int64 {
            guard fields[column].count <= 20, let number = Int64(String(decoding: fields[column], as: UTF8.self)) else {
                throw .answer("a number was expected")
            }
            return number
        }

        /// A number of clicks, visitors or days, or a place.
        func count(_ column: Int, below bound: Int = mostClicks) throws(ClickHouseFailure) -> Int {
            let number = try number(column)
            guard number >= 0, number < Int64(bound) else { throw .answer("the number \(number) can't be right") }
            return Int(number)
        }
    }
}
