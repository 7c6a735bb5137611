import Testing
import WaymarkJSON
import WaymarkLinks

@testable import WaymarkImports

@Suite struct LinkExportTests {
    private static func link(_ text: String) throws -> JSONValue { try JSONValue(parsing: Array(text.utf8)) }

    private static let links = [
        #"{"smartlink":"https://go.example.com/a","domain":"go.example.com","slug":"a","title":"=1+1, \"x\"","tags":["x","y"],"createdAt":"2021-03-04T00:00:00Z","clicks":2,"importedClicks":3,"redeemLimit":1,"disabled":false,"metadata":{"secret":1},"urls":{"web":"https://shop.example.com/a","ios":{"link":"shop://a","fallback":"store"}}}"#,
        #"{"smartlink":"https://go.example.com/b","domain":"go.example.com","slug":"b","route":"products/:product_id","routeParameters":{"product_id":"42"},"queryParameters":{"ref":"ana"},"tags":[],"clicks":0,"redeemLimit":0,"disabled":true}"#,
    ]

    private static func exported(_ format: LinkExportFormat) throws -> (text: String, omitted: Int) {
        var export = LinkExport(format)
        let links = try links.map(link)
        if export.needsColumns { for link in links { try export.learn(link) } }
        var bytes = export.header()
        for link in links { export.append(link, to: &bytes) }
        return (String(decoding: bytes, as: UTF8.self), export.omitted)
    }

    private static func imported(_ text: String, _ service: ForeignService) async throws -> [ForeignLink] {
        var pieces = [Array(text.utf8)]
        let file = ForeignFile(name: "links") { { pieces.isEmpty ? [] : pieces.removeFirst() } }
        let source = try service.links(in: [file])
        return try await source.next().map(\.link)
    }

    @Test(arguments: [LinkExportFormat.csv, .jsonl])
    func comesBackAsItWas(format: LinkExportFormat) async throws {
        let text = try Self.exported(format).text
        let links = try await Self.imported(text, .waymark)
        #expect(links.count == 2)
        let (first, second) = (links[0], links[1])
        #expect(first.address == ForeignLink.Address(domain: "go.example.com", slug: "a"))
        #expect(first.draft.title == "=1+1, \"x\"")
        #expect(first.draft.tags == ["x", "y"] && first.importedClicks == 5 && first.draft.redeemLimit == 1)
        #expect(first.draft.urls["ios"] == URLEntryDraft(link: "shop://a", fallback: "store"))
        #expect(first.draft.urls["web"] == URLEntryDraft(link: "https://shop.example.com/a"))
        #expect(first.createdAt?.rfc3339 == "2021-03-04T00:00:00Z")
        #expect(second.draft.route == "products/:product_id" && second.draft.disabled == true)
        #expect(second.draft.routeParameters == ["product_id": "42"] && second.draft.queryParameters == ["ref": "ana"])
        #expect(second.importedClicks == nil)
    }

    @Test(arguments: LinkExportFormat.allCases)
    func keepsMetadataToItself(format: LinkExportFormat) throws {
        #expect(try !Self.exported(format).text.contains("secret"))
    }

    @Test func writesWhatShlinkImports() async throws {
        let (text, omitted) = try Self.exported(.shlink)
        let lines = [
            "Long URL,Tags,Domain,Short code,Title", #"https://shop.example.com/a,x|y,go.example.com,a,"=1+1, ""x""""#,
        ]
        #expect(text == lines.map { $0 + "\n" }.joined())
        #expect(omitted == 1)
        #expect(try await Self.imported(text, .shlink)[0].draft.urls["web"]?.link == "https://shop.example.com/a")
    }

    @Test(arguments: [("=1", "'=1"), ("@a", "'@a"), ("'a", "''a"), ("a=1", "a=1"), ("", ""), ("-", "'-")])
    func noCellIsAFormula(text: String, cell: String) {
        #expect(CSVText.safe(text) == cell)
        #expect(CSVText.original(cell) == text)
    }

    @Test func refusesMoreColumnsThanASpreadsheetHas() throws {
        var export = LinkExport(.csv)
        #expect(throws: SourceError.self) {
            for number in 0...LinkExport.columnLimit {
                try export.learn(Self.link(#"{"queryParameters":{"q\#(number)":"1"}}"#))
            }
        }
    }
}
