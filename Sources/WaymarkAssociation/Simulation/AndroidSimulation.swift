/// What Android 15 and later does with a URL, by what a file says and for an app whose manifest claims every URL of the
/// host: dynamic rules only ever narrow what the manifest claims.
struct AndroidSimulation {
    private let document: AndroidDocument
    private let url: AssociationURL
    /// The package; nil: all apps of the file are installed.
    private let app: String?
    private let matcher: AndroidMatcher

    init(_ document: AndroidDocument, url: AssociationURL, app: String? = nil, budget: MatchBudget) {
        self.document = document
        self.url = url
        self.app = app
        matcher = AndroidMatcher(url: url, budget: budget)
    }

    func answer() -> SimulationAnswer {
        var answer = SimulationAnswer()
        guard url.isWeb else {
            answer.warnings = ["An App Link is an http or https URL; \(url.scheme): is neither."]
            return answer
        }
        var open: [Doubt] = []
        var first: SimulationAnswer?
        var asked: Set<String> = []
        for statement in document.statements {
            guard app == nil || app == statement.package else {
                answer.trace.append(
                    .init(detail: statement.index, component: nil, fits: false, why: "it is for \(statement.package)"))
                continue
            }
            guard asked.insert(statement.package).inserted else {
                if isAnotherList(statement) { open.append(.severalStatements) }
                continue
            }
            let outcome = judge(statement, &answer, &open)
            if outcome.opens || (first == nil && outcome.excluded) { first = outcome }
            if outcome.opens { break }
        }
        if let first {
            (answer.opens, answer.appID, answer.excluded) = (first.opens, first.appID, first.excluded)
            (answer.detail, answer.component) = (first.detail, first.component)
        }
        var seen: Set<Doubt> = []
        open = open.filter { seen.insert($0).inserted }
        answer.documented = open.isEmpty
        answer.warnings += open.map { "Not documented: \($0.sentence)." }
        return answer
    }

    /// Whether the statement gives dynamic rules for an app for which an earlier one was taken.
    private func isAnotherList(_ statement: AndroidDocument.Statement) -> Bool {
        func givesRules(_ statement: AndroidDocument.Statement) -> Bool {
            if case .none = statement.dynamicRules { false } else { true }
        }
        return givesRules(statement)
            || document.statements.contains { $0.package == statement.package && givesRules($0) }
    }

    private func judge(
        _ statement: AndroidDocument.Statement, _ answer: inout SimulationAnswer, _ open: inout [Doubt]
    ) -> SimulationAnswer {
        var outcome = SimulationAnswer()
        outcome.detail = statement.index
        func opensByManifest(_ why: String) -> SimulationAnswer {
            answer.trace.append(.init(detail: statement.index, component: nil, fits: true, why: why))
            outcome.opens = true
            outcome.appID = statement.package
            return outcome
        }
        switch statement.dynamicRules {
        case .none:
            return opensByManifest("there are no dynamic rules, so the app's manifest decides")
        case .dropped(let reason):
            answer.warnings.append("Android drops all dynamic rules of \(statement.package): \(reason).")
            return opensByManifest("all dynamic rules are dropped, so the app's manifest decides")
        case .rules(let rules):
            let fits = rules.map { matcher.fit($0) }
            let verdict = decide(fits.map(\.fits))
            for (place, rule) in rules.enumerated() {
                let isDecisive = place == verdict
                answer.trace.append(
                    .init(
                        detail: statement.index, component: place, fits: fits[place].fits,
                        why: fits[place].why + (isDecisive && rule.excludes ? "; it excludes" : "")))
                if isDecisive { break }
            }
            for doubt in AndroidMatcher.doubts {
                let other = rules.map { matcher.fit($0, doubt: doubt).fits }
                if decide(other) != verdict { open.append(doubt) }
            }
            if rules.contains(where: \.hasUnknownMember) { open.append(.unknownMember) }
            if rules.contains(where: \.hasNoPattern) { open.append(.ruleWithoutPattern) }
            guard let verdict else {
                outcome.detail = nil
                return outcome
            }
            outcome.component = verdict
            outcome.excluded = rules[verdict].excludes
            outcome.opens = !outcome.excluded
            if outcome.opens { outcome.appID = statement.package }
            return outcome
        }
    }

    /// The first rule that fits.
    private func decide(_ fits: [Bool]) -> Int? { fits.firstIndex(of: true) }
}
