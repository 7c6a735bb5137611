extension Link {
    /// The link's rules that decide no visit, from now on or ever since the link exists, by their indexes. Such rules are refused
    /// when a link is created; imports and later changes of its application or its times can make them so. A rule whose time is
    /// over has done its work, and is not among them.
    package func idleRules(in application: Application) -> [(index: Int, why: String)] {
        let rules = content.rules
        var idle = Dictionary(RuleCoverage.problems(of: rules).map { ($0.index, $0.problem) }) { first, _ in first }
        for (index, rule) in rules.enumerated() where idle[index] == nil {
            idle[index] = whyIdle(rule, application)
        }
        return idle.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
    }

    private func whyIdle(_ rule: Rule, _ application: Application) -> String? {
        func hasEntry(permittedBy application: Application?) -> Bool {
            Platform.allCases.contains {
                rule.when.holds(for: $0) && rule.entry(for: $0, opensApps: true, permittedBy: application) != nil
            }
        }
        guard hasEntry(permittedBy: nil) else { return "can never match: it has no URL for its platforms" }
        guard hasEntry(permittedBy: application) else {
            return "can never match: the application's destinations allow none of its URLs"
        }
        if let before = rule.when.before, before <= max(createdAt, content.validFrom ?? createdAt) {
            return "can never match: its time was over before the link began to work"
        }
        if let after = rule.when.after, let end = content.expiresAt, after >= end {
            return "can never match: its time begins when the link has expired"
        }
        return nil
    }
}
