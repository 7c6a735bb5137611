import Testing
import WaymarkLinks

@testable import WaymarkStores

@Suite struct VisitorSketchTests {
    /// Evenly spread over 40 bits, as hashes are.
    private static func visitor(_ number: Int, seed: UInt64 = 0) -> UInt64 {
        var word = UInt64(number) &+ seed &* 0x9E37_79B9_7F4A_7C15
        word = (word ^ (word >> 30)) &* 0xBF58_476D_1CE4_E5B9
        word = (word ^ (word >> 27)) &* 0x94D0_49BB_1331_11EB
        return (word ^ (word >> 31)) & 0xFF_FFFF_FFFF
    }

    private static func sketch(_ numbers: Range<Int>, seed: UInt64 = 0) -> VisitorSketch {
        var sketch = VisitorSketch()
        sketch.add(numbers.map { VisitorSketch.Item(visitor: visitor($0, seed: seed)) })
        return sketch
    }

    private static func read(_ sketch: VisitorSketch) -> VisitorSketch? {
        var writer = BinaryWriter()
        sketch.write(to: &writer)
        return VisitorSketch(reading: writer.bytes[...])
    }

    @Test(arguments: [0, 1, 2, 10, 100])
    func `counts few visitors exactly`(count: Int) {
        #expect(Self.sketch(0..<count).count == count)
    }

    @Test(arguments: [1_000, 5_000, 9_990, 10_010, 20_000, 50_000, 80_000, 120_000, 200_000, 500_000, 2_000_000])
    func `an estimate is off by at most two per cent`(count: Int) {
        for seed in 1...5 as ClosedRange<UInt64> {
            let estimate = Self.sketch(0..<count, seed: seed).count
            #expect(abs(estimate - count) * 50 <= count, "\(estimate)")
        }
    }

    @Test(arguments: [0, 1, 100, 9_990, 10_100, 10_200, 50_000, 500_000])
    func `ranks give the number of the sketch`(count: Int) {
        // As ClickHouse groups visitors: by register, with the highest rank and the places in it.
        var registers: [UInt64: (rank: Int, places: Set<UInt64>)] = [:]
        for visitor in (0..<count).map({ Self.visitor($0) }) {
            let (place, low) = (visitor >> 20 & 31, visitor & 0xF_FFFF)
            let ofPlace = (0..<5).first { place >= UInt64(16 >> $0) }.map { $0 + 1 }
            let rank = ofPlace ?? (0..<20).first { low >= UInt64(524_288 >> $0) }.map { $0 + 6 } ?? 26
            var register = registers[visitor >> 25 & 0x7FFF] ?? (0, [])
            register.places.insert(place)
            register.rank = max(rank, register.rank)
            registers[visitor >> 25 & 0x7FFF] = register
        }
        var ranks = VisitorSketch.Ranks()
        for (rank, places) in registers.values { ranks.add(rank: rank, registers: 1, places: places.count) }
        #expect(ranks.visitors == Self.sketch(0..<count).count)
    }

    @Test(arguments: 0..<VisitorSketch.Ranks.limit)
    func `ranks that no visitors have are a number`(rank: Int) {
        var ranks = VisitorSketch.Ranks()
        for _ in 0..<1_000 {
            let limits = (VisitorSketch.Ranks.registerLimit, VisitorSketch.Ranks.placeLimit)
            ranks.add(rank: rank, registers: limits.0, places: limits.1)
        }
        #expect(ranks.visitors >= 0)
    }

    @Test(arguments: [(3, 5), (300, 700), (9_000, 3_000), (20_000, 100), (100, 20_000), (15_000, 40_000)])
    func `parts merge into the sketch of the whole`(first: Int, second: Int) {
        // Both parts have the middle in common.
        let whole = Self.sketch(0..<first + second)
        var one = Self.sketch(0..<first + second / 2)
        let other = Self.sketch(first..<first + second)
        one.merge(other)
        #expect(one == whole)
        var turned = other
        turned.merge(Self.sketch(0..<first + second / 2))
        #expect(turned == whole)
        turned.merge(whole)
        #expect(turned == whole)
    }

    @Test(arguments: [0, 1, 33, 2_000, 10_000, 10_001, 60_000])
    func `bytes read back as they were written`(count: Int) {
        let sketch = Self.sketch(0..<count)
        #expect(Self.read(sketch) == sketch)
    }

    @Test func `a visitor takes about two bytes`() {
        var writer = BinaryWriter()
        Self.sketch(0..<1_000).write(to: &writer)
        #expect(writer.bytes.count < 2_200)
        var dense = BinaryWriter()
        Self.sketch(0..<1_000_000).write(to: &dense)
        #expect(dense.bytes.count == 20_481)
    }

    @Test func `no damaged bytes are read or trap`() {
        var writer = BinaryWriter()
        Self.sketch(0..<200).write(to: &writer)
        for cut in 1..<writer.bytes.count { #expect(VisitorSketch(reading: writer.bytes[..<cut]) == nil) }
        #expect(VisitorSketch(reading: [3]) == nil)
        #expect(VisitorSketch(reading: [2, 0]) == nil)
        #expect(VisitorSketch(reading: [1, 0xFF, 0xFF, 0x7F]) == nil)
        #expect(VisitorSketch(reading: [1, 2, 5, 0]) == nil)
    }
}

@Suite struct ClickTotalTests {
    private static func sample() -> ClickTotal {
        var total = ClickTotal()
        total.count = ClickCount(people: 7, bots: 2)
        total[.field(.platform)].add(ClickCount(people: 7), of: "ios")
        total[.field(.platform)].add(ClickCount(bots: 2), of: nil)
        total[.field(.referrerHost)].add(ClickCount(people: 3), of: "")
        total[.domain].add(ClickCount(people: 7, bots: 2), of: "go.example.com")
        for field in ClickField.ofRules { total[.field(field)].add(total.count, of: nil) }
        total.visitors.add([VisitorSketch.Item(visitor: 1), VisitorSketch.Item(visitor: 99 << 20)])
        return total
    }

    @Test func `bytes read back as they were written`() throws {
        #expect(try ClickTotal(encoded: Self.sample().encoded) == Self.sample())
        #expect(try ClickTotal(encoded: ClickTotal().encoded) == ClickTotal())
    }

    @Test func `reads only the parts that are asked for`() throws {
        let total = try ClickTotal(encoded: Self.sample().encoded, dimensions: [.domain], withVisitors: false)
        #expect(total.count == Self.sample().count)
        #expect(total[.domain] == Self.sample()[.domain])
        #expect(total[.field(.platform)] == ClickTotal.Values())
        #expect(total.visitors.isEmpty)
    }

    @Test func `no damaged bytes are read or trap`() {
        let bytes = Self.sample().encoded
        for cut in bytes.indices {
            #expect(throws: StoreError.self) { try ClickTotal(encoded: Array(bytes[..<cut])) }
        }
        #expect(throws: StoreError.self) { try ClickTotal(encoded: bytes + [0]) }
        var damaged = bytes
        for index in bytes.indices {
            for value in [0, 0x7F, 0xFF] as [UInt8] {
                damaged[index] = value
                _ = try? ClickTotal(encoded: damaged)
            }
            damaged[index] = bytes[index]
        }
    }

    @Test func `links of a page keep their counts apart`() throws {
        var totals = LinkTotals()
        let links = [LinkTotals.link(0, of: 5), LinkTotals.link(63, of: 5)]
        totals.add(ClickCount(people: 300), of: links[1])
        totals.add(ClickCount(bots: 1), of: links[0])
        totals.add(ClickCount(people: 1), of: links[1])
        #expect(LinkTotals.page(of: links[0]) == 5)
        #expect(LinkTotals.page(of: links[1]) == 5)
        let read = try LinkTotals(encoded: totals.encoded)
        #expect(read == totals)
        #expect(read[links[1]] == ClickCount(people: 301))
        #expect(read.links(of: 5).map(\.link) == links)
        #expect(throws: StoreError.self) { try LinkTotals(encoded: [1, 64, 0, 0]) }
        #expect(throws: StoreError.self) { try LinkTotals(encoded: [1, 3, 1]) }
        #expect(throws: StoreError.self) { try LinkTotals(encoded: []) }
    }
}
