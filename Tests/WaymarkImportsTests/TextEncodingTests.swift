import Testing
import WaymarkAPI
import WaymarkImports
import WaymarkLinks

/// Texts of any encoding are read right, or refused; none is changed in silence.
@Suite struct TextEncodingTests {
    struct Sample: Sendable, CustomTestStringConvertible {
        var testDescription: String
        var service = ForeignService.csv
        let bytes: [UInt8]
        var canReopen = true
        /// Of each row the title; nil: it is refused.
        let titles: [String?]
        var isNoted = false
    }

    /// A CSV file whose titles are these bytes.
    private static func csv(_ titles: [UInt8]...) -> [UInt8] {
        Array("slug,urls.web,title\n".utf8)
            + titles.enumerated().flatMap { Array("s\($0),https://a.example/,".utf8) + $1 + [0x0A] }
    }

    private static func dump(_ head: String, _ title: [UInt8]) -> [UInt8] {
        Array((head + "\nINSERT INTO yourls_url (keyword, url, title) VALUES ('a', 'https://a.example/', '").utf8)
            + title + Array("');\n".utf8)
    }

    private static func utf16(_ text: String, mark: Bool = false, isLittle: Bool = true) -> [UInt8] {
        let units: [UInt16] = (mark ? [0xFEFF] : []) + Array(text.utf16)
        return units.flatMap { unit -> [UInt8] in
            let halves = [UInt8(unit & 0xFF), UInt8(unit >> 8)]
            return isLittle ? halves : halves.reversed()
        }
    }

    private static let kaese: [UInt8] = [0x4B, 0xE4, 0x73, 0x65, 0x80]
    private static let utf8 = Array("Käse".utf8)
    private static let text = "slug,urls.web,title\na,https://a.example/,Käse 🧀\n"

    static let samples: [Sample] = [
        Sample(
            testDescription: "Windows-1252", bytes: csv([0x41], kaese, [0xFC]), titles: ["A", "Käse€", "ü"],
            isNoted: true),
        Sample(testDescription: "on standard input", bytes: csv([0x41], kaese), canReopen: false, titles: ["A", nil]),
        Sample(testDescription: "UTF-8 behind", bytes: csv(kaese, utf8), titles: [nil, "Käse"]),
        Sample(testDescription: "UTF-8 ahead", bytes: csv(utf8, kaese, [0x41]), titles: ["Käse", nil, "A"]),
        Sample(
            testDescription: "a byte of no letter", bytes: csv(kaese, [0x81]), titles: ["Käse€", nil], isNoted: true),
        Sample(
            testDescription: "UTF-8 by its mark", bytes: [0xEF, 0xBB, 0xBF] + csv(kaese, utf8), titles: [nil, "Käse"]),
        Sample(testDescription: "UTF-16 with a mark", bytes: utf16(text, mark: true), titles: ["Käse 🧀"]),
        Sample(testDescription: "UTF-16 without", bytes: utf16(text), titles: ["Käse 🧀"]),
        Sample(testDescription: "UTF-16 of the other order", bytes: utf16(text, isLittle: false), titles: ["Käse 🧀"]),
        Sample(
            testDescription: "half a letter of UTF-16",
            bytes: utf16("slug,urls.web,title\na,https://a.example/,x") + [0x00, 0xD8]
                + utf16("\nb,https://a.example/,y\n"),
            titles: [nil, "y"]),
        Sample(testDescription: "UTF-16 cut", bytes: utf16(text.dropLast() + "x") + [0x78], titles: [nil]),
        Sample(
            testDescription: "MySQL's latin1", service: .yourls, bytes: dump("/*!40101 SET NAMES latin1 */;", kaese),
            canReopen: false, titles: ["Käse€"]),
        Sample(
            testDescription: "MySQL's utf8mb4", service: .yourls, bytes: dump("/*!40101 SET NAMES utf8mb4 */;", kaese),
            titles: [nil]),
        Sample(
            testDescription: "PostgreSQL's LATIN1", service: .yourls,
            bytes: dump("-- PostgreSQL database dump\nSET client_encoding = 'LATIN1';", [0xE4]), titles: ["ä"]),
        Sample(
            testDescription: "a dump that declares none", service: .yourls, bytes: dump("-- MySQL dump", kaese),
            titles: ["Käse€"], isNoted: true),
        Sample(
            testDescription: "JSON", service: .waymark,
            bytes: Array(#"{"slug": "a", "title": ""#.utf8) + [0xE4] + Array("\"}\n".utf8), titles: [nil]),
    ]

    @Test(arguments: samples, [1, 3, 10_000]) func textsAreReadRightOrRefused(sample: Sample, size: Int) async throws {
        let open = { pieces(sample.bytes, of: size) }
        let source = try await sample.service.links(in: [
            ForeignFile(name: "links", reopen: sample.canReopen ? open : nil, open: open)
        ])
        let rows = try await source.all()
        #expect(rows.map { $0.link.refusal == nil ? $0.link.draft.title : nil } == sample.titles)
        #expect(source.notes.contains { $0.hasPrefix("links: the file was read as Windows-1252") } == sample.isNoted)
    }

    @Test(arguments: ["/*!40101 SET NAMES gbk */;", "-- PostgreSQL database dump\nSET client_encoding = 'EUC_JP';"])
    func `a dump in another declared encoding is refused`(head: String) async throws {
        let bytes = Self.dump(head, [])
        let source = try await ForeignService.yourls.links(in: [ForeignFile(name: "y.sql") { pieces(bytes) }])
        let error = await #expect(throws: SourceError.self) { try await source.next() }
        #expect(error?.description.contains("is not read; make the dump in UTF-8") == true)
    }

    @Test func unusedColumnsMayHaveAnyBytes() async throws {
        let bytes = Array("slug,urls.web,Bild\ná,https://a.example/,".utf8) + [0xFF, 0x0A]
        let rows = try await ForeignService.csv.links(in: [ForeignFile(name: "l") { pieces(bytes) }]).all()
        #expect(rows.map(\.link.refusal) == [nil])
    }
}
