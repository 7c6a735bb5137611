/// The registers of a sketch, 5 bits each, in the order and form in which they are stored: a change of a few registers
/// of a stored sketch must not cost a pass over all of them.
struct PackedRegisters: Equatable, Sendable {
    private static let bits = 5
    /// 8 registers fill 5 bytes.
    private static let groupBytes = 5

    private(set) var bytes: [UInt8]

    /// - Parameter count: A multiple of 8.
    init(count: Int) { bytes = Array(repeating: 0, count: count / 8 * Self.groupBytes) }

    /// Nil for bytes that are not those of as many registers.
    init?(_ bytes: ArraySlice<UInt8>, count: Int) {
        guard bytes.count == count / 8 * Self.groupBytes else { return nil }
        self.bytes = Array(bytes)
    }

    /// Raises each item's register to its rank.
    mutating func raise(_ items: [VisitorSketch.Item]) {
        var span = bytes.mutableSpan
        for item in items {
            let end = item.register * Self.bits + Self.bits
            let shift = UInt16(truncatingIfNeeded: -end & 7)
            let last = (end - 1) >> 3
            // A register lies in the byte of its last bit and in the one before, which the first one does not need.
            let before = max(last - 1, 0)
            let word = UInt16(span[before]) << 8 | UInt16(span[last])
            let rank = UInt16(item.rank)
            guard word >> shift & 31 < rank else { continue }
            let raised = word & ~(31 << shift) | rank << shift
            if last > 0 { span[before] = UInt8(raised >> 8) }
            span[last] = UInt8(truncatingIfNeeded: raised)
        }
    }

    /// Raises each register to that of another sketch.
    mutating func merge(_ other: PackedRegisters) {
        let others = other.bytes.span
        var span = bytes.mutableSpan
        for start in stride(from: 0, to: span.count, by: Self.groupBytes) {
            var (one, two): (UInt64, UInt64) = (0, 0)
            for index in start..<start + Self.groupBytes {
                one = one << 8 | UInt64(span[index])
                two = two << 8 | UInt64(others[index])
            }
            guard one != two else { continue }
            var merged: UInt64 = 0
            for shift: UInt64 in [0, 5, 10, 15, 20, 25, 30, 35] { merged |= max(one & 31 << shift, two & 31 << shift) }
            for index in (start..<start + Self.groupBytes).reversed() {
                span[index] = UInt8(truncatingIfNeeded: merged)
                merged >>= 8
            }
        }
    }

    /// The number of registers with each value.
    var histogram: [Int] {
        var counts = [Int](repeating: 0, count: 1 << Self.bits)
        var countSpan = counts.mutableSpan
        let span = bytes.span
        for start in stride(from: 0, to: span.count, by: Self.groupBytes) {
            var word: UInt64 = 0
            for index in start..<start + Self.groupBytes { word = word << 8 | UInt64(span[index]) }
            for _ in 0..<8 {
                countSpan[Int(word & 31)] += 1
                word >>= UInt64(Self.bits)
            }
        }
        return counts
    }
}
