import WaymarkBytes
import WaymarkHTTP
import WaymarkLinks
import WaymarkService

/// A cached response of one link, with the data to check that it matches a visit and to record the click. If it contains
/// a click ID, each visit gets its own. With `query`, it is also for visits with one.
///
/// An event loop may have millions of them, so what few links have is in an object of its own.
///
/// Isolation: confined to the thread of its event loop.
final class VisitEntry {
    private let cached: CachedLink
    /// `InvalidationEpoch` before the link was last found not to be stale. The initial value never occurs, so that the
    /// first visit checks the link and marks it as used.
    private var freshAt = Int.min
    /// Its label is host and path as received, concatenated.
    let response: PreparedResponse
    let link: LinkID
    private let extras: Extras?
    /// How a query changes the response.
    fileprivate(set) var query = QueryEffect.unknown
    private let hostCount: Int32
    let destination: Click.Destination
    /// Whether it is for all visitors of the class: neither language nor rules tell them apart.
    let isForAll: Bool
    /// Whether the key has a query: that of a long link, which has its parameters there.
    let isLongLink: Bool

    private final class Extras {
        let campaign: Click.Name?
        let language: PageLanguage?
        let rules: RuleSelector?
        let choice: RuleSelector.Choice?
        let rule: ClickRule
        let ruleMark: ClickRuleMark
        let quota: ClickQuota?
        let clickDetail: ClickDetail
        /// Of a long link: the secret of its click IDs.
        let clickSecret: SipHash?
        let generation: UInt64?
        /// Between these times the link's state is that of the response. The clock may be set back to before the first
        /// one.
        let valid: (from: Timestamp?, until: Timestamp?)

        init(
            _ campaign: Click.Name?, _ language: PageLanguage?,
            _ rules: (selector: RuleSelector, choice: RuleSelector.Choice)?, _ applied: AppliedRule?,
            _ cached: CachedLink,
            _ generation: UInt64?,
            _ valid: (from: Timestamp?, until: Timestamp?)
        ) {
            self.campaign = campaign
            self.language = language
            self.rules = rules?.selector
            choice = rules?.choice
            rule = cached.clickRule(applied)
            ruleMark = cached.ruleMark(applied)
            quota = cached.quota
            clickDetail = cached.clickDetail
            clickSecret = cached.clickSecret
            self.generation = generation
            self.valid = valid
        }
    }

    /// - Parameters:
    ///   - clickID: the ID that the response may contain.
    ///   - key: host and path as received, concatenated.
    ///   - hostCount: the length of the host.
    ///   - link: the number under which clicks are recorded.
    ///   - campaign: of its clicks.
    ///   - generation: of a long link: that of the directory in which it was found.
    ///   - language: the language of a page; nil for other responses.
    ///   - rules: the rules of the link and its application, and the choice that led to this response.
    ///   - rule: the one that decided.
    ///   - valid: when the link's state last changed by time alone, and when it does next; nil for never.
    ///   - heads: those that redirects share.
    init(
        _ status: Status, _ fields: HeaderFields, body: [UInt8] = [], clickID: ClickID? = nil,
        to destination: Click.Destination, key: [UInt8], hostCount: Int, cached: CachedLink,
        link: LinkID, campaign: Click.Name?, generation: UInt64? = nil, language: PageLanguage? = nil,
        rules: (selector: RuleSelector, choice: RuleSelector.Choice)? = nil, rule: AppliedRule? = nil,
        valid: (from: Timestamp?, until: Timestamp?), heads: SharedHeads
    ) {
        response = PreparedResponse.make(
            status, fields: fields, body: body, route: Site.visitRoute,
            variable: clickID.map { Array($0.text.utf8) } ?? [], label: key, heads: heads)
        self.hostCount = Int32(hostCount)
        self.cached = cached
        self.link = link
        isLongLink = cached.clickSecret != nil
        self.destination = destination
        isForAll = language == nil && rules == nil
        let isOrdinary =
            isForAll && !isLongLink && campaign == nil && cached.quota == nil && valid.from == nil
            && valid.until == nil && cached.clickDetail == .full
        extras = isOrdinary ? nil : Extras(campaign, language, rules, rule, cached, generation, valid)
    }

    /// Whether no campaign, limit or time is to be looked at, and clicks are recorded in full.
    var isOrdinary: Bool { extras == nil }
    /// The campaign of its clicks.
    var campaign: Click.Name? { extras?.campaign }
    /// The language of a page; nil for other responses.
    var language: PageLanguage? { extras?.language }
    /// The rules of the link and its application; nil for none.
    var rules: RuleSelector? { extras?.rules }
    /// Of visitors with this response; nil without rules.
    var choice: RuleSelector.Choice? { extras?.choice }
    /// The rule that decided.
    var rule: ClickRule { extras?.rule ?? .none }
    /// The same, for click IDs.
    var ruleMark: ClickRuleMark { extras?.ruleMark ?? .none }
    /// What admits clicks of a link with `maxClicks`.
    var quota: ClickQuota? { extras?.quota }
    /// How much of its clicks is stored.
    var clickDetail: ClickDetail { extras?.clickDetail ?? .full }
    /// Of a long link: the secret of its click IDs.
    var clickSecret: SipHash? { extras?.clickSecret }
    /// Of a long link: that of the directory in which it was found.
    var generation: UInt64? { extras?.generation }

    func isValid(at now: Timestamp) -> Bool {
        guard let valid = extras?.valid else { return true }
        return valid.from.map { now >= $0 } ?? true && valid.until.map { now < $0 } ?? true
    }

    /// Estimated memory.
    var byteCount: Int {
        var count = response.byteCount &+ Self.fixedByteCount
        if let extras { count &+= Self.extrasByteCount &+ (extras.rules?.byteCount ?? 0) }
        if case .insertion(let query) = query { count &+= query.byteCount }
        return count
    }
    /// This object, with the allocator's overhead.
    private static let fixedByteCount = 96
    private static let extrasByteCount = 128

    /// Whether the key is this host and path.
    @inline(__always)
    func isFor(_ bytes: Span<UInt8>, _ host: ByteRange, _ path: ByteRange) -> Bool {
        // unsafe because it compares through pointers: the label has as many bytes as host and path together.
        let key = unsafe response.label
        guard host.count == Int(hostCount), host.count &+ path.count == key.count, let start = key.baseAddress
        else { return false }
        return unsafe ByteHash.areEqual(bytes.extracting(host.indices).bytes, start)
            && ByteHash.areEqual(bytes.extracting(path.indices).bytes, start + host.count)
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

extension VisitCache {
    /// Notes how a query changes a response.
    ///
    /// - Precondition: the entry is in this cache.
    func prepare(_ entry: VisitEntry, _ effect: QueryEffect) {
        let before = entry.byteCount
        entry.query = effect
        grew(by: entry.byteCount - before)
    }
}
