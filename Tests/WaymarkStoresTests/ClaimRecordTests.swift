import Testing
import WaymarkLinks
import WaymarkStores

@Suite struct ClaimRecordTests {
    private static let match = ClaimRecord.Match(
        method: .clipboard, platform: .ipad, opened: "a=ä", answersUntil: Timestamp(rawValue: -5),
        redeem: RedeemRecord(link: LinkID(rawValue: 7), redeem: Redeem(status: .redeemed, limit: 3, used: 2)))

    private static let ruled = ClaimRecord.Match(
        method: .referrer, platform: .android, opened: nil, answersUntil: Timestamp(rawValue: 7),
        redeem: RedeemRecord(link: LinkID(rawValue: 7), redeem: Redeem(status: .none, limit: nil, used: 0)),
        rule: ClickedRule("new page", isVariant: true))

    @Test(arguments: [
        ClaimRecord(match: nil), ClaimRecord(match: match), ClaimRecord(match: ruled),
        ClaimRecord(
            match: .init(
                method: .referrer, platform: .web, opened: nil, answersUntil: Timestamp(rawValue: .max),
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
}
