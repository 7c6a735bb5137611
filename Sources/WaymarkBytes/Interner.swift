/// Gives each different key a number: 0, 1, 2 and on, in the order in which they first come.
///
/// Instead of a Dictionary where every click passes through, because keys are hashed word by word and moved only once.
@usableFromInline
package struct Interner<Key: Equatable> {
    @usableFromInline package internal(set) var keys: [Key] = []
    @usableFromInline var hashes: [UInt64] = []
    /// A key's number and one, or 0 where none is; at most half of them are taken.
    @usableFromInline var indexes = [UInt32](repeating: 0, count: 64)
    @usableFromInline let seeds: (UInt64, UInt64) = (.random(in: .min ... .max), .random(in: .min ... .max))

    @inlinable package init() {}

    /// - Parameter fold: adds to the hash what equal keys have alike.
    @inlinable @inline(__always)
    package mutating func number(of key: Key, fold: (inout ByteHash) -> Void) -> Int {
        var hash = ByteHash(seeds: seeds)
        fold(&hash)
        var index = Int(truncatingIfNeeded: hash.value) & (indexes.count - 1)
        while indexes[index] != 0 {
            let number = Int(indexes[index]) - 1
            if hashes[number] == hash.value, keys[number] == key { return number }
            index = (index + 1) & (indexes.count - 1)
        }
        return add(key, hash.value)
    }

    /// The number of a key that came before; nil for a new one, which gets none.
    package func existing(_ key: Key, fold: (inout ByteHash) -> Void) -> Int? {
        var hash = ByteHash(seeds: seeds)
        fold(&hash)
        var index = Int(truncatingIfNeeded: hash.value) & (indexes.count - 1)
        while indexes[index] != 0 {
            let number = Int(indexes[index]) - 1
            if hashes[number] == hash.value, keys[number] == key { return number }
            index = (index + 1) & (indexes.count - 1)
        }
        return nil
    }

    @inlinable @inline(never)
    mutating func add(_ key: Key, _ hash: UInt64) -> Int {
        keys.append(key)
        hashes.append(hash)
        if keys.count * 2 > indexes.count {
            indexes = [UInt32](repeating: 0, count: indexes.count * 2)
            for number in hashes.indices.dropLast() { enter(number) }
        }
        enter(keys.count - 1)
        return keys.count - 1
    }

    @inlinable
    mutating func enter(_ number: Int) {
        var index = Int(truncatingIfNeeded: hashes[number]) & (indexes.count - 1)
        while indexes[index] != 0 { index = (index + 1) & (indexes.count - 1) }
        indexes[index] = UInt32(number + 1)
    }
}

extension Interner: Sendable where Key: Sendable {}
