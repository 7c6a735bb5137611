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

    /// With one slot a text, two of them would meet with nearly any seeds.
    @Test func `few texts do not replace each other`() {
        let cache = TextCache<Int?>(seeds: (1, 2))
        var reads = 0
        for _ in 0..<3 {
            for number in 0..<40 {
                let found = value("https://\(number).example.com/", in: cache) {
                    reads += 1
                    return number
                }
                #expect(found == number)
            }
        }
        #expect(reads == 40)
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
