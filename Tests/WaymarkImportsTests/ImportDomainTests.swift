import Testing
import WaymarkImports
import WaymarkLinks

/// Which domain a link is imported to.
@Suite struct ImportDomainTests {
    private static let second = Shop.second

    struct Case: Sendable {
        var domains = [Shop.host]
        var domain: HostName?
        let address: String
        /// Nil: it is refused.
        let smartlink: String?
        let reason: String
    }

    private static let cases: [Case] = [
        Case(address: "https://go.example.com/sale", smartlink: "https://go.example.com/sale", reason: ""),
        Case(address: "https://bit.ly/sale", smartlink: nil, reason: "bit.ly is not one of the application's domains"),
        Case(
            domain: Shop.host, address: "https://bit.ly/sale", smartlink: "https://go.example.com/sale",
            reason: "its domain was bit.ly"),
        Case(
            domains: [Shop.host, second], domain: Shop.host, address: "https://s.example.com/sale",
            smartlink: "https://s.example.com/sale", reason: ""),
    ]

    @Test(arguments: cases) private func aLinkStaysOnItsDomain(one: Case) async throws {
        let found = try await Shop.results(
            "Link,Destination URL\n\(one.address),https://a.example/\n", domains: one.domains, domain: one.domain)
        #expect(found.map(\.outcome) == [one.smartlink == nil ? .refused : .created])
        if let smartlink = one.smartlink { #expect(found.map(\.smartlink) == [smartlink]) }
        #expect(found[0].reason.hasPrefix(one.reason) && found[0].reason.isEmpty == one.reason.isEmpty)
    }

    @Test func aForeignLinkTakesNoSlugOfAnOwnOne() async throws {
        let target = try await MemoryTarget(Shop.application())
        let text =
            "Link,Destination URL\nhttps://bit.ly/sale,https://a.example/\nhttps://go.example.com/sale,https://b.example/\n"
        #expect(try await Shop.results(text, into: target).map(\.outcome) == [.refused, .created])
        let link = try #require(try await target.find(Shop.host, Slug("sale")!))
        #expect(link.content.urls[.web]?.link.text == "https://b.example/")
    }

    @Test(arguments: [(nil as HostName?, ImportOutcome.refused), (Shop.host, .created)])
    func aLinkWithoutADomainNeedsOneOfSeveral(domain: HostName?, outcome: ImportOutcome) async throws {
        let found = try await Shop.results(
            "slug,urls.web\nsale,https://a.example/\n", .csv, domains: [Shop.host, Self.second], domain: domain)
        #expect(found.map(\.outcome) == [outcome])
    }

    @Test func addressesOnOwnDomainsAreTakenAndOthersNoted() async throws {
        let target = try await MemoryTarget(Shop.application())
        let text =
            "Link,Custom Bitlinks,Destination URL\n"
            + "bit.ly/3this,go.example.com/summer|bit.ly/summer-sale|go.example.com/hot,https://a.example/\n"
        for outcome in [ImportOutcome.created, .same] {
            let found = try await Shop.results(text, into: target)
            #expect(found.map(\.outcome) == [outcome] && found[0].smartlink == "https://go.example.com/summer")
            #expect(found[0].reason.contains("bit.ly/3this was left out"))
            #expect(found[0].reason.contains("bit.ly/summer-sale was left out"))
        }
        for slug in ["summer", "hot"] { #expect(try await target.find(Shop.host, Slug(slug)!) != nil) }
    }

    /// `again` is the same source: every row is known before the first is imported.
    private func moved(_ text: String, isDryRun: Bool, application: Application = Shop.application()) async throws
        -> [ImportResult]
    {
        let target = try await MemoryTarget(application)
        let work = LinkImport(into: target, Shop.preparation(application, domain: Shop.host), isDryRun: isDryRun)
        var results: [ImportResult] = []
        _ = try await work.run(
            from: try await ForeignService.bitly.links(in: [file(text)]),
            again: { try await ForeignService.bitly.links(in: [file(text)]) }, report: { results += $0 })
        return results
    }

    @Test(arguments: [true, false]) func aRowAtHomeKeepsItsSlugWhereverItIs(isDryRun: Bool) async throws {
        let text =
            "Link,Custom Link,Destination URL\n"
            + "https://bit.ly/sale,,https://a.example/\nhttps://bit.ly/x,bit.ly/hot,https://c.example/\n"
            + "https://bit.ly/free,,https://d.example/\nhttps://bit.ly/like,,https://e.example/\n"
            + "https://go.example.com/sale,go.example.com/hot,https://b.example/\n"
            + "https://go.example.com/like,,https://e.example/\n"
        let found = try await moved(text, isDryRun: isDryRun)
        #expect(found.map(\.outcome) == [.clash, .created, .created, .created, .created, .same])
        #expect(
            found[0].reason == "go.example.com/sale is taken by another link of the source, which is on that domain")
        #expect(found[1].reason.contains("a slug was left out: go.example.com/hot is taken"))
    }

    @Test(arguments: [("insensitive", ImportOutcome.clash), ("sensitive", .created)])
    func caseCountsAsItDoesForVisits(slugCase: String, outcome: ImportOutcome) async throws {
        let application = Application(
            id: ApplicationID("shop")!, name: "Shop", domains: [Shop.host],
            webBaseURL: WebURL("https://shop.example.com"), ignoresSlugCase: slugCase == "insensitive")
        let text =
            "Link,Destination URL\nhttps://bit.ly/SALE,https://a.example/\nhttps://go.example.com/sale,https://b.example/\n"
        let found = try await moved(text, isDryRun: true, application: application)
        #expect(found.map(\.outcome) == [outcome, .created])
    }

    @Test(
        arguments: [
            ("sale/", "sale"), ("caf%C3%A9", "café"), ("%F0%9F%8E%89", "🎉"), ("/sale", "sale"), ("sale.", "sale"),
            ("東京", "東京"), ("spring/sale", "spring/sale"),
        ])
    func slugsAreStoredAsVisitsNameThem(slug: String, stored: String) async throws {
        let target = try await MemoryTarget(Shop.application())
        let text = "slug,urls.web\n\(slug),https://a.example/\n"
        #expect(try await Shop.results(text, .csv, into: target).map(\.outcome) == [.created])
        #expect(try await target.find(Shop.host, Slug(stored)!) != nil)
        #expect(try await Shop.results(text, .csv, into: target).map(\.outcome) == [.same])
    }

    @Test func aFurtherSlugIsOnTheLinksDomain() async throws {
        let found = try await Shop.results(
            "smartlink,aliases,urls.web\ns.example.com/a,b,https://a.example/\n", .csv,
            domains: [Shop.host, Self.second])
        #expect(found.map(\.reason) == ["also https://s.example.com/b"])
    }
}
