extension Link {
    /// How many visitors are tried at most: a share has at least a hundredth of all, so nearly every combination of two
    /// shares is among them.
    private static let triedNumbers: UInt64 = 50_000
    /// How many of them are decided on at most.
    private static let decisions = 1_000

    /// The number of a visitor whom a variant takes at this time; if there is none, because of other conditions or rules, of
    /// one in its share.
    ///
    /// - Parameters:
    ///   - variant: the name of a rule with a percentage; nil: the visitor is one whom no rule takes by a percentage.
    /// - Returns: nil if no rule has this name and a percentage.
    package func number(
        of variant: String?, _ application: Application, _ visitor: Visitor, at now: Timestamp
    ) -> UInt64? {
        let own = VariantShares(content.rules, RuleSearch.seed(of: self), variant)
        let shared = VariantShares(application.rules, RuleSearch.seed(of: application), variant)
        guard variant == nil || own.hasVariant || shared.hasVariant else { return nil }
        var visitor = visitor
        var seen: Set<[Int]> = []
        var first: UInt64?
        var ofApplication: UInt64?
        let combinations = own.count * shared.count - own.untaken * shared.untaken
        for number in 0..<Self.triedNumbers {
            visitor.number = number
            let places = (own.place(of: visitor), shared.place(of: visitor))
            guard places.0.isTaken || places.1.isTaken, seen.insert([places.0.index, places.1.index]).inserted
            else { continue }
            first = first ?? number
            let rule = decided(application: application, visitor: visitor, now: now) { _ in nil }.rule
            if isTaken(by: rule, as: variant, application) {
                guard variant != nil, own.hasVariant, case .application? = rule else { return number }
                // Both lists have a rule of this name, and the link's own precedes: another visitor may be in its share.
                ofApplication = ofApplication ?? number
            }
            if seen.count == min(Self.decisions, combinations) { break }
        }
        return ofApplication ?? first
    }

    private func isTaken(by applied: AppliedRule?, as variant: String?, _ application: Application) -> Bool {
        let rule: Rule? =
            switch applied {
            case .link(let index): content.rules[index]
            case .application(let index): application.rules[index]
            case nil: nil
            }
        guard let variant else { return rule?.when.percentage == nil }
        return rule?.isVariant == true && rule?.name == variant
    }
}

/// The shares of one list of rules.
private struct VariantShares {
    private let seed: UInt64
    /// Where the parts of all visitors begin between which no share begins or ends.
    private let borders: [Int]
    /// Of each part, whether it is in the variant's share.
    private let isTaken: [Bool]
    let hasVariant: Bool

    var count: Int { borders.count }
    var untaken: Int { isTaken.count { !$0 } }

    init(_ rules: [Rule], _ seed: UInt64, _ variant: String?) {
        self.seed = seed
        borders = RuleWorlds.places([rules])
        guard let variant else {
            isTaken = borders.map { _ in true }
            hasVariant = false
            return
        }
        var taken = borders.map { _ in false }
        var shares = 0
        var isFound = false
        for rule in rules {
            let percentage = rule.when.percentage ?? 0
            if rule.isVariant, rule.name == variant {
                isFound = true
                for (index, border) in borders.enumerated()
                where RuleCondition.share(of: percentage, after: shares, holds: border) {
                    taken[index] = true
                }
            }
            shares += percentage
        }
        isTaken = taken
        hasVariant = isFound
    }

    func place(of visitor: Visitor) -> (index: Int, isTaken: Bool) {
        let place = RuleSearch.index(of: visitor, seed)
        // The first border is 0.
        let index = (borders.firstIndex { $0 > place } ?? borders.count) - 1
        return (index, isTaken[index])
    }
}
