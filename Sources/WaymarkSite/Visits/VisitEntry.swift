import WaymarkBytes
import WaymarkHTTP
import WaymarkLinks
import WaymarkService

/// A cached response of one link, for visits without a query, with the data to check that it matches a visit and to
/// record the click. If it contains a click ID, each visit gets its own.
///
/// With many links, an entry is usually not in the CPU's caches, so all of it is contiguous: a header, then host and
/// path as received, then the response.
///
/// An uncounted reference: `make` creates it, `release` ends it. `VisitCache` owns them.
///
/// Isolation: confined to the thread of its event loop.
///
/// Safety: the response is retained once by `make` and released once by `release`; header and key are in the annotation
/// that `make` allocated with it, with the length in `keyCount`. `VisitCache` releases an entry when it drops it and
/// never returns one for longer than that, so no copy is used after `release`.
@safe
struct VisitEntry {
    @safe
    private struct Head {
        let hostCount: Int32
        let keyCount: Int32
        /// The value of `InvalidationEpoch` before the link was last found to be fresh. Starts at a value the epoch
        /// never takes, so the first visit checks the link and marks it used.
        var freshAt = Int.min
        let validUntil: Int64
        let link: LinkID
        // Unmanaged, because each access would count references otherwise; the references are the entry's own.
        let campaign: Unmanaged<Click.Name>?
        let cached: Unmanaged<CachedLink>
        let destination: Click.Destination
        let language: PageLanguage?
    }

    /// Valid until the entry is released.
    let response: Unmanaged<PreparedResponse>

    /// - Parameters:
    ///   - clickID: the ID that the response may contain.
    ///   - key: host and path as received, concatenated.
    ///   - language: the language of a page; nil for other responses.
    ///   - validUntil: when the link's state changes by time alone; nil for never.
    static func make(
        _ status: Status, _ fields: HeaderFields, body: [UInt8] = [], clickID: ClickID? = nil,
        to destination: Click.Destination, key: [UInt8], hostCount: Int, cached: CachedLink,
        language: PageLanguage? = nil, validUntil: Timestamp?
    ) -> VisitEntry {
        let response = PreparedResponse.make(
            status, fields: fields, body: body, route: Site.visitRoute,
            annotationCount: MemoryLayout<Head>.stride + (key.count + 7) & ~7,
            variable: clickID.map { Array($0.text.utf8) } ?? [])
        let entry = unsafe VisitEntry(response: .passRetained(response))
        unsafe entry.head.initialize(
            to: Head(
                hostCount: Int32(hostCount), keyCount: Int32(key.count),
                validUntil: validUntil?.rawValue ?? .max, link: cached.link.id,
                campaign: cached.campaign.map { unsafe .passRetained($0) }, cached: unsafe .passRetained(cached),
                destination: destination, language: language))
        unsafe key.withUnsafeBytes {
            unsafe entry.key.copyMemory(from: $0.baseAddress ?? UnsafeRawPointer(entry.key), byteCount: $0.count)
        }
        return entry
    }

    func release() {
        unsafe head.pointee.campaign?.release()
        unsafe head.pointee.cached.release()
        unsafe response.release()
    }

    var link: LinkID { unsafe head.pointee.link }
    var destination: Click.Destination { unsafe head.pointee.destination }
    /// The language of a page; nil for other responses.
    @inline(__always)
    var language: PageLanguage? { unsafe head.pointee.language }
    /// The campaign of its clicks.
    var campaign: Click.Name? { unsafe head.pointee.campaign?.takeUnretainedValue() }
    /// When the link's state changes by time alone; `.max`: never.
    var validUntil: Int64 { unsafe head.pointee.validUntil }
    /// Estimated memory.
    var byteCount: Int { unsafe response._withUnsafeGuaranteedRef { $0.byteCount } }

    /// Whether the key is this host and path.
    @inline(__always)
    func isFor(_ bytes: Span<UInt8>, _ host: ByteRange, _ path: ByteRange) -> Bool {
        let hostCount = unsafe Int(head.pointee.hostCount)
        guard host.count == hostCount, unsafe host.count &+ path.count == Int(head.pointee.keyCount) else {
            return false
        }
        return unsafe ByteHash.areEqual(bytes.extracting(host.indices).bytes, key)
            && ByteHash.areEqual(bytes.extracting(path.indices).bytes, key + hostCount)
    }

    /// Whether the response contains a click ID.
    @inline(__always)
    var carriesClickID: Bool { unsafe response._withUnsafeGuaranteedRef { $0.isVariable } }

    /// Replaces the click ID.
    @inline(__always)
    func carry(_ clickID: ClickID) {
        unsafe response._withUnsafeGuaranteedRef { $0.replaceVariable(with: clickID.characters) }
    }

    /// Whether it equals the given response, for a click with this ID.
    func says(
        _ status: Status, _ fields: HeaderFields, body: [UInt8], clickID: ClickID?, to destination: Click.Destination
    ) -> Bool {
        guard destination == self.destination else { return false }
        if let clickID, carriesClickID { carry(clickID) }
        return unsafe response._withUnsafeGuaranteedRef { $0.says(status, fields, body: body) }
    }

    /// Whether its link is stale.
    ///
    /// - Parameter count: the `InvalidationEpoch`, read before this call.
    @inline(__always)
    func isStale(_ count: Int) -> Bool {
        unsafe head.pointee.freshAt != count && !isFoundFresh(count)
    }

    /// Checks the link itself, and remembers the epoch if it is fresh.
    @inline(never)
    private func isFoundFresh(_ count: Int) -> Bool {
        unsafe head.pointee.cached._withUnsafeGuaranteedRef { cached in
            guard !cached.isStale else { return false }
            unsafe head.pointee.freshAt = count
            // The shared cache does not see these visits, and would evict the link without this call.
            cached.noteUse()
            return true
        }
    }

    // Addresses of the parts; they live as long as the response.

    @inline(__always)
    private var annotation: UnsafeMutableRawPointer {
        unsafe response._withUnsafeGuaranteedRef { unsafe $0.annotation }
    }

    @inline(__always)
    private var head: UnsafeMutablePointer<Head> { unsafe annotation.assumingMemoryBound(to: Head.self) }

    @inline(__always)
    private var key: UnsafeMutableRawPointer { unsafe annotation + MemoryLayout<Head>.stride }
}
