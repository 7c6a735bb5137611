import Testing
import WaymarkLinks
import WaymarkStores

@testable import WaymarkService

@Suite struct ClickBatchTests {
    private static let iphone = ClickBlockTests.iphone
    private static let day = ClickBlockTests.day

    private static func click(_ link: Int64, day: Int = day, second: Int64 = 0, referrerHost: String? = nil) -> Click {
        Click(
            link: LinkID(rawValue: link), time: Timestamp(seconds: Int64(day) * Timestamp.secondsOfDay + second),
            kind: iphone, destination: .app, referrerHost: referrerHost.map { Click.Name($0) },
            subscriber: UInt64(second))
    }

    private static func blocks(_ batch: ClickBatch) -> [(block: ClickBlock, count: Int)] {
        var last: Int64 = 0
        return batch.blocks(salts: [:]) {
            last += 1
            return last
        }
    }

    /// What a ring of clicks on lines of the processor's cache stands on.
    @Test func aClickTakesSixtyFourBytes() {
        #expect(MemoryLayout<Click>.stride == 64)
    }

    @Test func clicksOfManyLinksAndDaysComeOutInTheOrderOfTheStore() throws {
        var generator = SystemRandomNumberGenerator()
        let links = (0..<50).map { _ in Int64.random(in: .min ... .max, using: &generator) } + [0, .min, .max]
        var clicks: [Click] = []
        for second in 0..<2_000 {
            let link = links[Int.random(in: 0..<links.count, using: &generator)]
            clicks.append(Self.click(link, day: Self.day + second % 3, second: Int64(second)))
        }
        let blocks = Self.blocks(ClickBatch(clicks))
        let orders = blocks.map(\.block.key.order)
        #expect(zip(orders, orders.dropFirst()).allSatisfy { $0 < $1 })
        #expect(blocks.reduce(0) { $0 + $1.count } == clicks.count)
        for (block, count) in blocks {
            let expected = clicks.filter { $0.link == block.key.link && $0.time.day == block.key.day }.map(
                \.time.seconds)
            #expect(try #require(block.contents).entries.map(\.time.seconds) == expected)
            #expect(count == expected.count)
        }
    }

    @Test func eachBlockHoldsOnlyTheNamesOfItsOwnClicks() throws {
        let clicks = (0..<40).map { Self.click(Int64($0 % 4), referrerHost: "from-\($0 % 4).example") }
        for (block, _) in Self.blocks(ClickBatch(clicks)) {
            let contents = try #require(block.contents)
            #expect(contents.profiles.map { $0[.referrerHost] } == ["from-\(block.key.link.rawValue).example"])
            #expect(contents.entries.count == 10)
        }
    }

    /// Two clicks each that differ in nothing but what the name says.
    @Test(arguments: [
        ("referrerHost", (other(), other(referrerHost: "news.example"))),
        ("campaign", (other(), other(campaign: "news.example"))),
        ("campaign and not referrerHost", (other(campaign: "a"), other(referrerHost: "a"))),
        ("language", (other(language: "de"), other(language: "en"))),
        ("region", (other(language: "pt"), other(language: "pt-BR"))),
        ("country", (other(country: "DE"), other(country: "AT"))),
        ("no country", (other(), other(country: "AT"))),
        ("kind", (other(), other("Mozilla/5.0 (Linux; Android 15; Pixel 9) Chrome/131.0 Mobile Safari/537.36"))),
        ("program", (other("Twitterbot/1.0"), other("Googlebot/2.1"))),
        ("destination", (other(), other(to: .store))),
        ("isProfiled", (other(), other(isProfiled: false))),
    ])
    func clicksThatDifferInOneThingDifferInTheStore(_ name: String, _ clicks: (one: Click, other: Click)) throws {
        let blocks = Self.blocks(ClickBatch([clicks.one, clicks.other, clicks.one]))
        let contents = try #require(blocks.first?.block.contents)
        #expect(contents.profiles.count == 2)
        #expect(contents.entries.map(\.profile) == [0, 1, 0])
    }

    private static func other(
        _ userAgent: String = "Mozilla/5.0 (X11; Linux x86_64) Firefox/133.0", to destination: Click.Destination = .web,
        isProfiled: Bool = true, country: String? = nil, language: String? = nil, referrerHost: String? = nil,
        campaign: String? = nil, isVisitors: Bool = false
    ) -> Click {
        Click(
            link: LinkID(rawValue: 1), time: Timestamp(seconds: Int64(day) * Timestamp.secondsOfDay),
            kind: UserAgent.classify(userAgent), destination: destination, isProfiled: isProfiled,
            country: country.flatMap { CountryCode(Array($0.utf8)[0], Array($0.utf8)[1]) },
            language: language.flatMap { LanguageTag($0) },
            referrerHost: referrerHost.map { Click.Name($0, isVisitors: isVisitors) },
            campaign: campaign.map { Click.Name($0) })
    }

    @Test func distinctReferrersTakeBoundedMemory() throws {
        let name = String(repeating: "x", count: 90)
        var batch = ClickBatch()
        for number in 0..<40_000 {
            batch.add(Self.other(referrerHost: "\(number).\(name)", isVisitors: true))
        }
        batch.add(Self.other(campaign: "summer"))
        #expect(batch.profileCosts < 17 << 20)
        let blocks = Self.blocks(batch)
        #expect(blocks.reduce(0) { $0 + $1.count } == 40_001)
        let referrers = try blocks.flatMap { try #require($0.block.contents).profiles.map { $0[.referrerHost] } }
        #expect(referrers.contains("0.\(name)"))
        #expect(referrers.contains(ClickField.rest))
        // What a link's owner chose is kept.
        #expect(try #require(blocks.last?.block.contents).profiles.last?[.campaign] == "summer")
    }

    @Test func distinctCampaignsOfLinksTakeBoundedMemory() throws {
        let name = String(repeating: "x", count: 250)
        var batch = ClickBatch()
        for number in 0..<40_000 { batch.add(Self.other(campaign: "\(number)\(name)")) }
        #expect(batch.profileCosts < 21 << 20)
        #expect(try #require(Self.blocks(batch).last?.block.contents).profiles.last?[.campaign] == ClickField.rest)
    }

    @Test func packingPausesHoweverTheClicksAreSpread() {
        for links in [1, 10, 10_000] {
            let batch = ClickBatch((0..<20_000).map { Self.click(Int64($0 % links)) })
            var pauses = 0
            let blocks = batch.blocks(salts: [:], number: { 1 }, pause: { pauses += 1 })
            #expect(blocks.reduce(0) { $0 + $1.count } == 20_000)
            // Each click is looked at three times, a thousand of them between two pauses, or a block that holds more.
            #expect(pauses >= 40 + 20_000 / ClickBlock.capacity)
            #expect(pauses <= 60)
        }
    }

    @Test func `a batch is reusable after removeAll`() throws {
        var batch = ClickBatch((0..<100).map { Self.click(1, second: $0, referrerHost: "old.example") })
        batch.removeAll()
        #expect(batch.count == 0 && Self.blocks(batch).isEmpty)
        batch.add(Self.click(2))
        let blocks = Self.blocks(batch)
        #expect(blocks.count == 1)
        #expect(try #require(blocks[0].block.contents).profiles.map { $0[.referrerHost] } == [nil])
    }
}
