import Testing
import WaymarkImports

@Suite struct CSVReaderTests {
    private func cells(_ bytes: [UInt8], of size: Int) async throws -> [[String]] {
        let reader = CSVReader(pieces(bytes, of: size))
        var rows: [[String]] = []
        while let record = try await reader.next() { rows.append(record.cells) }
        return rows
    }

    @Test(
        arguments: [
            ("a,b\n1,2\n", [["a", "b"], ["1", "2"]]),
            ("a,b\r\n1,2", [["a", "b"], ["1", "2"]]),
            ("a,b\r1,2\r", [["a", "b"], ["1", "2"]]),
            ("a;b\n1,5;2\n", [["a", "b"], ["1,5", "2"]]),
            ("a\tb\n1\t\\N\n", [["a", "b"], ["1", ""]]),
            ("sep=;\na;b\n", [["a", "b"]]),
            ("a,b\n\"1\n,\"\"x\"\"\",2\n", [["a", "b"], ["1\n,\"x\"", "2"]]),
            ("a,b\n\"1\"x,2\n", [["a", "b"], ["1x", "2"]]),
            ("a,b\n=\"007\",'=1\n", [["a", "b"], ["007", "=1"]]),
            ("a,b\n\"=\"\"007\"\"\",'tis\n", [["a", "b"], ["007", "'tis"]]),
            ("a,b,,\n1,2,,\n\n  \n", [["a", "b", "", ""], ["1", "2", "", ""]]),
            ("\u{FEFF}a,b\n", [["a", "b"]]),
            ("a,b\n\"\",x", [["a", "b"], ["", "x"]]),
        ])
    func recordsAreReadWhateverTheSpreadsheet(text: String, expected: [[String]]) async throws {
        for size in [1, 2, 3, 1_000] {
            #expect(try await cells(Array(text.utf8), of: size) == expected, "pieces of \(size)")
        }
    }

    @Test(arguments: [true, false]) func utf16WithAMarkIsConverted(isBigEndian: Bool) async throws {
        let text = "\u{FEFF}name,ü\n😀,2\n"
        let bytes = text.utf16.flatMap { unit -> [UInt8] in
            let (high, low) = (UInt8(unit >> 8), UInt8(truncatingIfNeeded: unit))
            return isBigEndian ? [high, low] : [low, high]
        }
        for size in [1, 3, 5, 1_000] { #expect(try await cells(bytes, of: size) == [["name", "ü"], ["😀", "2"]]) }
    }

    @Test func aQuoteThatIsNotClosedIsAnError() async {
        await #expect(throws: SourceError.self) { try await cells(Array("a,b\n\"1,2\n".utf8), of: 4) }
    }
}
