import Testing
import WaymarkBytes

@Suite struct InternerTests {
    @Test func keysWithEqualHashesGetDifferentNumbers() {
        var interner = Interner<Int>()
        let numbers = (0..<1_000).map { key in interner.number(of: key) { $0.fold(UInt64(key % 7), 0) } }
        #expect(numbers == Array(0..<1_000))
        #expect((0..<1_000).map { key in interner.number(of: key) { $0.fold(UInt64(key % 7), 0) } } == numbers)
        #expect(interner.keys == Array(0..<1_000))
    }
}
