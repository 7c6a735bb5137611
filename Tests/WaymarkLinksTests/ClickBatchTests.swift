import Testing

@testable import WaymarkLinks

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
        let places = blocks.map(\.block.key.place)
        #expect(zip(places, places.dropFirst()).allSatisfy { $0 < $1 })
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

    @Test func whatIsEmptiedBeginsAnew() throws {
        var batch = ClickBatch((0..<100).map { Self.click(1, second: $0, referrerHost: "old.example") })
        batch.removeAll()
        #expect(batch.count == 0 && Self.blocks(batch).isEmpty)
        batch.add(Self.click(2))
        let blocks = Self.blocks(batch)
        #expect(blocks.count == 1)
        #expect(try #require(blocks[0].block.contents).profiles.map { $0[.referrerHost] } == [nil])
    }

    @Test func numberingTellsKeysApartWhoseHashesAreEqual() {
        var numbering = Numbering<Int>()
        let numbers = (0..<1_000).map { key in numbering.number(of: key) { $0.fold(UInt64(key % 7), 0) } }
        #expect(numbers == Array(0..<1_000))
        #expect((0..<1_000).map { key in numbering.number(of: key) { $0.fold(UInt64(key % 7), 0) } } == numbers)
        #expect(numbering.keys == Array(0..<1_000))
    }
}
