/// Columns of a table that has the same ones in each store.
package struct TableColumns: Sendable {
    package enum Kind: Sendable { case number, text, bytes }

    package var table: String
    package var columns: [(name: String, kind: Kind)]

    package init(_ table: String, _ columns: [(name: String, kind: Kind)]) {
        self.table = table
        self.columns = columns
    }

    package var names: String { columns.map(\.name).joined(separator: ", ") }
}

/// A row as it is stored.
package struct TableRow: Sendable {
    package enum Value: Sendable, Equatable {
        case null
        case number(Int64)
        case text(String)
        case bytes([UInt8])
    }

    package var values: [Value]

    package init(_ values: [Value]) { self.values = values }

    /// Zero for another kind of value.
    package func number(_ column: Int) -> Int64 {
        if case .number(let number) = values[column] { number } else { 0 }
    }

    package func text(_ column: Int) -> String {
        if case .text(let text) = values[column] { text } else { "" }
    }

    package func bytes(_ column: Int) -> [UInt8] {
        if case .bytes(let bytes) = values[column] { bytes } else { [] }
    }

    package func isNull(_ column: Int) -> Bool { values[column] == .null }
}
