/// Which rules decide a visit, without the destination: for event loops that have the response to each choice.
///
/// Holds copies of its own, because counting references to the rules of a link would write memory that other loops read.
/// `RuleSearch` selects the same rules.
package struct RuleSelector: Sendable {
    private let own: RuleList
    private let shared: RuleList

    package init(own: RuleList, shared: RuleList) {
        self.own = own
        self.shared = shared
    }

    /// The fields of a request that a choice depends on.
    package var looksAt: RuleFields { own.looksAt.union(shared.looksAt) }

    /// The chosen rules: those of the link, then those of the application; 0 where none matches.
    package struct Choice: Sendable, Equatable {
        var rule: UInt16
        /// For the iPad that the visitor may have.
        var onIPad: UInt16 = 0

        /// Different for each choice.
        package var number: UInt32 { UInt32(rule) << 16 | UInt32(onIPad) }
    }

    package func choice(_ visitor: Visitor, at now: Timestamp) -> Choice {
        let first = rule(visitor, on: visitor.platform, at: now)
        guard visitor.platform == .macos, visitor.mayBeIPad, visitor.bot == nil else { return Choice(rule: first) }
        return Choice(rule: first, onIPad: rule(visitor, on: .ipad, at: now))
    }

    private func rule(_ visitor: Visitor, on platform: Platform, at now: Timestamp) -> UInt16 {
        if let number = own.first(visitor, on: platform, at: now) { return UInt16(1 + number) }
        return shared.first(visitor, on: platform, at: now).map { UInt16(1 + Rule.limit + $0) } ?? 0
    }

    /// Estimated memory of the link's own.
    package var byteCount: Int { own.byteCount }
}

/// The rules of a link or of an application, as far as a choice depends on them.
package final class RuleList: Sendable {
    /// A class, because a condition is large: reading it from an array would copy it.
    private final class Entry: Sendable {
        let when: RuleCondition
        /// A bitmap of the platforms on which the rule leads somewhere: for people, then for crawlers.
        let leads: UInt32

        init(when: RuleCondition, leads: UInt32) {
            self.when = when
            self.leads = leads
        }
    }

    private let entries: [Entry]
    private let seed: UInt64
    let looksAt: RuleFields
    let byteCount: Int
    package static var none: RuleList { RuleList() }

    /// - Parameters:
    ///   - rules: a copy that shares no memory with those of `owner`; none of them looks at the query.
    ///   - owner: the link, for its own rules; nil for the application's.
    ///   - byteCount: their estimated memory.
    package init(_ rules: [Rule], of owner: Link?, _ application: Application, byteCount: Int) {
        entries = rules.map { rule in
            var leads: UInt32 = 0
            for (number, platform) in Platform.allCases.enumerated() {
                for opensApps in [true, false]
                where rule.entry(for: platform, opensApps: opensApps, permittedBy: application) != nil {
                    leads |= Self.bit(number, opensApps)
                }
            }
            return Entry(when: rule.when, leads: leads)
        }
        seed = owner.map { RuleSearch.seed(of: $0) } ?? RuleSearch.seed(of: application)
        looksAt = rules.looksAt
        self.byteCount = byteCount
    }

    private init() { (entries, seed, looksAt, byteCount) = ([], 0, [], 0) }

    private static func bit(_ platform: Int, _ opensApps: Bool) -> UInt32 {
        1 << UInt32(platform + (opensApps ? 0 : Platform.allCases.count))
    }

    fileprivate func first(_ visitor: Visitor, on platform: Platform, at now: Timestamp) -> Int? {
        if entries.isEmpty { return nil }
        let place = Platform.allCases.firstIndex(of: platform) ?? 0
        let bit = Self.bit(place, visitor.bot == nil)
        let visit = RuleCondition.Visit(
            visitor: visitor, platform: platform, now: now, index: RuleSearch.index(of: visitor, seed), query: [:])
        var shares = 0
        for (number, entry) in entries.enumerated() {
            if entry.leads & bit != 0, entry.when.failure(visit, shares: shares) == nil { return number }
            shares += entry.when.percentage ?? 0
        }
        return nil
    }
}
