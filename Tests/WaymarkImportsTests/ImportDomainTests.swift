import Testing
import WaymarkImports
import WaymarkJSON
import WaymarkLinks

/// Which domain a link is imported to.
@Suite struct ImportDomainTests {
    private static let second = HostName("s.example.com")!

    private func results(
        _ text: String, _ service: ForeignService = .bitly, domains: [HostName] = [Shop.host], domain: HostName? = nil,
        isDryRun: Bool = false, into target: MemoryTarget? = nil
    ) async throws -> [ImportResult] {
        let application = Self.application(domains)
        let preparation = ImportPreparation(application, domains: domains, smartlinkHosts: nil, domain: domain) {
            Array($0.suffix(32))
        }
        var memory = target
        if memory == nil { memory = try await MemoryTarget(application) }
        let source = try await service.links(in: [file(text)])
        return try await LinkImport(into: memory!, preparation, isDryRun: isDryRun).results(source)
    }

    private static func application(_ domains: [HostName]) -> Application {
        Application(
            id: ApplicationID("shop")!, name: "Shop", domains: domains,
            webBaseURL: WebURL("https://shop.example.com"))
    }

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
        let found = try await results(
            "Link,Destination URL\n\(one.address),https://a.example/\n", domains: one.domains, domain: one.domain)
        #expect(found.map(\.outcome) == [one.smartlink == nil ? .refused : .created])
        if let smartlink = one.smartlink { #expect(found.map(\.smartlink) == [smartlink]) }
        #expect(found[0].reason.hasPrefix(one.reason) && found[0].reason.isEmpty == one.reason.isEmpty)
    }

    @Test func aForeignLinkTakesNoSlugOfAnOwnOne() async throws {
        let target = try await MemoryTarget(Shop.application())
        let text =
            "Link,Destination URL\nhttps://bit.ly/sale,https://a.example/\nhttps://go.example.com/sale,https://b.example/\n"
        #expect(try await results(text, into: target).map(\.outcome) == [.refused, .created])
        let link = try #require(try await target.find(Shop.host, Slug("sale")!))
        #expect(link.content.urls[.web]?.link.text == "https://b.example/")
    }

    @Test(arguments: [(nil as HostName?, ImportOutcome.refused), (Shop.host, .created)])
    func aLinkWithoutADomainNeedsOneOfSeveral(domain: HostName?, outcome: ImportOutcome) async throws {
        let found = try await results(
            "slug,urls.web\nsale,https://a.example/\n", .csv, domains: [Shop.host, Self.second], domain: domain)
        #expect(found.map(\.outcome) == [outcome])
    }

    @Test func addressesOnOwnDomainsAreTakenAndOthersNoted() async throws {
        let target = try await MemoryTarget(Shop.application())
        let text =
            "Link,Custom Bitlinks,Destination URL\n"
            + "bit.ly/3this,go.example.com/summer|bit.ly/summer-sale|go.example.com/hot,https://a.example/\n"
        for outcome in [ImportOutcome.created, .same] {
            let found = try await results(text, into: target)
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
        #expect(found[1].reason.contains("a further slug was left out: go.example.com/hot is taken"))
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
        #expect(try await results(text, .csv, into: target).map(\.outcome) == [.created])
        #expect(try await target.find(Shop.host, Slug(stored)!) != nil)
        #expect(try await results(text, .csv, into: target).map(\.outcome) == [.same])
    }

    @Test func aFurtherSlugIsOnTheLinksDomain() async throws {
        let found = try await results(
            "smartlink,aliases,urls.web\ns.example.com/a,b,https://a.example/\n", .csv,
            domains: [Shop.host, Self.second])
        #expect(found.map(\.reason) == ["also https://s.example.com/b"])
    }

    @Test func furtherAddressesAreAliasesOfOneLink() async throws {
        let target = try await MemoryTarget(Self.application([Shop.host, Self.second]))
        let text = "smartlink,aliases,urls.web\ngo.example.com/a,\"b,c/d,s.example.com/a\",https://a.example/\n"
        let domains = [Shop.host, Self.second]
        #expect(try await results(text, .csv, domains: domains, into: target).map(\.outcome) == [.created])
        let link = try #require(try await target.find(Shop.host, Slug("a")!))
        #expect(link.content.aliases.map { $0.text(of: Shop.host) } == ["b", "c/d", "s.example.com/a"])
        for address in link.addresses {
            #expect(try await target.find(address.domain, address.slug)?.id == link.id)
        }
        for isDryRun in [true, false] {
            let again = try await results(text, .csv, domains: domains, isDryRun: isDryRun, into: target)
            #expect(again.map(\.outcome) == [.same])
        }
    }

    /// Nothing changes a link that is there, so further slugs of its source become another one.
    @Test(arguments: [true, false]) func slugsThatAreMissingBecomeALinkOfTheirOwn(isDryRun: Bool) async throws {
        let target = try await MemoryTarget(Shop.application())
        _ = try await results("slug,urls.web\na,https://a.example/\n", .csv, into: target)
        let text = "slug,aliases,urls.web\na,x|y,https://a.example/\n"
        let found = try await results(text, .csv, isDryRun: isDryRun, into: target)
        #expect(found.map(\.outcome) == [.created])
        #expect(found[0].reason.contains("go.example.com/x becomes a link of its own"))
        let link = try await target.find(Shop.host, Slug("x")!)
        #expect(isDryRun ? link == nil : link?.content.aliases == [LinkAlias(Slug("y")!)])
        guard !isDryRun else { return }
        #expect(try await results(text, .csv, into: target).map(\.outcome) == [.same])
    }

    /// A row, then one that has some of its slugs.
    @Test(
        arguments: [
            ("b,,https://a.example/", [ImportOutcome.created, .same]),
            ("b,c,https://a.example/", [.created, .created]),
            ("c,b|d,https://a.example/", [.created, .created]), ("b,c,https://b.example/", [.created, .clash]),
        ])
    func rowsOfABatchMayShareSlugs(second: String, outcomes: [ImportOutcome]) async throws {
        for isDryRun in [true, false] {
            let target = try await MemoryTarget(Shop.application())
            let text = "slug,aliases,urls.web\na,b,https://a.example/\n\(second)\n"
            let found = try await results(text, .csv, isDryRun: isDryRun, into: target)
            #expect(found.map(\.outcome) == outcomes, "dry run: \(isDryRun)")
        }
    }

    @Test func aRowWithoutASlugTakesTheFirstFurtherOne() async throws {
        let target = try await MemoryTarget(Shop.application())
        let text = "slug,aliases,urls.web\n,x|y,https://a.example/\n"
        #expect(try await results(text, .csv, into: target).map(\.slug) == ["x"])
        #expect(try await target.find(Shop.host, Slug("y")!)?.slug == Slug("x"))
    }

    @Test(arguments: [ExportFormat.csv, .jsonl]) func exportsKeepAliases(format: ExportFormat) async throws {
        let answer = ##"""
            {"smartlink": "https://go.example.com/a", "domain": "go.example.com", "slug": "a", "app": "shop",
            "aliases": ["b", "sale/tv", "s.example.com/a"], "urls": {"web": {"link": "https://a.example/"}},
            "createdAt": "2026-01-01T00:00:00Z"}
            """##
        let value = try JSONValue(parsing: Array(answer.utf8))
        let text = (format.header.map { $0 + [0x0A] } ?? []) + (try #require(format.line(value))) + [0x0A]
        let target = try await MemoryTarget(Self.application([Shop.host, Self.second]))
        let found = try await results(
            String(decoding: text, as: UTF8.self), .waymark, domains: [Shop.host, Self.second], into: target)
        #expect(found.map(\.outcome) == [.created], "\(found)")
        let link = try #require(try await target.find(Self.second, Slug("a")!))
        #expect(link.content.aliases.map { $0.text(of: Shop.host) } == ["b", "sale/tv", "s.example.com/a"])
    }
}
