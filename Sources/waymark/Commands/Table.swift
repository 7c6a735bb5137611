/// A table for people: columns as wide as their widest cell, two spaces apart.
struct Table {
    private let rows: [[String]]

    init(_ heading: [String], _ rows: [[String]]) {
        self.rows = [heading] + rows
    }

    var text: String {
        let widths = (0..<(rows.first?.count ?? 0)).map { column in
            rows.map { $0[column].count }.max() ?? 0
        }
        return rows.map { row in
            var line = ""
            for (column, cell) in row.enumerated() {
                let isLast = column == row.count - 1
                line += isLast ? cell : cell + String(repeating: " ", count: widths[column] - cell.count + 2)
            }
            return line
        }.joined(separator: "\n")
    }
}

extension Int {
    /// `1 link`, `2 links`.
    func counted(_ noun: String) -> String { self == 1 ? "1 \(noun)" : "\(self) \(noun)s" }
}
