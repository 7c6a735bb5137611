/// Finds rules that can never match because rules ahead of them take every visitor whom they could.
enum RuleCoverage {
    /// The rules, by place, and what to say of each.
    static func problems(of rules: [Rule]) -> [(index: Int, problem: String)] {
        let values = rules.map { RuleValues($0.when) }
        return rules.indices.compactMap { index in
            // Of each platform apart: one rule may take the phones, another all the rest.
            var takers: Set<Int> = []
            for platform in rules[index].platforms {
                guard let taker = taker(of: platform, ahead: index, rules, values) else { return nil }
                takers.formUnion(taker)
            }
            guard let first = takers.min() else { return nil }
            let others = takers.count > 1 ? " and \(takers.count - 1) more" : ""
            return (index, "can never match: rules[\(first)]\(others) ahead of it takes all its visitors")
        }
    }

    /// The rules that take all visitors of the platform; nil where some get through.
    private static func taker(
        of platform: Platform, ahead index: Int, _ rules: [Rule], _ values: [RuleValues]
    ) -> Set<Int>? {
        let later = rules[index].when
        var shares: [Int] = []
        var taken = 0
        for earlier in 0..<index
        where rules[earlier].takesAll(of: platform)
            && rules[earlier].when.covers(later, values[earlier], values[index], on: platform)
        {
            guard let share = rules[earlier].when.percentage else { return [earlier] }
            shares.append(earlier)
            taken += share
        }
        // Shares follow one another around the whole, so that those which fill it leave nothing, wherever they began.
        return taken >= 100 && areContiguous(shares, rules) ? Set(shares) : nil
    }

    /// Whether no rule of other visitors has a share between them, which would leave a gap.
    private static func areContiguous(_ indexes: [Int], _ rules: [Rule]) -> Bool {
        guard let first = indexes.first, let last = indexes.last else { return false }
        return (first...last).allSatisfy { indexes.contains($0) || rules[$0].when.percentage == nil }
    }
}

/// A condition's values as sets: each is compared with those of every rule behind it.
private struct RuleValues {
    let devices: Set<Visitor.Device>
    let browsers: Set<String>
    let inApps: Set<String>
    let countries: Set<String>
    let parameters: [String: RuleCondition.Parameter]
    /// Of the parameters that name values.
    let values: [String: Set<String>]

    init(_ condition: RuleCondition) {
        devices = Set(condition.devices)
        browsers = Set(condition.browsers)
        inApps = Set(condition.inApps)
        countries = Set(condition.countries)
        parameters = Dictionary(condition.query.map { ($0.name, $0) }) { first, _ in first }
        values = parameters.compactMapValues { $0.values.map { Set($0) } }
    }
}

extension Rule {
    /// The platforms of visitors for whom the rule has something.
    fileprivate var platforms: [Platform] {
        Platform.allCases.filter { platform in
            (when.platforms.isEmpty || when.platforms.contains { $0.includes(platform) })
                && entry(for: platform, opensApps: true) != nil
        }
    }

    /// Whether it has a URL for people of the platform, and for crawlers too, which open no apps.
    fileprivate func takesAll(of platform: Platform) -> Bool { entry(for: platform, opensApps: false) != nil }
}

extension RuleCondition {
    /// Whether whoever the other condition holds for meets this one too, the platform and the share left aside.
    fileprivate func covers(
        _ other: RuleCondition, _ own: RuleValues, _ others: RuleValues, on platform: Platform
    ) -> Bool {
        func isWithin<Value: Hashable>(_ theirs: [Value], _ ours: Set<Value>) -> Bool {
            ours.isEmpty || (!theirs.isEmpty && theirs.allSatisfy(ours.contains))
        }
        guard platforms.isEmpty || platforms.contains(where: { $0.includes(platform) }),
            isWithin(other.devices, own.devices), isWithin(other.browsers, own.browsers),
            isWithin(other.inApps, own.inApps), isWithin(other.countries, own.countries)
        else { return false }
        if let isInApp {
            let theirs = other.isInApp ?? (other.inApps.isEmpty ? nil : true)
            guard theirs == isInApp else { return false }
        }
        if !languages.isEmpty {
            guard !other.languages.isEmpty,
                other.languages.allSatisfy({ tag in languages.contains { Self.language($0, covers: tag) } })
            else { return false }
        }
        if !referrerHosts.isEmpty {
            guard !other.referrerHosts.isEmpty,
                other.referrerHosts.allSatisfy({ host in referrerHosts.contains { $0.covers(host) } })
            else { return false }
        }
        for parameter in query {
            guard let theirs = others.parameters[parameter.name] else { return false }
            if parameter.values != nil, let ours = own.values[parameter.name] {
                guard let values = theirs.values, values.allSatisfy(ours.contains) else { return false }
            }
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
