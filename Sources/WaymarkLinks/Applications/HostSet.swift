/// A set of up to hundreds of thousands of host patterns: `bad.example` is this host, `*.bad.example` its subdomains.
/// The cost of a lookup depends on the length of the host, not on the number of patterns.
///
/// Names are concatenated in one array and found through a hash table of offsets: a set of 300,000 hosts takes about
/// 10 MB, without an allocation per host.
package struct HostSet: Sendable, Equatable {
    /// For each name: its length, its kinds of pattern, and its bytes.
    private var names: [UInt8] = []
    /// Open addressing; the offset of the name plus one, or 0 if free. Its length is a power of two.
    private var table: [UInt32]
    /// The number of distinct names.
    package private(set) var count = 0

    private static let isExact: UInt8 = 1
    private static let isBelow: UInt8 = 2

    /// - Parameter capacity: the expected number of names; the set can grow beyond it.
    package init(capacity: Int = 0) {
        var size = 8
        while size < capacity * 2 { size *= 2 }
        table = Array(repeating: 0, count: size)
        names.reserveCapacity(capacity * 20)
    }

    package init(_ patterns: some Collection<HostPattern>) {
        self.init(capacity: patterns.count)
        for pattern in patterns { insert(pattern) }
    }

    package var isEmpty: Bool { count == 0 }

    package mutating func insert(_ pattern: HostPattern) {
        insert(Array(pattern.host.text.utf8), isBelow: pattern.isBelow)
    }

    /// - Parameter name: in the form of a `HostName`: lower case, at most 253 bytes, no trailing dot.
    mutating func insert(_ name: [UInt8], isBelow: Bool) {
        if count * 2 >= table.count { grow() }
        let kind = isBelow ? Self.isBelow : Self.isExact
        var hash = Self.seed
        var index = name.count
        while index > 0 {
            index -= 1
            Self.add(name[index], to: &hash)
        }
        var slot = slot(of: hash)
        while table[slot] != 0 {
            let position = Int(table[slot] - 1)
            if isEqual(position, name, from: 0) {
                names[position + 1] |= kind
                return
            }
            slot = (slot + 1) & (table.count - 1)
        }
        table[slot] = UInt32(names.count + 1)
        names.append(UInt8(name.count))
        names.append(kind)
        names.append(contentsOf: name)
        count += 1
    }

    package func contains(_ host: HostName) -> Bool {
        guard count > 0 else { return false }
        let bytes = Array(host.text.utf8)
        // Backwards, so that at each dot the hash of the text after it is known.
        var hash = Self.seed
        var index = bytes.count
        while index > 0 {
            if bytes[index - 1] == UInt8(ascii: "."), finds(bytes, from: index, hash, Self.isBelow) { return true }
            index -= 1
            Self.add(bytes[index], to: &hash)
        }
        return finds(bytes, from: 0, hash, Self.isExact)
    }

    private func finds(_ name: [UInt8], from start: Int, _ hash: UInt64, _ kind: UInt8) -> Bool {
        var slot = slot(of: hash)
        while table[slot] != 0 {
            let position = Int(table[slot] - 1)
            if isEqual(position, name, from: start) { return names[position + 1] & kind != 0 }
            slot = (slot + 1) & (table.count - 1)
        }
        return false
    }

    @inline(__always)
    private func isEqual(_ position: Int, _ name: [UInt8], from start: Int) -> Bool {
        let count = name.count - start
        guard Int(names[position]) == count else { return false }
        var index = 0
        while index < count {
            guard names[position + 2 + index] == name[start + index] else { return false }
            index += 1
        }
        return true
    }

    private mutating func grow() {
        table = Array(repeating: 0, count: table.count * 2)
        var position = 0
        while position < names.count {
            let end = position + 2 + Int(names[position])
            var hash = Self.seed
            var index = end
            while index > position + 2 {
                index -= 1
                Self.add(names[index], to: &hash)
            }
            var slot = slot(of: hash)
            while table[slot] != 0 { slot = (slot + 1) & (table.count - 1) }
            table[slot] = UInt32(position + 1)
            position = end
        }
    }

    // FNV-1a (Fowler, Noll and Vo). Only the operator chooses the names, so collisions can't be planted; a looked-up
    // host can only follow existing chains.
    private static let seed: UInt64 = 0xCBF2_9CE4_8422_2325

    @inline(__always)
    private static func add(_ byte: UInt8, to hash: inout UInt64) {
        hash = (hash ^ UInt64(byte)) &* 0x100_0000_01B3
    }

    private func slot(of hash: UInt64) -> Int {
        Int(truncatingIfNeeded: hash ^ (hash >> 32)) & (table.count - 1)
    }
}
