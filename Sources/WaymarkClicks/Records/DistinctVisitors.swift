/// How many different visitors there were, in bounded memory: exactly up to `capacity`, and beyond within about one in a
/// hundred.
///
/// Visitors' numbers are hashes, spread evenly over 40 bits. So the smallest ones are kept, and how close together they
/// lie tells how many there are in all (Bar-Yossef et al., 2002: "Counting distinct elements in a data stream").
struct DistinctVisitors: Sendable {
    static let capacity = 65_536
    private static let space = Double(1 << 40 as Int64)

    /// Those below `bound`, some of them more than once.
    private var numbers: [UInt64] = []
    /// No greater numbers are kept; nil while all are.
    private var bound: UInt64?

    mutating func add(_ number: UInt64) {
        if let bound, number >= bound { return }
        numbers.append(number)
        if numbers.count == 2 * Self.capacity { compact() }
    }

    /// nil where no visitor was added.
    mutating func count() -> Int? {
        compact()
        guard !numbers.isEmpty else { return nil }
        guard let bound else { return numbers.count }
        return Int((Double(numbers.count) * Self.space / Double(bound)).rounded())
    }

    private mutating func compact() {
        numbers.sort()
        var kept = 0
        for number in numbers where kept == 0 || numbers[kept - 1] != number {
            numbers[kept] = number
            kept += 1
        }
        numbers.removeSubrange(kept...)
        guard kept > Self.capacity else { return }
        bound = numbers[Self.capacity]
        numbers.removeSubrange(Self.capacity...)
    }
}
