package import WaymarkLinks
import WaymarkStores

/// Recorded clicks of people on a link, decided as if the link had been changed.
package struct Rehearsal: Sendable {
    package struct Outcome: Hashable, Sendable {
        package var from: VisitEnding
        package var to: VisitEnding
    }

    package struct Answer: Sendable {
        package var clicks = 0
        /// Those that would end in another way.
        package var changed = 0
        /// Those that can be decided, by how they ended and would end.
        package var outcomes: [Outcome: Int] = [:]
        package var undecidable = 0
        package var why: Set<Reason> = []
        package var work = Work()

        package init() {}
    }

    /// What rehearsals of one request have cost so far.
    package struct Work: Sendable {
        /// Records read, those of programs included.
        package var records = 0
        package var decisions = 0

        package init() {}
    }

    /// Why clicks can't be decided, or are missing.
    package enum Reason: Hashable, Sendable {
        case unrecorded(UnrecordedFact)
        case doNotTrack, leftOut, changedSince, maxClicks, tooManyConditions
        case retention(days: Int), notRecorded
    }

    private enum Result { case outcome(Outcome), undecidable([Reason]) }

    /// What a decision depends on.
    private struct Kind: Hashable {
        var profile: ClickRecord.Profile
        /// The number of times before it at which the link or a rule changes.
        var period: Int
    }

    private let worlds: RuleWorlds?
    private let outcome: @Sendable (Resolution) -> String
    private let isLimitChanged: Bool
    /// At which a link or a rule begins or ends to apply, ascending.
    private let times: [Timestamp]
    /// The fields of a record that only some rules look at.
    private let unused: [ClickField]
    private var known: [Kind: Result] = [:]
    private(set) var answer = Answer()

    /// - Parameters:
    ///   - work: of the rehearsals before.
    ///   - outcome: a resolution in the terms of explanations.
    init(
        from before: Link, to after: Link, _ application: Application, after work: Work = Work(),
        outcome: @escaping @Sendable (Resolution) -> String
    ) {
        answer.work = work
        self.outcome = outcome
        worlds = RuleWorlds(before: before, after: after, application: application)
        let most = after.content.maxClicks
        isLimitChanged = most != nil && most != before.content.maxClicks
        let rules = before.content.rules + after.content.rules + application.rules
        var times: Set<Timestamp> = []
        for rule in rules { times.formUnion([rule.when.after, rule.when.before].compactMap { $0 }) }
        for link in [before, after] {
            times.formUnion([link.content.validFrom, link.content.expiresAt].compactMap { $0 })
        }
        self.times = times.sorted()
        var unused: [ClickField] = [.campaign, .variant]
        if !rules.looksAt.contains(.language) { unused.append(.language) }
        if !rules.looksAt.contains(.country) { unused.append(.country) }
        if !rules.looksAt.contains(.referrer) { unused.append(.referrerHost) }
        self.unused = unused
    }

    /// Decides the clicks of a block until `limit` decisions have been made in all.
    ///
    /// - Returns: whether all of them are decided.
    mutating func add(_ block: ClickBlock, limit: Int) async throws -> Bool {
        guard let contents = block.contents else { throw StoreError.corrupt("records of clicks are damaged") }
        answer.work.records += contents.entries.count
        let profiles = contents.profiles.map { profile in
            var profile = profile
            for field in unused { profile[field] = nil }
            return profile
        }
        var counts: [Kind: (clicks: Int, time: Timestamp)] = [:]
        for entry in contents.entries where profiles[entry.profile][.bot] == nil {
            let period = times.prefix { $0 <= entry.time }.count
            counts[Kind(profile: profiles[entry.profile], period: period), default: (0, entry.time)].clicks += 1
        }
        for (kind, (clicks, time)) in counts {
            let result: Result
            if let before = known[kind] {
                result = before
            } else {
                guard answer.work.decisions <= limit else { return false }
                result = decide(kind.profile, at: time)
                known[kind] = result
                try Task.checkCancellation()
                await Task.yield()
            }
            answer.clicks += clicks
            switch result {
            case .outcome(let outcome):
                answer.outcomes[outcome, default: 0] += clicks
                if outcome.from != outcome.to { answer.changed += clicks }
            case .undecidable(let reasons):
                answer.undecidable += clicks
                answer.why.formUnion(reasons)
            }
        }
        return true
    }

    mutating func add(_ reason: Reason) { answer.why.insert(reason) }

    private mutating func decide(_ profile: ClickRecord.Profile, at time: Timestamp) -> Result {
        answer.work.decisions += 1
        guard let platform = profile[.platform].flatMap({ Platform(rawValue: $0) }) else {
            return .undecidable([.doNotTrack])
        }
        if isLimitChanged { return .undecidable([.maxClicks]) }
        guard let worlds else { return .undecidable([.tooManyConditions]) }
        if [ClickField.language, .country, .referrerHost].contains(where: { profile[$0] == ClickField.rest }) {
            return .undecidable([.leftOut])
        }
        answer.work.decisions += RehearsedVisit.cost(in: worlds)
        let visit = RehearsedVisit(
            visitor: Visitor(platform, profile), time: time, destination: profile[.destination],
            rule: profile[.rule] == ClickField.rest ? nil : .some(profile[.rule]))
        switch visit.result(in: worlds, outcome: outcome) {
        case .decided(let from, let to): return .outcome(Outcome(from: from, to: to))
        case .unclear(let facts): return .undecidable(facts.map { .unrecorded($0) })
        case .otherwise: return .undecidable([.changedSince])
        }
    }
}

extension Visitor {
    /// A person as recorded.
    fileprivate init(_ platform: Platform, _ profile: ClickRecord.Profile) {
        let referrer = profile[.referrerHost]
        let app = referrer.flatMap { text in
            text.hasPrefix(ClickField.appPrefix) ? String(text.dropFirst(ClickField.appPrefix.count)) : nil
        }
        self.init(
            platform: platform, device: profile[.device].flatMap { Device(rawValue: $0) } ?? .unknown,
            browser: profile[.browser], inApp: profile[.inApp].flatMap { VisitorClass.InApp(rawValue: $0) },
            language: profile[.language], country: profile[.country],
            referrerHost: app == nil ? referrer.flatMap { HostName($0) } : nil, referrerApp: app)
    }
}
