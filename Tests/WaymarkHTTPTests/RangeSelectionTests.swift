import Testing
import WaymarkHTTP

@Suite struct RangeSelectionTests {
    private func selection(_ value: String, _ size: Int) -> RangeSelection {
        RangeSelection(Array(value.utf8).span, size: size)
    }

    @Test(arguments: [
        ("bytes=0-0", [0..<1]), ("bytes=0-99", [0..<100]), ("bytes=0-", [0..<100]), ("bytes=99-", [99..<100]),
        ("bytes=-1", [99..<100]), ("bytes=-100", [0..<100]), ("bytes=-1000", [0..<100]), ("bytes=50-1000", [50..<100]),
        ("bytes=0-0,-1", [0..<1, 99..<100]), ("bytes= 0-0 , 2-2", [0..<1, 2..<3]), ("bytes=,0-0,,", [0..<1]),
        ("BYTES=1-2", [1..<3]), ("bytes=5-5,1-1", [5..<6, 1..<2]), ("bytes=0-9,5-14", [0..<10, 5..<15]),
        // What lies outside is left out as long as something is within.
        ("bytes=200-300,0-1", [0..<2]), ("bytes=-0,0-1", [0..<2]),
        ("bytes=0-18446744073709551616", [0..<100]), ("bytes=-99999999999999999999999", [0..<100]),
        ("bytes=000000000000000000000001-2", [1..<3]), ("bytes=9223372036854775807-,1-1", [1..<2]),
        ("bytes=0-0,1-1,2-2,3-3,4-4,5-5,6-6,7-7", (0..<8).map { $0..<($0 + 1) }),
    ])
    func choosesRanges(value: String, ranges: [Range<Int>]) {
        #expect(selection(value, 100) == .ranges(ranges))
    }

    @Test(arguments: [
        "", "bytes", "bytes=", "bytes=,", "items=0-1", "bytes=-", "bytes=a-b", "bytes=1", "bytes=2-1", "bytes=0-1-2",
        "bytes=0x0-1", "bytes=+0-1", "bytes=0-+1", "bytes=0 -1", "bytes=0- 1", "bytes=--1", "bytes:0-1", "byte=0-1",
        "bytes =0-1", "bytes=0-1;2-3", "bytes=0-1,x", "bytes=99999999999999999999-1",
        // Nine, and more bytes than there are.
        "bytes=0-0,1-1,2-2,3-3,4-4,5-5,6-6,7-7,8-8", "bytes=0-,0-", "bytes=0-60,40-99", "bytes=-60,-60",
    ])
    func leavesTheWholeWhereTheFieldIsIgnored(value: String) {
        #expect(selection(value, 100) == .whole)
    }

    @Test(arguments: [
        "bytes=100-", "bytes=100-200", "bytes=-0", "bytes=200-300,400-", "bytes=99999999999999999999-",
        "bytes=18446744073709551616-18446744073709551617",
    ])
    func knowsWhatCanNotBeSatisfied(value: String) {
        #expect(selection(value, 100) == .unsatisfiable)
    }

    @Test func asksNothingOfAnEmptyRepresentation() {
        #expect(selection("bytes=0-", 0) == .unsatisfiable)
        #expect(selection("bytes=-1", 0) == .whole)
        #expect(selection("bytes=-0", 0) == .unsatisfiable)
        #expect(selection("bytes=0-0,-5", 0) == .whole)
    }

    @Test func staysWithinTheLargestRepresentation() {
        #expect(selection("bytes=0-", .max) == .ranges([0..<Int.max]))
        #expect(selection("bytes=-1", .max) == .ranges([Int.max - 1..<Int.max]))
        #expect(selection("bytes=0-,0-,0-,0-,0-,0-,0-,0-", .max) == .whole)
    }
}
