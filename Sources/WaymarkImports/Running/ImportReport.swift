/// Writes comma-separated values as RFC 4180 has them.
package enum CSVText {
    package static func line(_ cells: [String]) -> [UInt8] {
        var bytes: [UInt8] = []
        append(cells, to: &bytes)
        return bytes
    }

    package static func append(_ cells: [String], to bytes: inout [UInt8]) {
        append(cells.map { Array($0.utf8) }, to: &bytes)
    }

    /// Cells that may not be UTF-8.
    package static func append(_ cells: [[UInt8]], to bytes: inout [UInt8]) {
        for (index, cell) in cells.enumerated() {
            if index > 0 { bytes.append(UInt8(ascii: ",")) }
            append(cell, to: &bytes)
        }
        bytes.append(UInt8(ascii: "\n"))
    }

    private static func append(_ cell: [UInt8], to bytes: inout [UInt8]) {
        let special: (UInt8) -> Bool = { $0 == 0x22 || $0 == 0x2C || $0 == 0x0A || $0 == 0x0D }
        guard cell.contains(where: special) else {
            bytes += cell
            return
        }
        bytes.append(0x22)
        for byte in cell {
            if byte == 0x22 { bytes.append(0x22) }
            bytes.append(byte)
        }
        bytes.append(0x22)
    }
}

/// The report: a header, a line for each row, and notes.
package enum ImportReport {
    package static let header = "row,outcome,slug,smartlink,reason\n"

    /// The lines behind the last row: what was not taken over.
    package static func append(notes: [String], to bytes: inout [UInt8]) {
        for note in notes { CSVText.append(["", "note", "", "", SpreadsheetText.guarded(note)], to: &bytes) }
    }

    package static func append(_ results: [ImportResult], to bytes: inout [UInt8]) {
        for result in results {
            CSVText.append(
                [
                    String(result.row), result.outcome.rawValue, SpreadsheetText.guarded(result.slug),
                    SpreadsheetText.guarded(result.smartlink), SpreadsheetText.guarded(result.reason),
                ], to: &bytes)
        }
    }
}
