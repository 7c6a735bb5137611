import WaymarkBytes
import WaymarkHTTP
import WaymarkLinks
import WaymarkService

/// A finished answer of one link, for visits that bring no query, with whatever is needed to see that it is the one asked
/// for and to record the click. Where a click's id stands in it, each visit gets one of its own.
///
/// Out of many links each is mostly far from the processor, so all of it is one piece of memory: in front of the response a
/// head, then host and path as they came.
///
/// A reference that is not counted: `make` makes it, `release` ends it. `VisitCache` owns them.
///
/// Isolation: confined to the thread of its event loop.
///
/// Safety: the response is retained once by `make` and released once by `release`; head and key lie in the annotation that
/// `make` allocated with it, as long as `keyCount` says. `VisitCache` releases an entry when it drops it and hands none out
/// for longer than that, so no copy is used after `release`.
@safe
struct VisitEntry {
    @safe
    private struct Head {
        let hostCount: Int32
        let keyCount: Int32
        /// `InvalidationEpoch` before the link was last seen not to be stale. At first a number that it never has, so that the first
        /// visit looks at the link, and says that it is in use.
        var freshAt = Int.min
        let validUntil: Int64
        let link: LinkID
        // Unmanaged, because they would be counted with each look otherwise; the references are the entry's own.
        let campaign: Unmanaged<Click.Name>?
        let cached: Unmanaged<CachedLink>
        let destination: Click.Destination
        let language: PageLanguage?
    }

    /// Good until the entry is released.
    let response: Unmanaged<PreparedResponse>

    /// - Parameters:
    ///   - clickID: the one that may stand in the answer.
    ///   - key: host and path as they came, one behind the other.
    ///   - language: of a page; nil for what is in none.
    ///   - validUntil: when time alone changes what the link is; nil for never.
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
    /// Of a page; nil for what is in none.
    @inline(__always)
    var language: PageLanguage? { unsafe head.pointee.language }
    /// Of its clicks.
    var campaign: Click.Name? { unsafe head.pointee.campaign?.takeUnretainedValue() }
    /// When time alone changes what the link is; `.max`: never.
    var validUntil: Int64 { unsafe head.pointee.validUntil }
    /// Estimated memory.
    var byteCount: Int { unsafe response._withUnsafeGuaranteedRef { $0.byteCount } }

    /// Whether host and path are these.
    @inline(__always)
    func isFor(_ bytes: Span<UInt8>, _ host: ByteRange, _ path: ByteRange) -> Bool {
        let hostCount = unsafe Int(head.pointee.hostCount)
        guard host.count == hostCount, unsafe host.count &+ path.count == Int(head.pointee.keyCount) else {
            return false
        }
        return unsafe ByteHash.areEqual(bytes.extracting(host.indices).bytes, key)
            && ByteHash.areEqual(bytes.extracting(path.indices).bytes, key + hostCount)
    }

    /// Whether a click's id stands in it.
    @inline(__always)
    var carriesClickID: Bool { unsafe response._withUnsafeGuaranteedRef { $0.isVariable } }

    /// Makes it the answer to another click.
    @inline(__always)
    func carry(_ clickID: ClickID) {
        unsafe response._withUnsafeGuaranteedRef { $0.replaceVariable(with: clickID.characters) }
    }

    /// Whether it says what would be said now, to the click with that id.
    func says(
        _ status: Status, _ fields: HeaderFields, body: [UInt8], clickID: ClickID?, to destination: Click.Destination
    ) -> Bool {
        guard destination == self.destination else { return false }
        if let clickID, carriesClickID { carry(clickID) }
        return unsafe response._withUnsafeGuaranteedRef { $0.says(status, fields, body: body) }
    }

    /// Whether its link is stale.
    ///
    /// - Parameter count: `InvalidationEpoch`, read before this is asked.
    @inline(__always)
    func isStale(_ count: Int) -> Bool {
        unsafe head.pointee.freshAt != count && !isFoundFresh(count)
    }

    /// Looks at the link itself; remembers where it is not stale.
    @inline(never)
    private func isFoundFresh(_ count: Int) -> Bool {
        unsafe head.pointee.cached._withUnsafeGuaranteedRef { cached in
            guard !cached.isStale else { return false }
            unsafe head.pointee.freshAt = count
            // The shared cache does not see these visits: without a word it would drop the link.
            cached.noteUse()
            return true
        }
    }

    // Where the parts stand; they live as long as the response.

    @inline(__always)
    private var annotation: UnsafeMutableRawPointer {
        unsafe response._withUnsafeGuaranteedRef { unsafe $0.annotation }
    }

    @inline(__always)
    private var head: UnsafeMutablePointer<Head> { unsafe annotation.assumingMemoryBound(to: Head.self) }

    @inline(__always)
    private var key: UnsafeMutableRawPointer { unsafe annotation + MemoryLayout<Head>.stride }
}
