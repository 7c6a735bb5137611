import WaymarkHTTP
import WaymarkLinks
import WaymarkService

/// Finished redirects by the raw bytes of host and path, for one event loop: a hit allocates nothing, takes no lock and
/// counts no reference.
///
/// A table of small sets: a key can stand in one of four places only, which fill one line of the processor's cache;
/// neither a search nor a crowd of chosen keys takes longer. Bounded by the entries' estimated bytes.
///
/// Isolation: confined to the thread of its event loop.
final class RedirectCache {
    private struct Place {
        /// The entry's; 0 where there is none.
        var hash: UInt64 = 0
        var entry: Unmanaged<RedirectEntry>?
    }

    private static let ways = 4
    /// Entries have some eight hundred bytes. The sets are a third full then, so that hardly any has to turn a key away.
    private static let bytesPerPlace = 256

    // Behind a pointer, because arrays in a class cost checks for exclusivity and reference counts with each visit.
    // Allocated in init for as long as the object lives; every index is below `placeCount`.
    private let places: UnsafeMutablePointer<Place>
    private let placeCount: Int
    private let setMask: Int
    private let byteLimit: Int
    private(set) var byteCount = 0
    /// Chosen at random, so that nobody can choose keys that push each other out.
    private let seeds: (UInt64, UInt64)
    private var hand = 0

    init(
        byteLimit: Int, seeds: (UInt64, UInt64) = (.random(in: .min ... .max), .random(in: .min ... .max))
    ) {
        self.byteLimit = byteLimit
        self.seeds = seeds
        var sets = 1
        while sets * Self.ways * Self.bytesPerPlace < byteLimit { sets *= 2 }
        setMask = sets - 1
        placeCount = sets * Self.ways
        let line = 64
        places = UnsafeMutableRawPointer.allocate(byteCount: placeCount * MemoryLayout<Place>.stride, alignment: line)
            .bindMemory(to: Place.self, capacity: placeCount)
        places.initialize(repeating: Place(), count: placeCount)
    }

    deinit {
        for place in 0..<placeCount { places[place].entry?.release() }
        places.deallocate()
    }

    /// The entry for these bytes, borrowed until the cache changes; one whose link is stale is dropped on the way.
    @inline(__always)
    func entry(_ bytes: Span<UInt8>, _ host: ByteRange, _ path: ByteRange) -> Unmanaged<RedirectEntry>? {
        let hash = hash(bytes, host, path)
        let first = first(hash)
        for place in first..<(first &+ Self.ways) where places[place].hash == hash {
            guard let entry = places[place].entry, entry._withUnsafeGuaranteedRef({ $0.isFor(bytes, host, path) })
            else {
                continue
            }
            guard !entry._withUnsafeGuaranteedRef({ $0.cached._withUnsafeGuaranteedRef { $0.isStale } }) else {
                drop(place)
                return nil
            }
            // The shared cache does not see these visits: without a word it would drop the link.
            entry._withUnsafeGuaranteedRef { $0.cached._withUnsafeGuaranteedRef { $0.noteUse() } }
            return entry
        }
        return nil
    }

    /// Makes room for an entry and keeps it.
    func insert(_ entry: RedirectEntry) {
        let first = first(entry.hash)
        let set = first..<(first + Self.ways)
        let place =
            set.first { places[$0].hash == 0 }
            ?? set.first { places[$0].entry?.takeUnretainedValue().cached.takeUnretainedValue().isStale == true }
            ?? first + Int(truncatingIfNeeded: entry.hash) & (Self.ways - 1)
        drop(place)
        places[place] = Place(hash: entry.hash, entry: .passRetained(entry))
        byteCount += entry.byteCount
        makeRoom()
    }

    /// To be told when an entry has grown.
    func add(_ bytes: Int) {
        byteCount += bytes
        makeRoom()
    }

    /// Never 0.
    @inline(__always)
    func hash(_ bytes: Span<UInt8>, _ host: ByteRange, _ path: ByteRange) -> UInt64 {
        var hash = ByteHash(seeds: seeds)
        hash.add(bytes.extracting(host.indices).bytes)
        hash.add(bytes.extracting(path.indices).bytes)
        return hash.value | 1 << 63
    }

    static func key(_ bytes: Span<UInt8>, _ host: ByteRange, _ path: ByteRange) -> [UInt8] {
        host.copy(of: bytes) + path.copy(of: bytes)
    }

    /// The first of the places where an entry of this hash may stand.
    @inline(__always)
    private func first(_ hash: UInt64) -> Int {
        (Int(truncatingIfNeeded: hash >> 8) & setMask) &* Self.ways
    }

    private func drop(_ place: Int) {
        guard let entry = places[place].entry else { return }
        places[place] = Place()
        byteCount -= entry.takeRetainedValue().byteCount
    }

    /// Drops whatever the hand comes by: an entry that is in use comes back with the next visit.
    private func makeRoom() {
        while byteCount > byteLimit {
            drop(hand)
            hand = hand + 1 < placeCount ? hand + 1 : 0
        }
    }
}
