/// Gives each different key a number: 0, 1, 2 and on, in the order in which they first come.
///
/// Instead of a Dictionary where every click passes through, because keys are hashed word by word and moved only once.
struct Numbering<Key: Equatable> {
    private(set) var keys: [Key] = []
    private var hashes: [UInt64] = []
    /// A key's number and one, or 0 where none is; at most half of them are taken.
    private var places = [UInt32](repeating: 0, count: 64)
    private let seeds: (UInt64, UInt64) = (.random(in: .min ... .max), .random(in: .min ... .max))

    /// - Parameter fold: adds to the hash what equal keys have alike.
    @inline(__always)
    mutating func number(of key: Key, fold: (inout ByteHash) -> Void) -> Int {
        var hash = ByteHash(seeds: seeds)
        fold(&hash)
        var place = Int(truncatingIfNeeded: hash.value) & (places.count - 1)
        while places[place] != 0 {
            let number = Int(places[place]) - 1
            if hashes[number] == hash.value, keys[number] == key { return number }
            place = (place + 1) & (places.count - 1)
        }
        return add(key, hash.value)
    }

    @inline(never)
    private mutating func add(_ key: Key, _ hash: UInt64) -> Int {
        keys.append(key)
        hashes.append(hash)
        if keys.count * 2 > places.count {
            places = [UInt32](repeating: 0, count: places.count * 2)
            for number in hashes.indices.dropLast() { enter(number) }
        }
        enter(keys.count - 1)
        return keys.count - 1
    }

    private mutating func enter(_ number: Int) {
        var place = Int(truncatingIfNeeded: hashes[number]) & (places.count - 1)
        while places[place] != 0 { place = (place + 1) & (places.count - 1) }
        places[place] = UInt32(number + 1)
    }
}

extension Numbering: Sendable where Key: Sendable {}
