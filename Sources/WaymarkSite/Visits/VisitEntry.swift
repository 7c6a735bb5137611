import WaymarkBytes
import WaymarkHTTP
import WaymarkLinks
import WaymarkService

/// A cached response of one link, with the data to check that it matches a visit and to record the click. If it contains
/// a click ID, each visit gets its own. With `query`, it is also for visits with one.
///
/// Isolation: confined to the thread of its event loop.
final class VisitEntry {
    /// Host and path as received, concatenated.
    private let key: [UInt8]
    private let hostCount: Int
    private let cached: CachedLink
    /// `InvalidationEpoch` before the link was last found not to be stale. The initial value never occurs, so that the
    /// first visit checks the link and marks it as used.
    private var freshAt = Int.min
    let response: PreparedResponse
    let link: LinkID
    let destination: Click.Destination
    /// The campaign of its clicks.
    let campaign: Click.Name?
    /// The language of a page; nil for other responses.
    let language: PageLanguage?
    /// The rules of the link and its application; nil for none.
    let rules: RuleSelector?
    /// Of visitors with this response; nil without rules.
    let choice: RuleSelector.Choice?
    /// Whether it is for all visitors of the class: neither language nor rules tell them apart.
    let isForAll: Bool
    /// What admits clicks of a link with `maxClicks`.
    let quota: ClickQuota?
    /// How a query changes the response.
    var query = QueryEffect.unknown
    /// Between these times the link's state is that of the response, in milliseconds since 1970. The clock may be set
    /// back to before the first one.
    private let validFrom: Int64
    private let validUntil: Int64
    /// Whether the state changes by time alone.
    private let isTimed: Bool

    /// - Parameters:
    ///   - clickID: the ID that the response may contain.
    ///   - key: host and path as received, concatenated.
    ///   - hostCount: the length of the host.
    ///   - language: the language of a page; nil for other responses.
    ///   - rules: the rules of the link and its application, and the choice that led to this response.
    ///   - valid: when the link's state last changed by time alone, and when it does next; nil for never.
    init(
        _ status: Status, _ fields: HeaderFields, body: [UInt8] = [], clickID: ClickID? = nil,
        to destination: Click.Destination, key: [UInt8], hostCount: Int, cached: CachedLink,
        language: PageLanguage? = nil, rules: (selector: RuleSelector, choice: RuleSelector.Choice)? = nil,
        valid: (from: Timestamp?, until: Timestamp?)
    ) {
        response = PreparedResponse.make(
            status, fields: fields, body: body, route: Site.visitRoute,
            variable: clickID.map { Array($0.text.utf8) } ?? [])
        self.key = key
        self.hostCount = hostCount
        self.cached = cached
        link = cached.link.id
        self.destination = destination
        campaign = cached.campaign
        self.language = language
        self.rules = rules?.selector
        choice = rules?.choice
        isForAll = language == nil && rules == nil
        quota = cached.quota
        validFrom = valid.from?.rawValue ?? .min
        validUntil = valid.until?.rawValue ?? .max
        isTimed = valid.from != nil || valid.until != nil
    }

    @inline(__always)
    func isValid(at now: Timestamp) -> Bool {
        !isTimed || (now.rawValue >= validFrom && now.rawValue < validUntil)
    }

    /// Estimated memory.
    var byteCount: Int { response.byteCount &+ key.count &+ (rules?.byteCount ?? 0) &+ Self.fixedByteCount }
    /// This object, the array of the key, and the names of a query that is prepared, with the allocator's overhead.
    private static let fixedByteCount = 320

    /// Whether the key is this host and path.
    @inline(__always)
    func isFor(_ bytes: Span<UInt8>, _ host: ByteRange, _ path: ByteRange) -> Bool {
        guard host.count == hostCount, host.count &+ path.count == key.count else { return false }
        // unsafe because it compares through pointers: the key has as many bytes as host and path together.
        return unsafe key.withUnsafeBytes { key in
            guard let start = key.baseAddress else { return true }
            return unsafe ByteHash.areEqual(bytes.extracting(host.indices).bytes, start)
                && ByteHash.areEqual(bytes.extracting(path.indices).bytes, start + hostCount)
        }
    }

    /// Whether the response contains a click ID.
    var carriesClickID: Bool { response.isVariable }

    /// Replaces the click ID.
    func carry(_ clickID: ClickID) { response.replaceVariable(with: clickID.characters) }

    /// Whether it equals the given response, for a click with this ID.
    func says(
        _ status: Status, _ fields: HeaderFields, body: [UInt8], clickID: ClickID?, to destination: Click.Destination
    ) -> Bool {
        guard destination == self.destination else { return false }
        if let clickID, carriesClickID { carry(clickID) }
        return response.says(status, fields, body: body)
    }

    /// Writes the response to a visit with a query; false if the visit must be decided.
    ///
    /// - Parameter text: room for the parameters, so that each visit need not allocate it.
    func compose(_ plain: PlainQuery, _ bytes: Span<UInt8>, in room: PreparedResponse, _ text: inout [UInt8]) -> Bool {
        guard case .insertion(let query) = query, !query.mayAskForDetails || !plain.asksForDetails else { return false }
        text.removeAll(keepingCapacity: true)
        query.place?.append(bytes, to: &text)
        return room.compose(response, inserting: text, at: query.offset)
    }

    /// Whether its link is stale.
    ///
    /// - Parameter epoch: `InvalidationEpoch`, read before this call.
    @inline(__always)
    func isStale(_ epoch: Int) -> Bool { freshAt != epoch && !isFoundFresh(epoch) }

    /// Checks the link itself, and remembers that it is not stale.
    @inline(never)
    private func isFoundFresh(_ epoch: Int) -> Bool {
        guard !cached.isStale else { return false }
        freshAt = epoch
        // The shared cache does not see these visits; without this it would evict the link.
        cached.noteUse()
        return true
    }
}
