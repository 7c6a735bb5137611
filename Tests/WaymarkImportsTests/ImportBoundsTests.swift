import Testing
import WaymarkImports
import WaymarkLinks

/// What files may hold at most, and how much of one is read at once.
@Suite struct ImportBoundsTests {
    /// Pieces without end, and how many were asked for.
    private final class Endless {
        private(set) var count = 0

        func file(_ head: String, _ piece: String) -> ForeignFile {
            ForeignFile(name: "links") { [self] in
                return {
                    self.count += 1
                    if self.count == 1 { return Array(head.utf8) }
                    guard self.count < 100 else { throw SourceError("it was read to its end") }
                    return Array(piece.utf8)
                }
            }
        }
    }

    @Test func rowsOfAStatementAreReadOneByOne() async throws {
        let endless = Endless()
        let row = "(1,'a','https://a.example/'),\n"
        let file = endless.file(
            "INSERT INTO links (id, short_url, long_url) VALUES ", String(repeating: row, count: 100))
        let source = try await ForeignService.polr.links(in: [file])
        let rows = try await source.next()
        #expect(rows.count == 1_000 && rows[999].link.address.slug == "a")
        #expect(endless.count == 11)
    }

    @Test func `tables that are not read take no memory`() async throws {
        let endless = Endless()
        let file = endless.file("INSERT INTO logs VALUES ('", String(repeating: "x", count: 1 << 16))
        let source = try await ForeignService.polr.links(in: [file])
        let error = await #expect(throws: SourceError.self) { try await source.next() }
        #expect(error?.description.contains("read to its end") == true)
    }

    @Test(
        arguments: [
            (ForeignService.csv, "slug,urls.web\na,\"", "longer than 1048576 bytes"),
            (.csv, "slug,\"", "longer than 1048576 bytes"),
            (.polr, "INSERT INTO links (short_url, long_url) VALUES ('a', '", "longer than 1048576 bytes"),
            (.polr, "INSERT INTO links (\"", "longer than 1048576 bytes"),
            (.waymark, "{\"slug\": \"a", "longer than 1048576 bytes"),
        ])
    func aRecordHasAMebibyteAtMost(service: ForeignService, head: String, reason: String) async throws {
        let endless = Endless()
        let source = try await service.links(in: [endless.file(head, String(repeating: "x", count: 1 << 16))])
        let error = await #expect(throws: SourceError.self) { try await source.next() }
        #expect(error?.description.contains(reason) == true, "\(error.map(\.description) ?? "")")
        #expect(endless.count <= 20)
    }

    @Test(
        arguments: [
            (ForeignService.csv, "urls.web\n", ",x"), (.csv, "urls.web", ",x"),
            (.polr, "INSERT INTO links (short_url, long_url) VALUES (1", ",1"),
            (.polr, "CREATE TABLE links (a int", ",a int"),
        ])
    func aRecordHasFourThousandCellsAtMost(service: ForeignService, head: String, cell: String) async throws {
        let endless = Endless()
        let source = try await service.links(in: [endless.file(head, String(repeating: cell, count: 1_000))])
        let error = await #expect(throws: SourceError.self) { try await source.next() }
        #expect(error?.description.contains("4096") == true, "\(error.map(\.description) ?? "")")
    }

    @Test(arguments: [
        "[{},{}", "{\"rules\": [{},{}", "{\"slug\": \"a\", \"urls\": {\"web\": \"https://a.example/\"}, \"x\": [1",
    ])
    func aLineHasTenThousandValuesAtMost(start: String) async throws {
        let many = start + String(repeating: ",{}", count: 20_000) + (start.first == "[" ? "]" : "]}")
        let rows = try await ForeignService.waymark.links(in: [file("{\"slug\": \"b\"}\n" + many + "\n")]).all()
        #expect(rows.map { $0.link.refusal?.contains("more than 10000 values") ?? false } == [false, true])
    }

    @Test func aColumnOfManyNamesIsReadOnce() async throws {
        let names = Array(repeating: "long_url", count: 2_000).joined(separator: " text, ")
        let dump =
            "CREATE TABLE links (short_url text, \(names) text);\n"
            + "INSERT INTO links (short_url, long_url) VALUES ('a', 'https://a.example/');\n"
        let reader = SQLDumpReader(table: "links", pieces(dump))
        #expect(try await reader.headings()?.count == 2_001)
        let record = try #require(try await reader.next())
        #expect(record.cells.filter { !$0.isEmpty } == ["a", "https://a.example/"])
    }

    @Test(
        arguments: [
            "INSERT INTO links (short_url, long_url) VALUES ('a', 'b'), ('c",
            "INSERT INTO links (short_url, long_url) VALUES ('a', 'b'), ('c', 'd'",
        ])
    func aDumpThatEndsWithinARowIsNotComplete(dump: String) async throws {
        let source = try await ForeignService.polr.links(in: [file(dump)])
        #expect(try await source.next().map(\.link.address.slug) == ["a"])
        let error = await #expect(throws: SourceError.self) { try await source.next() }
        #expect(error?.description.contains("not complete") == true)
    }

    @Test func valuesOfADumpMayBeWordsOfSQL() async throws {
        let dump =
            "insert ignore into `db`.`links` (`short_url`, `long_url`, clicks) values -- rows\n"
            + " (_binary 'a', CAST('https://a.example/' AS CHAR), -5) /* one */ ,\n"
            + "('b''c', \"https://b.example/\\\"\", NULL) ON DUPLICATE KEY UPDATE clicks = (1);"
            + "INSERT INTO links (long_url, short_url) VALUES (NULL, 'd');"
        let reader = SQLDumpReader(table: "links", pieces(dump, of: 1))
        #expect(try await reader.headings() == ["short_url", "long_url", "clicks"])
        var rows: [[String]] = []
        while let record = try await reader.next() { rows.append(record.cells) }
        #expect(
            rows == [["a", "https://a.example/", "-5"], ["b'c", "https://b.example/\"", ""], ["d", "", ""]])
    }
}
