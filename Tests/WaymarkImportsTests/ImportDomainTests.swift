import Testing
import WaymarkImports
import WaymarkLinks

/// Which domain a link is imported to.
@Suite struct ImportDomainTests {
    private static let second = HostName("s.example.com")!

    private func results(
        _ text: String, _ service: ForeignService = .bitly, domains: [HostName] = [Shop.host], domain: HostName? = nil,
        into target: MemoryTarget? = nil
    ) async throws -> [ImportResult] {
        let application = Application(
            id: ApplicationID("shop")!, name: "Shop", domains: domains,
            webBaseURL: WebURL("https://shop.example.com"))
        let preparation = ImportPreparation(application, domains: domains, smartlinkHosts: nil, domain: domain) {
            Array($0.suffix(32))
        }
        var memory = target
        if memory == nil { memory = try await MemoryTarget(application) }
        let source = try await service.links(in: [file(text)])
        return try await LinkImport(into: memory!, preparation, isDryRun: false).results(source)
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
}
