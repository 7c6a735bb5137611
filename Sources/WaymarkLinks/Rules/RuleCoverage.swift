/// Finds rules that can never match because preceding rules cover all of their visitors.
enum RuleCoverage {
    /// The indexes of such rules, with a message for each.
    static func problems(of rules: [Rule]) -> [(index: Int, problem: String)] {
        let values = RuleValues(rules.map(\.when))
        let platforms = rules.map(\.takenPlatforms)
        return rules.indices.compactMap { index in
            let wider = (0..<index).filter { earlier in
                values.covers(index, by: earlier) && rules[earlier].when.covers(rules[index].when)
            }
            // Checked per platform: one rule may cover the phones, another one the rest.
            var found: Set<Int> = []
            for platform in rules[index].platforms {
                let ahead = wider.filter { platforms[$0].contains(platform) }
                guard let taker = takers(among: ahead, rules) else { return nil }
                found.formUnion(taker)
            }
            guard let first = found.min() else { return nil }
            let others = found.count > 1 ? " and \(found.count - 1) more" : ""
            return (index, "can never match: rules[\(first)]\(others) ahead of it takes all its visitors")
        }
    }

    /// The rules that together cover everyone; nil if some visitors remain.
    private static func takers(among indexes: [Int], _ rules: [Rule]) -> [Int]? {
        var shares: [Int] = []
        var taken = 0
        for index in indexes {
            guard let share = rules[index].when.percentage else { return [index] }
            shares.append(index)
            taken += share
        }
        // Shares are consecutive ranges, so those with a sum of 100 leave nothing, wherever they begin.
        return taken >= 100 && areContiguous(shares, rules) ? shares : nil
    }

    /// Whether no rule for other visitors has a share between them, which would leave a gap.
    private static func areContiguous(_ indexes: [Int], _ rules: [Rule]) -> Bool {
        guard let first = indexes.first, let last = indexes.last else { return false }
        return rules[first...last].count { $0.when.percentage != nil } == indexes.count
    }
}

extension Rule {
    /// The platforms that the rule has an entry for.
    fileprivate var platforms: [Platform] {
        Platform.allCases.filter { when.holds(for: $0) && entry(for: $0, opensApps: true) != nil }
    }

    /// The platforms that it has a URL for that works for people and for crawlers, which don't open apps.
    fileprivate var takenPlatforms: Set<Platform> {
        Set(Platform.allCases.filter { when.holds(for: $0) && entry(for: $0, opensApps: false) != nil })
    }
}

extension RuleCondition {
    func holds(for platform: Platform) -> Bool {
        platforms.isEmpty || platforms.contains { $0.includes(platform) }
    }

    /// Whether every visitor that matches the other condition matches this one, ignoring platforms, shares and lists
    /// of values.
    fileprivate func covers(_ other: RuleCondition) -> Bool {
        if let isInApp {
            let theirs = other.isInApp ?? (other.inApps.isEmpty ? nil : true)
            guard theirs == isInApp else { return false }
        }
        if let after {
            guard let theirs = other.after, theirs >= after else { return false }
        }
        if let before {
            guard let theirs = other.before, theirs <= before else { return false }
        }
        return true
    }
}
