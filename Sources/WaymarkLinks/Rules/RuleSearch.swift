/// Finds the first rule that matches a visit: the link's own, then its application's.
struct RuleSearch {
    let link: Link
    let application: Application
    let visitor: Visitor
    let now: Timestamp
    private let query: [String: String]

    /// Nil if there are no rules, so that most links have no overhead.
    init?(_ link: Link, _ application: Application, _ visitor: Visitor, _ now: Timestamp) {
        guard !link.content.rules.isEmpty || !application.rules.isEmpty else { return nil }
        self.link = link
        self.application = application
        self.visitor = visitor
        self.now = now
        let asksForQuery =
            link.content.rules.contains { !$0.when.query.isEmpty }
            || application.rules.contains { !$0.when.query.isEmpty }
        guard asksForQuery, let text = visitor.query else {
            query = [:]
            return
        }
        query = Dictionary(ClickQuery(text).pairs.map { ($0.name, $0.value) }) { first, _ in first }
    }

    /// - Parameter opensApps: false for crawlers, which skip an app's URL.
    func first(
        for platform: Platform, opensApps: Bool, finish: URLFinish, _ trace: inout some DecisionTrace
    ) -> DestinationChoice? {
        let own = Self.index(of: visitor, Self.seed(of: link))
        if let found = first(
            of: link.content.rules, own, DestinationSource.linkRule, platform, opensApps, finish, &trace)
        {
            return found
        }
        let shared = Self.index(of: visitor, Self.seed(of: application))
        return first(
            of: application.rules, shared, DestinationSource.applicationRule, platform, opensApps, finish, &trace)
    }

    static func seed(of link: Link) -> UInt64 { UInt64(bitPattern: link.id.rawValue) }

    /// The same position on all links of an application, so that an experiment is consistent for a visitor.
    static func seed(of application: Application) -> UInt64 {
        application.id.text.utf8.reduce(0xCBF2_9CE4_8422_2325) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 }
    }

    private func first(
        of rules: [Rule], _ index: Int, _ source: (Int) -> DestinationSource, _ platform: Platform, _ opensApps: Bool,
        _ finish: URLFinish, _ trace: inout some DecisionTrace
    ) -> DestinationChoice? {
        var shares = 0
        let visit = RuleCondition.Visit(visitor: visitor, platform: platform, now: now, index: index, query: query)
        for (number, rule) in rules.enumerated() {
            defer { shares += rule.when.percentage ?? 0 }
            if let failure = rule.when.failure(visit, shares: shares) {
                trace.note(source(number), url: nil, taken: false, why: "\(failure.rawValue) does not match")
                continue
            }
            guard let entry = rule.entry(for: platform, opensApps: opensApps, permittedBy: application) else {
                trace.note(
                    source(number), url: nil, taken: false,
                    why: rule.entries.allSatisfy(application.permits)
                        ? "it gives this visitor nothing" : DestinationSearch.notAllowed)
                continue
            }
            let isWeb = entry.link.isWeb
            let url = entry.link.fill(link.content.routeParameters)
            trace.note(
                source(number), url: finish(url, isWeb: isWeb), taken: true,
                why: (rule.when.percentage ?? 100) < 100
                    ? "the first rule that matches, by its percentage" : "the first rule that matches")
            return DestinationChoice(
                url: url, isWeb: isWeb, fallback: entry.fallback, source: source(number),
                web: rule.web(permittedBy: application)?.link.fill(link.content.routeParameters))
        }
        return nil
    }

    /// The visitor's position among all, for one link or application: SplitMix64 (Steele, Lea and Flood, 2014) over
    /// the visitor's number, so that positions on two links are independent.
    static func index(of visitor: Visitor, _ seed: UInt64) -> Int {
        var word = visitor.number &+ seed &* 0x9E37_79B9_7F4A_7C15
        word = (word ^ (word >> 30)) &* 0xBF58_476D_1CE4_E5B9
        word = (word ^ (word >> 27)) &* 0x94D0_49BB_1331_11EB
        return Int((word ^ (word >> 31)) % 10_000)
    }
}
