import Testing
import WaymarkLinks

@testable import WaymarkService

@Suite struct ClickCountTableTests {
    @Test func addsUpAsADictionaryDoes() {
        var random = SystemRandomNumberGenerator()
        var tally = ClickCountTable()
        for _ in 0..<3 {
            var expected: [Int64: Int] = [:]
            for _ in 0..<20_000 {
                let id = Int64.random(in: -50...3_000, using: &random)
                let count = Int.random(in: 0...3, using: &random)
                tally.add(count, of: LinkID(rawValue: id))
                if count > 0 { expected[id, default: 0] += count }
            }
            #expect(tally.links == expected.count)
            #expect(expected.allSatisfy { tally[LinkID(rawValue: $0.key)] == $0.value })
            let taken = tally.takeAll()
            #expect(taken.map(\.id.rawValue) == expected.keys.sorted())
            #expect(taken.allSatisfy { expected[$0.id.rawValue] == $0.count })
            #expect(tally.links == 0)
            #expect(tally.takeAll().isEmpty)
        }
    }

    @Test func idsFarApartAndExtremeOnesAreKeptApart() {
        let ids: [Int64] = [.min, .max, 0, -1, 1, 1 << 32, 1 << 58, 64, 128]
        var tally = ClickCountTable()
        for id in ids { tally.add(2, of: LinkID(rawValue: id)) }
        #expect(tally.takeAll().map(\.id.rawValue) == ids.sorted())
    }
}
