import Testing
import WaymarkBytes
import WaymarkLinks
import WaymarkStores

@testable import WaymarkService

@Suite struct ClickBlockTests {
    static let link = LinkID(rawValue: 7)
    static let day = 20_779
    static let morning = Timestamp(seconds: Int64(day) * Timestamp.secondsOfDay + 8 * 3600 + 61)
    static let iphone = UserAgent.classify(
        "Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.0 "
            + "Mobile/15E148 Safari/604.1")
    static let crawler = UserAgent.classify("facebookexternalhit/1.1")
    static let salt = SipHash(key: [UInt8](0..<16))

    static func click(
        _ milliseconds: Int64 = 0, kind: VisitorClass = iphone, destination: Click.Destination = .app,
        isProfiled: Bool = true, referrerHost: Click.Name? = nil, subscriber: UInt64 = 1
    ) -> Click {
        Click(
            link: link, time: morning.advanced(byMilliseconds: milliseconds), kind: kind, destination: destination,
            isProfiled: isProfiled, country: CountryCode(0x64, 0x65), language: LanguageTag("de-CH"),
            referrerHost: referrerHost, campaign: Click.Name("spring"), subscriber: subscriber)
    }

    static func block(_ clicks: [Click], salt: SipHash? = salt) -> ClickBlock {
        ClickBatch(clicks).blocks(salts: salt.map { [day: $0] } ?? [:]) { 1 }[0].block
    }

    @Test(arguments: [Int.max, Int.min, 106_751_991_167_301, ClickBlock.days.upperBound + 1])
    func aBlockOfADayThatCannotBeIsDamaged(day: Int) {
        var block = Self.block([Self.click()])
        block.key.day = day
        #expect(block.contents == nil)
    }

    @Test func aBlockGivesBackWhatWasPutIntoIt() throws {
        let news = Click.Name("news.example")
        let block = Self.block([
            Self.click(1_999, referrerHost: news), Self.click(0, kind: Self.crawler, destination: .preview),
            Self.click(70_000, destination: .store, referrerHost: Click.Name("news.example"), subscriber: 2),
        ])
        let records = try #require(block.contents).records
        #expect(block.key == ClickBlock.Key(link: Self.link, day: Self.day, number: 1))
        #expect(records.map(\.time.seconds) == [1, 0, 70].map { Self.morning.seconds + $0 })
        #expect(records.map { $0.time.rawValue % 1000 } == [0, 0, 0])
        #expect(records[0].profile[.platform] == "iphone")
        #expect(records[0].profile[.device] == "phone")
        #expect(records[0].profile[.browser] == "safari")
        #expect(records[0].profile[.language] == "de-CH")
        #expect(records[0].profile[.country] == "DE")
        #expect(records[0].profile[.referrerHost] == "news.example")
        #expect(records[0].profile[.campaign] == "spring")
        #expect(records[0].profile[.destination] == "app")
        #expect(records[0].profile[.bot] == nil)
        #expect(records.map(\.isPersons) == [true, false, true])
        #expect(records[1].profile[.bot] == "preview")
        #expect(records[1].visitor == nil)
        #expect(records[2].profile[.destination] == "store")
        #expect(records[0].visitor != nil && records[0].visitor != records[2].visitor)
    }

    @Test func `a visitor with Do Not Track leaves only the hour`() throws {
        let contents = try #require(Self.block([Self.click(isProfiled: false)]).contents)
        #expect(contents.profiles == [ClickRecord.Profile()])
        #expect(contents.entries[0].visitor == nil)
        #expect(contents.entries[0].time.seconds == Self.morning.seconds / 3600 * 3600)
    }

    @Test func theSameVisitorHasOneNumberADay() throws {
        let other = SipHash(key: [UInt8](repeating: 9, count: 16))
        let today = try #require(Self.block([Self.click(), Self.click(5_000), Self.click(subscriber: 3)]).contents)
            .entries
        let tomorrow = try #require(Self.block([Self.click()], salt: other).contents).entries
        let unsalted = try #require(Self.block([Self.click()], salt: nil).contents).entries
        #expect(today[0].visitor == today[1].visitor)
        #expect(today[0].visitor != today[2].visitor)
        #expect(today[0].visitor != tomorrow[0].visitor)
        #expect(unsalted[0].visitor == nil)
        #expect(today.allSatisfy { ($0.visitor ?? 0) < 1 << 40 })
    }

    @Test func aHotLinksClickTakesAFewBytes() {
        let clicks = (0..<Int64(ClickBlock.capacity)).map { Self.click($0 * 20) }
        let bytes = Self.block(clicks).bytes.count
        #expect(bytes <= ClickBlock.capacity * 8 + 128)
    }

    @Test func damageIsFoundAndNeverATrap() {
        let whole = Self.block((0..<4).map { Self.click($0 * 900, subscriber: UInt64($0)) })
        for count in whole.bytes.indices {
            let cut = ClickBlock(key: whole.key, bytes: Array(whole.bytes.prefix(count)))
            #expect(cut.contents == nil)
        }
        for index in whole.bytes.indices {
            for bit in 0..<8 {
                var bytes = whole.bytes
                bytes[index] ^= 1 << bit
                // Some changes give other clicks; what counts is that each is read or refused.
                if let contents = ClickBlock(key: whole.key, bytes: bytes).contents { _ = contents.records }
            }
        }
        #expect(ClickBlock(key: whole.key, bytes: whole.bytes + [0]).contents == nil)
    }

    @Test(arguments: [
        ("en", "en"), ("EN-gb", "en-GB"), ("zh-Hant-TW", "zh-TW"), ("es-419", "es-419"), ("de-x-co", "de"),
        ("gsw-CH-1996", "gsw-CH"), ("sl-rozaj-biske", "sl"),
    ])
    func aLanguageIsKeptWithItsRegionAlone(_ sent: String, _ kept: String) {
        #expect(LanguageTag(sent)?.text == kept)
    }

    @Test(arguments: ["", "*", "e", "engl", "1-GB", "-en"])
    func `a text that begins with no language is none`(_ sent: String) {
        #expect(LanguageTag(sent) == nil)
    }

    @Test func fieldsKeepTheirPlaces() {
        #expect(
            ClickField.allCases.map(\.name) == [
                "platform", "device", "browser", "inApp", "bot", "language", "country", "referrerHost", "campaign",
                "destination", "rule", "variant",
            ])
        #expect(ClickField.allCases.map(\.rawValue) == Array(0..<12))
    }
}
