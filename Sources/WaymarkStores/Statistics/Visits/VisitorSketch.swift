/// The number of different visitors in bounded memory: HyperLogLog with 32,768 registers, whose standard error is 0.6 %.
///
/// Small sketches are lists of 20 bits of each visitor, which tell some thousand visitors apart almost exactly. Sketches of
/// parts merge into the sketch of the whole, in any order.
package struct VisitorSketch: Sendable, Equatable {
    /// A visitor as a sketch keeps it: 20 bits that select a register and order the list, and the 5 bits of its rank.
    package struct Item: Sendable, Hashable {
        let bits: UInt32

        init(bits: UInt32) { self.bits = bits }

        /// - Parameter visitor: The 40 bits of `ClickRecord.visitor`.
        package init(visitor: UInt64) {
            let place = UInt32(truncatingIfNeeded: visitor >> 20) & (1 << VisitorSketch.placeBits - 1)
            let low = UInt32(truncatingIfNeeded: visitor) & 0xF_FFFF
            let register = place & 31
            let rank =
                register != 0
                ? UInt32(register.leadingZeroBitCount) - 27 + 1
                : 5 + (low == 0 ? 21 : UInt32(low.leadingZeroBitCount) - 12 + 1)
            bits = place << 5 | rank
        }

        var place: UInt32 { bits >> 5 }
        var register: Int { Int(bits >> 10) }
        var rank: UInt8 { UInt8(bits & 31) }
        /// Whether `place` does not give the rank.
        var hasOwnRank: Bool { bits >> 5 & 31 == 0 }
    }

    private static let placeBits: UInt32 = 20
    private static let registerCount = 32_768
    /// Longer lists take more bytes than registers.
    private static let itemLimit = 10_000

    private enum Form: Equatable, Sendable {
        /// In rising order, each place once.
        case list([UInt32])
        case registers(PackedRegisters)
    }

    private var form = Form.list([])

    package init() {}

    package var isEmpty: Bool { form == .list([]) }

    /// - Parameter items: In any order; may repeat.
    package mutating func add(_ items: [Item]) {
        guard !items.isEmpty else { return }
        switch form {
        case .list(let list): add(list: Self.sorted(items), to: list)
        case .registers(var registers):
            form = .list([])
            registers.raise(items)
            form = .registers(registers)
        }
    }

    package mutating func merge(_ other: VisitorSketch) {
        switch (form, other.form) {
        case (.list(let list), .list(let others)): add(list: others, to: list)
        case (.list(let list), .registers(let registers)):
            form = .registers(registers)
            add(list.map { Item(bits: $0) })
        case (.registers, .list(let others)): add(others.map { Item(bits: $0) })
        case (.registers(var registers), .registers(let others)):
            form = .list([])
            registers.merge(others)
            form = .registers(registers)
        }
    }

    private mutating func add(list others: [UInt32], to list: [UInt32]) {
        guard !others.isEmpty else { return }
        guard !list.isEmpty else { return settle(others) }
        var merged: [UInt32] = []
        merged.reserveCapacity(list.count + others.count)
        var (one, other) = (0, 0)
        while one < list.count, other < others.count {
            let (left, right) = (list[one], others[other])
            if left >> 5 == right >> 5 {
                merged.append(max(left, right))
                one += 1
                other += 1
            } else if left < right {
                merged.append(left)
                one += 1
            } else {
                merged.append(right)
                other += 1
            }
        }
        merged.append(contentsOf: list[one...])
        merged.append(contentsOf: others[other...])
        settle(merged)
    }

    private mutating func settle(_ list: [UInt32]) {
        guard list.count > Self.itemLimit else {
            form = .list(list)
            return
        }
        form = .registers(PackedRegisters(count: Self.registerCount))
        add(list.map { Item(bits: $0) })
    }

    /// In rising order, each place once with its highest rank. Sorted by counting, because thousands come at a time.
    private static func sorted(_ items: [Item]) -> [UInt32] {
        var bits = items.map(\.bits)
        if bits.count < 256 {
            bits.sort()
        } else {
            var other = [UInt32](repeating: 0, count: bits.count)
            for shift: UInt32 in [0, 8, 16, 24] {
                var starts = [Int](repeating: 0, count: 257)
                for value in bits { starts[Int(value >> shift & 255) + 1] += 1 }
                for digit in 0..<256 { starts[digit + 1] += starts[digit] }
                for value in bits {
                    let digit = Int(value >> shift & 255)
                    other[starts[digit]] = value
                    starts[digit] += 1
                }
                swap(&bits, &other)
            }
        }
        var kept = 0
        for value in bits {
            if kept > 0, bits[kept - 1] >> 5 == value >> 5 { kept -= 1 }
            bits[kept] = value
            kept += 1
        }
        bits.removeSubrange(kept...)
        return bits
    }

    /// The estimated number of visitors.
    package var count: Int {
        switch form {
        case .list(let list): return Self.estimate(places: list.count)
        case .registers(let registers): return Self.estimate(registers.histogram)
        }
    }

    private static func estimate(places count: Int) -> Int {
        // Two visitors may share a place.
        let places = Double(1 << placeBits)
        return Int((places * lossOfLogarithm(Double(count) / places)).rounded())
    }

    /// All that the number of visitors depends on, for those who make no sketch: a database that knows the visitors.
    package struct Ranks: Sendable {
        package static let limit = 27
        package static let registerLimit = registerCount
        package static let placeLimit = 1 << placeBits

        private var registers = [Int](repeating: 0, count: limit)
        private var places = 0

        package init() {}

        /// - Parameters:
        ///   - registers: whose highest rank it is; in all at most `registerLimit`.
        ///   - places: different ones in these registers.
        package mutating func add(rank: Int, registers: Int, places: Int) {
            self.registers[rank] += registers
            self.places += places
        }

        /// The number that the sketch has.
        package var visitors: Int {
            guard places > itemLimit else { return VisitorSketch.estimate(places: places) }
            var histogram = registers
            histogram[0] = max(0, registerCount - registers.dropFirst().reduce(0, +))
            return VisitorSketch.estimate(histogram)
        }
    }

    /// Otmar Ertl's improved estimator (2017, "New cardinality estimation algorithms for HyperLogLog sketches"), which has no
    /// bias in any range.
    private static func estimate(_ histogram: [Int]) -> Int {
        /// Bits of a visitor that are not the number of its register.
        let rankBits = 25
        var counts = [Double](repeating: 0, count: rankBits + 2)
        for (rank, number) in histogram.enumerated() { counts[min(rank, rankBits + 1)] += Double(number) }
        let size = Double(registerCount)
        var sum = size * tau(1 - counts[rankBits + 1] / size)
        for rank in (1...rankBits).reversed() { sum = (sum + counts[rank]) / 2 }
        sum += size * sigma(counts[0] / size)
        // Ranks that no visitors have, as something else than a sketch may claim.
        guard sum > 0 else { return 1 << (rankBits + 15) }
        return Int((size * size / (2 * 0.693_147_180_559_945_3 * sum)).rounded())
    }

    /// -ln(1 - share) for shares below a hundredth.
    private static func lossOfLogarithm(_ share: Double) -> Double {
        var (power, sum) = (share, 0.0)
        for number in 1...8 {
            sum += power / Double(number)
            power *= share
        }
        return sum
    }

    private static func sigma(_ share: Double) -> Double {
        guard share < 1 else { return .infinity }
        var (power, factor, sum) = (share, 1.0, share)
        while true {
            power *= power
            let next = sum + power * factor
            factor += factor
            if next == sum { return sum }
            sum = next
        }
    }

    private static func tau(_ share: Double) -> Double {
        guard share > 0, share < 1 else { return 0 }
        var (root, factor, sum) = (share, 1.0, 1 - share)
        while true {
            root = root.squareRoot()
            factor /= 2
            let next = sum - (1 - root) * (1 - root) * factor
            if next == sum { return sum / 3 }
            sum = next
        }
    }

    // MARK: Bytes

    /// Nothing for an empty sketch. Form 1: the number of items, the differences of their places, and the ranks that the places
    /// don't give. Form 2: the registers, 5 bits each.
    func write(to writer: inout BinaryWriter) {
        switch form {
        case .list(let list):
            guard !list.isEmpty else { return }
            writer.byte(1)
            writer.number(UInt64(list.count))
            var last: UInt32 = 0
            for bits in list {
                writer.number(UInt64(bits >> 5 - last))
                last = bits >> 5
            }
            for bits in list where Item(bits: bits).hasOwnRank { writer.byte(UInt8(bits & 31)) }
        case .registers(let registers):
            writer.byte(2)
            writer.append(registers.bytes)
        }
    }

    /// Nil for bytes that `write` did not write.
    init?(reading bytes: ArraySlice<UInt8>) {
        guard let first = bytes.first else { return }
        var reader = BinaryReader(bytes.dropFirst())
        switch first {
        case 1:
            guard let count = reader.number(), count <= UInt64(Self.itemLimit) else { return nil }
            var list: [UInt32] = []
            list.reserveCapacity(Int(count))
            var place: UInt64 = 0
            for index in 0..<count {
                guard let step = reader.number(), index == 0 || step > 0, step < 1 << Self.placeBits else { return nil }
                place += step
                guard place < 1 << Self.placeBits else { return nil }
                let register = UInt32(place) & 31
                let rank = register == 0 ? 0 : UInt32(register.leadingZeroBitCount) - 26
                list.append(UInt32(place) << 5 | rank)
            }
            for index in list.indices where Item(bits: list[index]).hasOwnRank {
                guard let rank = reader.byte(), (6...26).contains(rank) else { return nil }
                list[index] |= UInt32(rank)
            }
            guard reader.isAtEnd else { return nil }
            form = .list(list)
        case 2:
            guard let registers = PackedRegisters(bytes.dropFirst(), count: Self.registerCount) else { return nil }
            form = .registers(registers)
        default: return nil
        }
    }
}
