import Testing
import WaymarkAPI
import WaymarkImports
import WaymarkJSON
import WaymarkLinks
import WaymarkStores
import WaymarkTestSupport

@Suite struct ExportTests {
    private static let link = """
        {"smartlink": "https://go.example.com/a", "domain": "go.example.com", "slug": "a", "app": "shop", "route": null,
         "urls": {"web": {"link": "https://shop.example.com/?q=1,2", "fallback": null}, "ios": "shop://a"},
         "queryParameters": {"a=b": "'x"}, "tags": ["a,b", "[c]"], "title": "=1+1", "note": "'-x\\n\\"quoted\\"",
         "createdAt": "2021-03-04T05:06:07Z", "clicks": 2, "importedClicks": 3, "hasMetadata": false, "redeemLimit": 4,
         "disabled": true, "forwardQuery": false, "ownSettings": ["forwardQuery"], "campaign": {"source": "@news"}, "version": 7,
         "rules": [{"when": {"country": ["DE"]}, "to": "https://shop.example.com/de"}]}
        """

    private func read(_ bytes: [UInt8], _ service: ForeignService) async throws -> [SourceRow] {
        try await service.links(in: [file(String(decoding: bytes, as: UTF8.self))]).all()
    }

    @Test(arguments: [(ExportFormat.csv, ForeignService.waymark), (.csv, .csv), (.jsonl, .waymark)])
    func anExportedLinkIsReadAsItWas(format: ExportFormat, service: ForeignService) async throws {
        let value = try JSONValue(parsing: Array(Self.link.utf8))
        let line = try #require(format.line(value))
        let text = (format.header.map { $0 + [0x0A] } ?? []) + line + [0x0A]
        let rows = try await read(text, service)
        let link = try #require(rows.first?.link)
        #expect(rows.count == 1 && link.refusal == nil)
        #expect(link.address.slug == "a" && link.importedClicks == 5)
        #expect(link.draft.title == "=1+1" && link.draft.note == "'-x\n\"quoted\"")
        #expect(link.draft.tags == ["a,b", "[c]"] && link.draft.queryParameters == ["a=b": "'x"])
        #expect(link.draft.urls["web"]?.link == "https://shop.example.com/?q=1,2")
        #expect(link.draft.urls["ios"]?.link == "shop://a")
        #expect(link.draft.campaign?.source == "@news" && link.draft.redeemLimit == 4)
        #expect(link.draft.disabled == true && link.draft.forwardQuery == false)
        #expect(link.draft.rules.first?.when.country == ["DE"])
        #expect(link.draft.rules.first?.to == .url("https://shop.example.com/de"))
    }

    @Test(arguments: [(ExportFormat.csv, ForeignService.waymark), (.csv, .csv), (.jsonl, .waymark)])
    func exportsHoldEveryMember(format: ExportFormat, service: ForeignService) async throws {
        var request = LinkRequest()
        for isFirst in [true, false] {
            var link = JSONObject()
            for (name, sample) in linkMemberSamples where !["metadata", "password"].contains(name) {
                link[name] = try JSONValue(parsing: isFirst ? sample.first : sample.second)
            }
            for label in LinkLabel.all { link[label.text] = JSONValue("=\(label.text), \"\(isFirst)\"") }
            request = try LinkRequest(json: JSONValue(link).bytes())
            for member in LinkRequest.members.members
            where !member.traits.contains(.isFixed) && !["metadata", "password"].contains(member.name) {
                #expect(member.differs(request, LinkRequest()), "linkMemberSamples has no \(member.name)")
            }
            let own =
                #"{"domain": "go.example.com", "slug": "a", "ownSettings": ["forwardQuery", "queryOverride"], "version": 1}"#
            for member in try #require(try JSONValue(parsing: own).object).members { link[member.name] = member.value }
            let line = try #require(format.line(JSONValue(link)))
            let rows = try await read((format.header.map { $0 + [0x0A] } ?? []) + line + [0x0A], service)
            let draft = try #require(rows.first?.link.draft)
            // An export leaves out what is the same as nothing.
            if request.disabled == false { request.disabled = nil }
            for member in LinkRequest.members.members { #expect(!member.differs(draft, request), "\(member.name)") }
            #expect(rows.first?.link.refusal == nil)
        }
    }

    /// JSON Lines that people write take what a table takes.
    @Test func linesTakeWhatColumnsTake() async throws {
        let line = """
            {"slug": "a", "urls": {"web": "https://a.example/"}, "expiresAt": "2026-12-24 18:00", "maxClicks": "5",
             "disabled": 1, "redirectStatus": 303, "title": "one\\ntwo", "tags": ["", " a "], "campaign.source": "x"}
            """.replacing("\n", with: " ")
        let link = try #require(try await read(Array(line.utf8), .waymark).first?.link)
        #expect(link.refusal == nil)
        #expect(link.draft.expiresAt == "2026-12-24T18:00:00Z" && link.draft.maxClicks == 5)
        #expect(link.draft.disabled == true && link.draft.tags == ["a"])
        #expect(link.draft.redirectStatus == nil && link.draft.title == "one two")
        let odd = #"{"slug": "a", "urls": {"web": 5}, "route": []}"#
        let refusal = try await read(Array(odd.utf8), .waymark).first?.link.refusal
        #expect(refusal?.contains("urls.web must be") == true, "\(refusal ?? "")")
    }

    @Test(arguments: [
        "=1+1", "+1", "-1", "@a", "'=1", "''=1", "'1", "'a", "a", "\\N", "'\\N", "=\"x\"", "'", "a\"b,c\nd", "\t1",
        "\r=1",
    ])
    func noCellIsAFormulaAndEachIsReadExactly(text: String) async throws {
        let cell = SpreadsheetText.guarded(text)
        #expect(cell.unicodeScalars.first.map { !"=+-@\t\r".unicodeScalars.contains($0) } == true)
        var bytes = Array("slug,urls.web,note\n".utf8)
        CSVText.append(["a", "https://a.example/", cell], to: &bytes)
        #expect(try await read(bytes, .csv).first?.link.draft.note == text)
    }

    @Test func shlinkGetsItsColumnsAndOnlyWebURLs() throws {
        let value = try JSONValue(parsing: Array(Self.link.utf8))
        let line = ExportFormat.shlink.line(value).map { String(decoding: $0, as: UTF8.self) }
        #expect(
            line == "a,https://go.example.com/a,\"https://shop.example.com/?q=1,2\",go.example.com,'=1+1,a b|[c]")
        let app = try JSONValue(parsing: Array(#"{"slug": "b", "urls": {"ios": "shop://b"}}"#.utf8))
        #expect(ExportFormat.shlink.line(app) == nil)
    }

    private static func answer(_ members: String) -> String {
        #"""
        {"smartlink": "https://go.example.com/a", "domain": "go.example.com", "slug": "a", "app": "shop", "version": 1,
         "urls": {"web": "https://a.example/"}, "forwardQuery": true, "redeemLimit": 0\#(members)}
        """#
    }

    /// What a link has of its application stays so.
    @Test(
        arguments: [
            ("", nil, nil), (#", "queryOverride": true"#, nil, nil),
            (#", "ownSettings": ["forwardQuery"]"#, true, nil),
            (#", "queryOverride": true, "ownSettings": ["queryOverride"]"#, nil, true),
            (#", "ownSettings": ["queryOverride"]"#, nil, false),
        ] as [(String, Bool?, Bool?)])
    func settingsOfTheApplicationAreNotExported(members: String, forwards: Bool?, overrides: Bool?) async throws {
        let bytes = Array(Self.answer(members).utf8)
        let value = try JSONValue(parsing: bytes)
        for format in [ExportFormat.csv, .jsonl] {
            let text = (format.header.map { $0 + [0x0A] } ?? []) + (try #require(format.line(value))) + [0x0A]
            let link = try #require(try await read(text, .waymark).first).link
            #expect(link.draft.forwardQuery == forwards && link.draft.queryOverride == overrides, "\(format)")
        }
        let answered = ForeignLink.waymark(value, ForeignTime()).draft
        #expect(answered.forwardQuery == forwards && answered.queryOverride == overrides)
    }

    /// Nothing says whether a setting is the link's own: it is kept where the application has another.
    @Test(
        arguments: [
            (true, nil, true, nil), (true, nil, false, true), (false, nil, true, false), (false, nil, false, nil),
            (false, [], true, nil), (false, ["forwardQuery"], false, false), (false, ["queryOverride"], true, nil),
        ] as [(Bool, [JSONValue]?, Bool, Bool?)])
    func answersWithoutOwnSettingsKeepWhatHeld(
        forwards: Bool, names: [JSONValue]?, forwardsHere: Bool, own: Bool?
    ) throws {
        let application = Application(
            id: ApplicationID("shop")!, name: "Shop", domains: [Shop.host], forwardQuery: forwardsHere)
        var answer = try #require(try JSONValue(parsing: Array(Self.answer("").utf8)).object)
        answer["forwardQuery"] = JSONValue(forwards)
        answer["ownSettings"] = names.map { JSONValue($0) }
        let imported = try ImportedLink(ForeignLink.waymark(JSONValue(answer), ForeignTime()), into: application)
        #expect(imported.link.content.forwardQuery == own)
        let isNoted = own != nil && names == nil
        #expect(imported.notes.contains { $0.contains("forwardQuery") } == isNoted, "\(imported.notes)")
        let expected = "https://a.example/" + (own ?? forwardsHere ? "?x=1" : "")
        #expect(imported.answer(Visitor(platform: .windows, query: "x=1")) == expected)
    }

    /// The link is in the store with all that an export lacks: metadata, and aliases.
    @Test(arguments: [ExportFormat.csv, .jsonl])
    func anExportIsTheSameInItsOwnDatabase(format: ExportFormat) async throws {
        let target = try await MemoryTarget(Shop.application())
        var content = LinkContent()
        content.urls[.web] = URLEntry(link: try #require(URLPattern("https://a.example/")), fallback: nil)
        content.redirectStatus = 301
        content.onExpired = WebURL("https://late.example/")
        let first = try #require(Slug("a"))
        _ = try await target.create([
            NewLink(
                application: ApplicationID("shop")!, domain: Shop.host, slug: Slug("spring/old"), content: content,
                metadata: Array("{}".utf8), createdAt: Timestamp(seconds: 1_700_000_000))
        ])
        let link = try #require(try await target.find(Shop.host, Slug("spring/old")!))
        _ = try await target.store.rename(link.id, expecting: nil, to: first, by: nil, at: target.now)
        let members =
            #", "aliases": ["spring/old"], "hasMetadata": true, "redirectStatus": 301, "onExpired": "https://late.example/""#
        let value = try JSONValue(parsing: Array(Self.answer(members).utf8))
        let text = (format.header.map { $0 + [0x0A] } ?? []) + (try #require(format.line(value))) + [0x0A]
        let source = try await ForeignService.waymark.links(in: [file(String(decoding: text, as: UTF8.self))])
        let results = try await LinkImport(into: target, Shop.preparation(), isDryRun: false).results(source)
        #expect(results.map(\.outcome) == [.same], "\(results)")
        #expect(source.notes.isEmpty)
    }
}
