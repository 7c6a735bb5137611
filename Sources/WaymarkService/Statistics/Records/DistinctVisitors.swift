/// Counts distinct visitors in bounded memory: exactly up to `capacity`, and beyond with an error of about 1 %.
///
/// Visitors' numbers are hashes, uniformly distributed over 40 bits. The smallest ones are kept, and their density
/// gives an estimate of the total (Bar-Yossef et al., 2002: "Counting distinct elements in a data stream").
struct DistinctVisitors: Sendable {
    static let capacity = 65_536
    private static let space = Double(1 << 40 as Int64)

    /// Numbers below `bound`, possibly with duplicates.
    private var numbers: [UInt64] = []
    /// Larger numbers are not kept; nil while all are.
    private var bound: UInt64?

    mutating func add(_ number: UInt64) {
        if let bound, number >= bound { return }
        numbers.append(number)
        if numbers.count == 2 * Self.capacity { compact() }
    }

    /// Nil if no visitor was added.
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
