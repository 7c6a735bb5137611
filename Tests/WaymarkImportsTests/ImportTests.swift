import Testing
import WaymarkAPI
import WaymarkImports
import WaymarkJSON
import WaymarkLinks

@Suite struct ImportTests {
    private let application = Shop.application()

    private static let takeout =
        "short_link,link,apn,afl,amv,ibi,ifl,ius,ipfl,ipbi,isi,imv,efr,ofl,st,sd,si,utm_source,utm_medium,utm_campaign,"
        + "utm_term,utm_content,at,ct,mt,pt,archived,name,creation_timestamp\n"
        + "https://go.example.com/AbCd,https://shop.example.com/p/1,com.example.shop,,12,com.example.shop,,,,,,,,,Sale,,,"
        + "news,,,,,,,,,true,Spring,2021-03-04T05:06:07Z\n"
        + "https://go.example.com/links/aBcD,https://shop.example.com/p/:2,,,,,,,,,,,,,,,,,,,,,,,,,false,,unknown\n"
        + "https://go.example.com/a b,https://shop.example.com/,,,,,,,,,,,,,,,,,,,,,,,,,false,,\n"

    private func importing(
        _ text: String, _ service: ForeignService, into target: MemoryTarget, map: [String] = [], dryRun: Bool = false
    ) async throws -> [ImportResult] {
        let source = try await service.links(in: [file(text)], map: ColumnMap(map))
        return try await LinkImport(into: target, Shop.preparation(application), isDryRun: dryRun).results(source)
    }

    @Test func takeoutKeepsWhatItSaysAboutALink() async throws {
        let target = try await MemoryTarget(application)
        let results = try await importing(Self.takeout, .fdl, into: target)
        #expect(results.map(\.outcome) == [.created, .created, .refused])
        #expect(results[0].smartlink == "https://go.example.com/AbCd")
        let link = try #require(try await target.find(Shop.host, Slug("AbCd")!))
        #expect(link.content.tags == ["archived"] && link.content.title == "Spring")
        #expect(link.content.campaign?.source == "news" && link.content.social?.title == "Sale")
        #expect(link.content.urls[.android]?.link.text == "https://shop.example.com/p/1")
        #expect(link.content.minimumVersions?.android?.text == "12")
        #expect(link.createdAt.rfc3339 == "2021-03-04T05:06:07Z")
        #expect(try await target.find(Shop.host, Slug("links/aBcD")!) != nil)
    }

    @Test func theSameImportAgainChangesNothing() async throws {
        let target = try await MemoryTarget(application)
        _ = try await importing(Self.takeout, .fdl, into: target)
        let again = try await importing(Self.takeout, .fdl, into: target)
        #expect(again.map(\.outcome) == [.same, .same, .refused])
    }

    @Test func aDryRunSaysTheSameAndChangesNothing() async throws {
        let target = try await MemoryTarget(application)
        let dry = try await importing(Self.takeout, .fdl, into: target, dryRun: true)
        #expect(dry.map(\.outcome) == [.created, .created, .refused])
        #expect(try await target.find(Shop.host, Slug("AbCd")!) == nil)
    }

    @Test func aSlugOfAnotherLinkClashes() async throws {
        let target = try await MemoryTarget(application)
        let text = "slug,urls.web\nx,https://a.example/\nx,https://b.example/\nx,https://a.example/\n"
        for dryRun in [true, false] {
            let results = try await importing(text, .csv, into: target, dryRun: dryRun)
            #expect(results.map(\.outcome) == [.created, .clash, .same])
        }
    }

    @Test func columnsAreMappedByHeadingAndNumber() async throws {
        let target = try await MemoryTarget(application)
        let results = try await importing(
            "Code;Target;Hits\nX1;https://a.example/;7\n", .csv, into: target,
            map: ["Code=slug", "Target=urls.web", "3=importedClicks"])
        #expect(results.map(\.outcome) == [.created])
        let link = try #require(try await target.find(Shop.host, Slug("X1")!))
        #expect(link.content.importedClicks == 7 && link.clicks == 0)
    }

    @Test(
        arguments: [
            ("campaigns/spring", "campaigns/spring", false), ("/Marketing/", "Marketing", false),
            (" a / b//c ", "a/b/c", false),
            ("a/../b", "a/b", false), ("//", nil, true),
            (String(repeating: "abcd/", count: 50), String(repeating: "abcd/", count: 9) + "abcd", true),
            (
                String(repeating: "a", count: 150) + "/" + String(repeating: "b", count: 60),
                String(repeating: "a", count: 150), true
            ),
        ] as [(String, String?, Bool)])
    func `a folder is corrected to what a link may have`(text: String, folder: String?, isNoted: Bool) async throws {
        let target = try await MemoryTarget(application)
        let results = try await importing("slug,urls.web,folder\nsale,https://a.example/,\(text)\n", .csv, into: target)
        #expect(results.map(\.outcome) == [.created])
        #expect(results[0].reason.contains("folder") == isNoted)
        #expect(try await target.find(Shop.host, Slug("sale")!)?.content.labels[.folder] == folder)
    }

    /// The application serves Firebase, so its calls have `v1`.
    @Test func anAliasThatNoLinkCanHaveRefusesTheRow() async throws {
        let served = Shop.application(firebase: FirebaseSettings(isEnabled: true))
        let target = try await MemoryTarget(served)
        let source = try await ForeignService.csv.links(
            in: [file("slug,aliases,urls.web\nsale,x|v1,https://a.example/\n")])
        let results = try await LinkImport(into: target, Shop.preparation(served), isDryRun: false).results(source)
        #expect(results.map(\.outcome) == [.refused])
        #expect(try await target.find(Shop.host, Slug("x")!) == nil)
    }

    @Test func aDryRunTakesNoSlugOfARowThatClashes() async throws {
        for isDryRun in [true, false] {
            let target = try await MemoryTarget(application)
            _ = try await importing("slug,urls.web\nx,https://other.example/\n", .csv, into: target)
            let source = try await ForeignService.csv.links(
                in: [file("slug,aliases,urls.web\na,x,https://a.example/\na,,https://b.example/\n")])
            let results = try await LinkImport(into: target, Shop.preparation(), isDryRun: isDryRun).results(source)
            #expect(results.map(\.outcome) == [.clash, .created])
        }
    }

    @Test(arguments: ["slug,urls.web\n", ""]) func aFileWithoutRowsAmongOthersIsAnError(_ empty: String) async throws {
        let source = try await ForeignService.csv.links(
            in: [file("slug,urls.web\na,https://a.example/\n"), file(empty)])
        await #expect(throws: SourceError.self) { _ = try await source.all() }
    }

    @Test func `further slugs are created all or not at all`() async throws {
        let target = try await MemoryTarget(application)
        let taken = "slug,urls.web\nb,https://other.example/\n"
        _ = try await importing(taken, .csv, into: target)
        let text = "slug,aliases,urls.web\na,b,https://a.example/\nc,d|e,https://c.example/\n"
        let results = try await importing(text, .csv, into: target)
        #expect(results.map(\.outcome) == [.clash, .created])
        #expect(try await target.find(Shop.host, Slug("a")!) == nil)
        #expect(try await target.find(Shop.host, Slug("e")!) != nil)
    }

    @Test(
        arguments: [
            ("2020-10-26T17:20:40+0000", "2020-10-26T17:20:40Z"), ("2020-10-26 17:20:40", "2020-10-26T17:20:40Z"),
            ("2020-10-26", "2020-10-26T00:00:00Z"), ("1603732840", "2020-10-26T17:20:40Z"),
            ("1603732840000", "2020-10-26T17:20:40Z"), ("1603732840000000", "2020-10-26T17:20:40Z"),
            ("2020-10-26 19:20:40 +0200", "2020-10-26T17:20:40Z"), ("yesterday", nil), ("", nil),
            ("2020-10-26T17:20Z", "2020-10-26T17:20:00Z"), ("2020-10-26 17:20", "2020-10-26T17:20:00Z"),
            ("2020-10-26 17:20:4", "2020-10-26T17:20:04Z"), ("2020-10-26 17:20 UTC", "2020-10-26T17:20:00Z"),
            ("2020-10-26 17:20:40 GMT", "2020-10-26T17:20:40Z"), ("2020-1-1 10:00:00", "2020-01-01T10:00:00Z"),
            ("2020-1-1", "2020-01-01T00:00:00Z"), ("2020-10-26T19:20+02:00", "2020-10-26T17:20:00Z"),
            ("2020-10-26T19:20:40.5+02", "2020-10-26T17:20:40.500Z"), ("1603732840.25", "2020-10-26T17:20:40Z"),
            ("2020-10-26T17", nil), ("2020-10-26T17:2", nil), ("2020-13-26", nil), ("2020-10-26T17:20:40:", nil),
            ("2020-10-26T17:20:40 UTCX", nil), ("2020-10-26T17:20:40.", nil), ("2020-10-26T17:20+", nil),
            ("2020-", nil), ("----------------", nil), ("99999999999999999999", nil), ("2020-10-26T17:20+99:99", nil),
        ])
    func timesAreReadAsServicesWriteThem(text: String, expected: String?) {
        #expect(ForeignTime().timestamp(text)?.rfc3339 == expected)
    }

    /// Any text of a length at which a reader may look for something.
    @Test(arguments: 0...66) func aTimeMayEndAnywhere(length: Int) {
        let text = "2020-10-26T17:20:40.123456789012345678901234567890123456789012+02:00"
        for mark in ["-", "+", " ", "Z", "5"] {
            _ = ForeignTime().timestamp(String(text.prefix(length)))
            _ = ForeignTime().timestamp(String(text.prefix(length)) + mark)
            _ = ForeignTime().timestamp(String(repeating: mark, count: length))
        }
    }

    @Test(
        arguments: [
            (Int.max, 1, "together more than can be counted"), (1, 2, nil), (Int.min, -1, "together more than"),
        ])
    func clicksThatDoNotFitAreRefused(clicks: Int, imported: Int, reason: String?) {
        let link = ForeignLink.waymark(
            [
                "slug": "a", "urls": ["web": "https://a.example/"], "clicks": JSONValue(clicks),
                "importedClicks": JSONValue(imported),
            ], ForeignTime())
        #expect(link.refusal?.contains(reason ?? "-") ?? (reason == nil))
    }

    @Test(arguments: [(1, Int.min, 1), (Int.min, Int.max, nil), (Int.max, Int.min, Int.max), (5, 2, 3)])
    func visitsThatAreLeftAreCountedWithinBounds(most: Int, made: Int, left: Int?) {
        let link = ForeignLink.shlink(
            ["shortCode": "a", "meta": ["maxVisits": JSONValue(most)], "visitsSummary": ["total": JSONValue(made)]],
            ForeignTime())
        #expect(link.draft.maxClicks == left)
        #expect((link.draft.disabled == true) == (left == nil))
    }

    @Test func tooManyTagsAndAliasesAreRefused() async throws {
        let target = try await MemoryTarget(Shop.application())
        let many = (0..<90_000).map { "x\($0)" }.joined(separator: ",")
        let text =
            "slug,urls.web,tags,aliases\na,https://a.example/,\"\(many)\",\nb,https://b.example/,,\"\(many)\"\n"
            + "c,https://c.example/,\"[\"\"\(many.replacing(",", with: "\"\",\"\""))\"\"]\",\n"
        let results = try await importing(text, .csv, into: target)
        #expect(results.map(\.outcome) == [.refused, .refused, .refused])
        #expect(results[0].reason.contains("tags") && results[1].reason.contains("more than 20 further slugs"))
    }

    @Test func cellsOfTheReportAreNoFormulas() async throws {
        let target = try await MemoryTarget(application)
        let text = "slug,domain,urls.web\n=1+1,,https://a.example/\nb,@SUM(1),https://a.example/\n"
        var bytes: [UInt8] = []
        ImportReport.append(try await importing(text, .csv, into: target), to: &bytes)
        let lines = String(decoding: bytes, as: UTF8.self).split(separator: "\n")
        #expect(lines[0].hasPrefix("1,refused,'=1+1,"))
        #expect(!lines.joined(separator: ",").split(separator: ",").contains { "=+-@".contains($0.first ?? "=") })
    }

    @Test func aTransactionHasAThousandSlugsAtMost() async throws {
        let target = try await CountingTarget(Shop.application())
        let aliases = { (row: Int) in (0..<20).map { "a\(row)x\($0)" }.joined(separator: "|") }
        let lines = (0..<120).map { "s\($0),https://a.example/,\(aliases($0))" }
        let source = try await ForeignService.csv.links(in: [
            file("slug,urls.web,aliases\n" + lines.joined(separator: "\n"))
        ])
        let results = try await LinkImport(into: target, Shop.preparation(), isDryRun: false).results(source)
        #expect(results.map(\.outcome) == Array(repeating: .created, count: 120))
        #expect(target.sizes.withLock { $0 } == [987, 987, 546])
    }

    @Test func aRunThatIsStoppedEndsWithinARow() async throws {
        let target = try await MemoryTarget(Shop.application())
        let source = try await ForeignService.csv.links(in: [
            file("slug,urls.web\n" + (0..<900).map { "s\($0),https://a.example/" }.joined(separator: "\n"))
        ])
        var asked = 0
        let work = LinkImport(into: target, Shop.preparation(), isDryRun: false)
        let counts = try await work.run(
            from: source, report: { _ in },
            isStopped: {
                asked += 1
                return asked > 5
            })
        #expect(counts.rows == 0 && asked == 6)
        #expect(try await target.find(Shop.host, Slug("s0")!) == nil)
    }

    @Test func eachRowAwaitsItsTurn() async throws {
        let target = try await MemoryTarget(Shop.application())
        let source = try await ForeignService.csv.links(in: [
            file("slug,urls.web\n" + (0..<9).map { "s\($0),https://a.example/" }.joined(separator: "\n"))
        ])
        var turns = 0
        let work = LinkImport(into: target, Shop.preparation(), isDryRun: true)
        _ = try await work.run(from: source, report: { _ in }, turn: { turns += 1 })
        #expect(turns == 9)
    }

    @Test func aDumpOfYOURLSIsRead() async throws {
        let dump = """
            -- MySQL dump
            CREATE TABLE `yourls_url` (
              `keyword` varchar(100) NOT NULL,
              `url` text NOT NULL,
              `title` text,
              `timestamp` timestamp NOT NULL,
              `ip` varchar(41) NOT NULL,
              `clicks` int(10) unsigned NOT NULL,
              PRIMARY KEY (`keyword`)
            );
            INSERT INTO `yourls_url` VALUES ('ab','https://a.example/?x=1;','It\\'s; a',"2020-01-02 03:04:05",'1.2.3.4',12),
            ('cd','https://b.example/',NULL,'2020-01-02 03:04:05','',0);

            """
        let rows = try await ForeignService.yourls.links(in: [file(dump)]).all()
        #expect(rows.map(\.link.address.slug) == ["ab", "cd"])
        #expect(rows[0].link.draft.title == "It's; a" && rows[0].link.importedClicks == 12)
        #expect(rows[1].link.draft.urls["web"]?.link == "https://b.example/" && rows[1].link.draft.title == nil)
    }
}
