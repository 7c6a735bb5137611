import WaymarkHTTP
import WaymarkLinks

/// What a request that is about to be parsed asks for, most likely: so that the first memory that its answer needs is
/// fetched meanwhile.
///
/// Nothing but time depends on it: an entry is looked at before it is used. It is made of a GET for a path as clients send it,
/// at the host of the visit before; where the request turns out to be another, its tag is reckoned then.
///
/// Isolation: confined to the thread of its event loop.
final class VisitForecast {
    /// Longer hosts and paths are not foreseen.
    private static let reach = 64
    /// "GET ".
    private static let get: UInt32 = 0x2054_4547

    private let seeds: (UInt64, UInt64)
    /// The host of the visit before, and how much is known of the tag then.
    private let host = UnsafeMutableRawPointer.allocate(byteCount: reach, alignment: 8)
    // The run time would check each access to these for overlap with another. Unchecked because there is none.
    @exclusivity(unchecked) private var hostCount = 0
    @exclusivity(unchecked) private var hashOfHost: ByteHash
    /// Where the path stands that was foreseen; empty for none.
    @exclusivity(unchecked) private var path = ByteRange.empty
    @exclusivity(unchecked) private var tag: UInt32 = 0

    /// - Parameter seeds: the cache's, in which the tags are looked for.
    init(seeds: (UInt64, UInt64)) {
        self.seeds = seeds
        hashOfHost = ByteHash(seeds: seeds)
    }

    deinit { host.deallocate() }

    /// The tag that the request will have; nil where that can't be told.
    ///
    /// - Parameter bytes: what is parsed next; with other bytes the next visit would be looked for in vain.
    @inline(__always)
    func foresee(_ bytes: Span<UInt8>) -> UInt32? {
        path = .empty
        let bytes = bytes.bytes
        // Unchecked loads, because a loop over single bytes costs several times as much. They are sound: each ends at or
        // below the count that is checked here.
        guard hostCount > 0, bytes.byteCount >= 4 &+ Self.reach,
            UInt32(littleEndian: bytes.unsafeLoadUnaligned(fromUncheckedByteOffset: 0, as: UInt32.self)) == Self.get
        else { return nil }
        var position = 4
        while position < 4 &+ Self.reach {
            let word = bytes.unsafeLoadUnaligned(fromUncheckedByteOffset: position, as: UInt64.self)
            let difference = UInt64(littleEndian: word) ^ 0x2020_2020_2020_2020
            let spaces = (difference &- 0x0101_0101_0101_0101) & ~difference & 0x8080_8080_8080_8080
            if spaces != 0 {
                path = ByteRange(4, position &+ spaces.trailingZeroBitCount &>> 3)
                var hash = hashOfHost
                hash.add(bytes.extracting(path.indices))
                tag = RedirectCache.tag(hash)
                return tag
            }
            position &+= 8
        }
        return nil
    }

    /// The tag of a request's host and path. Remembers the host.
    @inline(__always)
    func tag(of head: RequestHead, _ bytes: Span<UInt8>) -> UInt32 {
        // A path is foreseen once: what is parsed without having been looked at is another.
        defer { path = .empty }
        let name = bytes.extracting(head.host.indices).bytes
        if hostCount > 0, name.byteCount == hostCount, ByteHash.areEqual(name, host) {
            if path == head.path { return tag }
        } else {
            hashOfHost = ByteHash(seeds: seeds)
            hashOfHost.add(name)
            hostCount = name.byteCount <= Self.reach ? name.byteCount : 0
            name.withUnsafeBytes {
                host.copyMemory(from: $0.baseAddress ?? UnsafeRawPointer(host), byteCount: hostCount)
            }
        }
        var hash = hashOfHost
        hash.add(bytes.extracting(head.path.indices).bytes)
        return RedirectCache.tag(hash)
    }
}
