import Testing

@testable import WaymarkSite

@Suite struct TextCacheTests {
    /// Looks the text up; `reads` is called where it must be read.
    private func value(_ text: String, in cache: TextCache<Int?>, reads: () -> Int?) -> Int? {
        let bytes = Array(text.utf8)
        return cache.value(of: bytes.span, read: reads)
    }

    @Test func aTextIsReadOnce() {
        let cache = TextCache<Int?>()
        var reads = 0
        for _ in 0..<3 {
            #expect(
                value("en-GB,en;q=0.9", in: cache) {
                    reads += 1
                    return 7
                } == 7)
        }
        #expect(reads == 1)
    }

    /// With one slot for each text, two of twenty meet with every second pair of seeds.
    @Test func `few texts do not replace each other`() {
        for seed in 1...20 as ClosedRange<UInt64> {
            let cache = TextCache<Int?>(seeds: (seed &* 0x9E37_79B9_7F4A_7C15, seed &* 0xBF58_476D_1CE4_E5B9))
            var reads = 0
            for _ in 0..<3 {
                for number in 0..<20 {
                    let found = value("https://\(number).example.com/", in: cache) {
                        reads += 1
                        return number
                    }
                    #expect(found == number)
                }
            }
            #expect(reads == 20, "with seed \(seed)")
        }
    }

    @Test func `an absent text is remembered, too`() {
        let cache = TextCache<Int?>()
        #expect(value("*", in: cache) { nil } == nil)
        #expect(value("*", in: cache) { 1 } == nil)
        #expect(value("", in: cache) { 2 } == 2)
        #expect(value("", in: cache) { 3 } == 2)
    }

    @Test func manyTextsNeverTakeEachOthersValues() {
        let cache = TextCache<Int?>()
        for round in 0..<2 {
            for number in 0..<5_000 {
                #expect(value("text \(number)", in: cache) { number } == number, "in round \(round)")
            }
        }
    }

    @Test func aLongTextIsReadEachTime() {
        let cache = TextCache<Int?>()
        let text = String(repeating: "a", count: TextCache<Int?>.longest + 1)
        #expect(value(text, in: cache) { 1 } == 1)
        #expect(value(text, in: cache) { 2 } == 2)
        #expect(value(String(text.dropLast()), in: cache) { 3 } == 3)
        #expect(value(String(text.dropLast()), in: cache) { 4 } == 3)
    }
}
