import Testing
import WaymarkLinks

@Suite struct ClaimRecordTests {
    private static let match = ClaimRecord.Match(
        method: .clipboard, platform: .ipad, query: "a=ä", answersUntil: Timestamp(rawValue: -5),
        redeem: RedeemRecord(link: LinkID(rawValue: 7), redeem: Redeem(status: .redeemed, limit: 3, used: 2)))

    @Test(arguments: [
        ClaimRecord(match: nil), ClaimRecord(match: match),
        ClaimRecord(
            match: .init(
                method: .referrer, platform: .web, query: nil, answersUntil: Timestamp(rawValue: .max),
                redeem: RedeemRecord(link: LinkID(rawValue: 1), redeem: Redeem(status: .none, limit: nil, used: 0)))),
    ])
    func readsWhatItWrites(record: ClaimRecord) throws {
        #expect(try ClaimRecord(encoded: record.encoded) == record)
    }

    @Test func refusesWhatItNeverWrites() {
        let bytes = ClaimRecord(match: Self.match).encoded
        for count in 0..<bytes.count {
            #expect(throws: StoreError.self) { try ClaimRecord(encoded: Array(bytes.prefix(count))) }
        }
        let damagedRecords: [[UInt8]] = [
            bytes + [0], [2] + bytes.dropFirst(), [1, 3] + bytes.dropFirst(2), [1, 0, 0], [],
        ]
        for damaged in damagedRecords {
            #expect(throws: StoreError.self) { try ClaimRecord(encoded: damaged) }
        }
    }

    @Test(arguments: [
        ("waymark=abc&deeplink=x", "abc"), ("utm_source=a&waymark=abc", "abc"), ("waymark%3Dabc%26deeplink%3Dx", "abc"),
        ("waymark=a%2Db", "a-b"), ("waymark=", ""),
    ])
    func findsAnIDInAReferrer(text: String, id: String) {
        #expect(DeferredClick(referrer: text)?.clickID == id)
    }

    @Test(arguments: ["", "waymark", "utm_source=waymark", "xwaymark=abc", "deeplink=shop%3A%2F%2Fx%3Fwaymark%3Dabc"])
    func findsNoneElsewhere(text: String) {
        #expect(DeferredClick(referrer: text) == nil)
    }
}
