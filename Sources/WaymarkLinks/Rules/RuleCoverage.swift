/// Finds rules that can never match because rules ahead of them take every visitor whom they could.
enum RuleCoverage {
    /// The rules, by place, and what to say of each.
    static func problems(of rules: [Rule]) -> [(index: Int, problem: String)] {
        let values = RuleValues(rules.map(\.when))
        let platforms = rules.map(\.takenPlatforms)
        return rules.indices.compactMap { index in
            let wider = (0..<index).filter { earlier in
                values.covers(index, by: earlier) && rules[earlier].when.covers(rules[index].when)
            }
            // Of each platform apart: one rule may take the phones, another all the rest.
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

    /// Those of the rules that take everyone together; nil where some get through.
    private static func takers(among indexes: [Int], _ rules: [Rule]) -> [Int]? {
        var shares: [Int] = []
        var taken = 0
        for index in indexes {
            guard let share = rules[index].when.percentage else { return [index] }
            shares.append(index)
            taken += share
        }
        // Shares follow one another around the whole, so that those which fill it leave nothing, wherever they began.
        return taken >= 100 && areContiguous(shares, rules) ? shares : nil
    }

    /// Whether no rule of other visitors has a share between them, which would leave a gap.
    private static func areContiguous(_ indexes: [Int], _ rules: [Rule]) -> Bool {
        guard let first = indexes.first, let last = indexes.last else { return false }
        return rules[first...last].count { $0.when.percentage != nil } == indexes.count
    }
}

extension Rule {
    /// The platforms of visitors for whom the rule has something.
    fileprivate var platforms: [Platform] {
        Platform.allCases.filter { when.holds(for: $0) && entry(for: $0, opensApps: true) != nil }
    }

    /// The platforms of which it has a URL for people and for crawlers, which open no apps.
    fileprivate var takenPlatforms: Set<Platform> {
        Set(Platform.allCases.filter { when.holds(for: $0) && entry(for: $0, opensApps: false) != nil })
    }
}

extension RuleCondition {
    fileprivate func holds(for platform: Platform) -> Bool {
        platforms.isEmpty || platforms.contains { $0.includes(platform) }
    }

    /// Whether whoever the other condition holds for meets this one too; platforms, shares and lists of values left aside.
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
