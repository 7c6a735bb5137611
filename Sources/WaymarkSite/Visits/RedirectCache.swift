import WaymarkHTTP
import WaymarkService

/// Finished redirects by the raw bytes of host and path, for one event loop: a hit allocates nothing and takes no lock.
///
/// A table of small sets: a key can stand in one of four places only, so neither a search nor a crowd of chosen keys
/// takes longer than four comparisons. Bounded by the entries' estimated bytes.
///
/// Isolation: confined to the thread of its event loop.
struct RedirectCache {
    private static let ways = 4
    /// Links that are asked for at once have a few hundred bytes; the table has a place for each.
    private static let bytesPerPlace = 2_048

    private var places: [RedirectEntry?]
    private let setMask: Int
    private let byteLimit: Int
    private(set) var byteCount = 0
    /// Chosen at random, so that nobody can choose keys that push each other out.
    private let seed: UInt64
    private var hand = 0

    init(byteLimit: Int, seed: UInt64 = .random(in: .min ... .max)) {
        self.byteLimit = byteLimit
        self.seed = seed
        var sets = 1
        while sets * Self.ways * Self.bytesPerPlace < byteLimit { sets *= 2 }
        setMask = sets - 1
        places = Array(repeating: nil, count: sets * Self.ways)
    }

    /// The entry for these bytes; one whose link is stale is dropped on the way.
    mutating func entry(_ bytes: Span<UInt8>, _ host: ByteRange, _ path: ByteRange) -> RedirectEntry? {
        let hash = hash(bytes, host, path)
        let first = (Int(truncatingIfNeeded: hash) & setMask) * Self.ways
        for place in first..<(first + Self.ways) {
            guard let entry = places[place], entry.hash == hash, Self.isKey(entry.key, bytes, host, path) else {
                continue
            }
            guard !entry.cached.isStale else {
                drop(place)
                return nil
            }
            return entry
        }
        return nil
    }

    /// Makes room for an entry and keeps it.
    mutating func insert(_ entry: RedirectEntry) {
        let first = (Int(truncatingIfNeeded: entry.hash) & setMask) * Self.ways
        let set = first..<(first + Self.ways)
        let place =
            set.first { places[$0] == nil } ?? set.first { places[$0]?.cached.isStale == true }
            ?? first + Int(truncatingIfNeeded: entry.hash >> 32) & (Self.ways - 1)
        drop(place)
        places[place] = entry
        byteCount += entry.byteCount
        makeRoom()
    }

    /// To be told when an entry has grown.
    mutating func add(_ bytes: Int) {
        byteCount += bytes
        makeRoom()
    }

    func hash(_ bytes: Span<UInt8>, _ host: ByteRange, _ path: ByteRange) -> UInt64 {
        var hash = seed
        for position in host.indices { hash = Self.mixed(hash, bytes[position]) }
        hash = Self.mixed(hash, UInt8(ascii: "\n"))
        for position in path.indices { hash = Self.mixed(hash, bytes[position]) }
        return hash ^ hash >> 29
    }

    static func key(_ bytes: Span<UInt8>, _ host: ByteRange, _ path: ByteRange) -> [UInt8] {
        host.copy(of: bytes) + path.copy(of: bytes)
    }

    /// A byte a step: keys are short, and the multiplication spreads the seed over all of them.
    private static func mixed(_ hash: UInt64, _ byte: UInt8) -> UInt64 {
        let word = (hash ^ UInt64(byte)) &* 0x9E37_79B9_7F4A_7C15
        return word ^ word >> 32
    }

    private static func isKey(_ key: [UInt8], _ bytes: Span<UInt8>, _ host: ByteRange, _ path: ByteRange) -> Bool {
        guard key.count == host.count + path.count else { return false }
        let key = key.span
        var place = 0
        for position in host.indices {
            if key[place] != bytes[position] { return false }
            place += 1
        }
        for position in path.indices {
            if key[place] != bytes[position] { return false }
            place += 1
        }
        return true
    }

    private mutating func drop(_ place: Int) {
        guard let entry = places[place] else { return }
        byteCount -= entry.byteCount
        places[place] = nil
    }

    /// Drops whatever the hand comes by: an entry that is in use comes back with the next visit.
    private mutating func makeRoom() {
        while byteCount > byteLimit {
            drop(hand)
            hand = hand + 1 < places.count ? hand + 1 : 0
        }
    }
}
