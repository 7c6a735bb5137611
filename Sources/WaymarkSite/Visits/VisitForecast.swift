import WaymarkHTTP
import WaymarkLinks

/// What a request that is about to be parsed asks for, most likely: so that the first memory that its answer needs is
/// fetched meanwhile.
///
/// Nothing but time depends on it: an entry is looked at before it is used. It is made of a GET for a path as clients send it,
/// at the host of the visit before; where the request turns out to be another, its tag is reckoned then.
///
/// Isolation: confined to the thread of its event loop.
///
/// Safety: `host` is allocated with the object and freed in `deinit`. `hostCount` is at most `reach`, its size. Unchecked
/// exclusivity is sound on one thread: no access to these properties calls back into this object.
@safe
final class VisitForecast {
    /// Hosts that are longer are not remembered, nor is a path foreseen that ends further behind.
    private static let reach = 64

    private let answers: VisitCache
    /// The host of the visit before, and what it makes of the tags of its paths; a count of 0 before the first.
    private let host = UnsafeMutableRawPointer.allocate(byteCount: reach, alignment: 8)
    // The run time would check each access to these for overlap with another. Unchecked because there is none.
    @exclusivity(unchecked) private var hostCount = 0
    @exclusivity(unchecked) private var hashOfHost: ByteHash
    /// Where the path stands that was foreseen; empty for none.
    @exclusivity(unchecked) private var path = ByteRange.empty
    @exclusivity(unchecked) private var tag: UInt32 = 0

    /// - Parameter answers: where the tags are looked for.
    init(_ answers: VisitCache) {
        self.answers = answers
        unsafe hashOfHost = answers.hash(.empty, in: Span())
    }

    deinit { unsafe host.deallocate() }

    /// The tag that the request will have; nil where that can't be told.
    ///
    /// - Parameter bytes: what is parsed next; with other bytes the next visit would be looked for in vain.
    @inline(__always)
    func foresee(_ bytes: Span<UInt8>) -> UInt32? {
        unsafe path = .empty
        guard unsafe hostCount > 0, bytes.count >= 4 + Self.reach,
            let path = RequestParser.foreseenPath(bytes.extracting(first: 4 + Self.reach))
        else { return nil }
        unsafe self.path = path
        unsafe tag = unsafe VisitCache.tag(path, in: bytes, at: hashOfHost)
        return unsafe tag
    }

    /// The tag of a request's host and path. Remembers the host.
    @inline(__always)
    func tag(of head: RequestHead, _ bytes: Span<UInt8>) -> UInt32 {
        // A path is foreseen once: what is parsed without having been looked at is another.
        defer { unsafe path = .empty }
        let name = unsafe bytes.extracting(head.host.indices).bytes
        if unsafe hostCount > 0, unsafe name.byteCount == hostCount, unsafe ByteHash.areEqual(name, host) {
            if unsafe path == head.path { return unsafe tag }
        } else {
            unsafe hashOfHost = answers.hash(head.host, in: bytes)
            unsafe hostCount = name.byteCount <= Self.reach ? name.byteCount : 0
            unsafe name.withUnsafeBytes {
                unsafe host.copyMemory(from: $0.baseAddress ?? UnsafeRawPointer(host), byteCount: hostCount)
            }
        }
        return unsafe VisitCache.tag(head.path, in: bytes, at: hashOfHost)
    }
}
