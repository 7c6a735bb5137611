/// How Android 15 and later handles a URL according to a file, for an app whose manifest claims all URLs of the host:
/// dynamic rules can only narrow what the manifest claims.
struct AndroidSimulation {
    private let document: AndroidDocument
    private let url: AssociationURL
    /// The package; nil if all apps of the file are installed.
    private let app: String?
    private let matcher: AndroidMatcher
    private let budget: WorkBudget

    init(_ document: AndroidDocument, url: AssociationURL, app: String? = nil, budget: WorkBudget) {
        self.document = document
        self.url = url
        self.app = app
        self.budget = budget
        matcher = AndroidMatcher(url: url, budget: budget)
    }

    func answer() -> SimulationResult {
        var answer = SimulationResult()
        guard url.isWeb else {
            answer.warnings = ["An App Link is an http or https URL; \(url.scheme): is neither."]
            return answer
        }
        var open: [Ambiguity] = []
        var first: SimulationResult?
        var looks: [Look] = []
        var asked: Set<String> = []
        guard !budget.isExhausted else {
            answer.leaveUnfinished(isDecided: false)
            return answer
        }
        for (location, statement) in document.statements.enumerated() {
            guard budget.spend(WorkBudget.Price.medium) else {
                answer.leaveUnfinished(isDecided: false)
                return answer
            }
            guard app == nil || app == statement.package else {
                looks.append(Look(statement: location, rule: nil, fit: .notLookedAt))
                continue
            }
            guard asked.insert(statement.package).inserted else {
                if isAnotherList(statement) { open.append(.severalStatements) }
                continue
            }
            guard let outcome = judge(statement, location, &looks, &answer, &open) else {
                answer.leaveUnfinished(isDecided: false)
                return answer
            }
            if outcome.opens || (first == nil && outcome.excluded) { first = outcome }
            if outcome.opens { break }
        }
        if let first {
            (answer.opens, answer.appID, answer.excluded) = (first.opens, first.appID, first.excluded)
            (answer.detail, answer.component) = (first.detail, first.component)
        }
        show(looks, &answer)
        var seen: Set<Ambiguity> = []
        open = open.filter { seen.insert($0).inserted }
        answer.documented = open.isEmpty
        answer.warnings += open.map { "Not documented: \($0.sentence)." }
        if budget.isExhausted { answer.leaveUnfinished(isDecided: true) }
        return answer
    }

    /// Whether the statement has dynamic rules for an app that an earlier statement has already been used for.
    private func isAnotherList(_ statement: AndroidDocument.Statement) -> Bool {
        statement.givesRules || document.packagesWithRules.contains(statement.package)
    }

    /// One rule that was checked; without a rule, the statement was skipped or the manifest decides.
    private struct Look {
        let statement: Int
        let rule: Int?
        let fit: AndroidMatcher.Fit
    }

    private func show(_ looks: [Look], _ answer: inout SimulationResult) {
        let (detail, component) = (answer.detail, answer.component)
        answer.trace = SimulationResult.shown(
            looks,
            decisive: { look in
                document.statements[look.statement].index == detail && look.rule == component
            }, &answer.warnings
        ) { look in
            let statement = document.statements[look.statement]
            guard case .rules(let rules) = statement.dynamicRules, let location = look.rule else {
                return .init(
                    detail: statement.index, component: nil, fits: look.fit.fits,
                    why: look.fit.fits ? byManifest(statement) : "it is for \(shortened(statement.package))")
            }
            let isDecisive = look.fit.fits && rules[location].excludes
            return .init(
                detail: statement.index, component: location, fits: look.fit.fits,
                why: matcher.reason(look.fit, rules[location]) + (isDecisive ? "; it excludes" : ""))
        }
    }

    private func byManifest(_ statement: AndroidDocument.Statement) -> String {
        if case .none = statement.dynamicRules { return "there are no dynamic rules, so the app's manifest decides" }
        return "all dynamic rules are dropped, so the app's manifest decides"
    }

    /// Nil if the budget is exhausted before there is a decision.
    private func judge(
        _ statement: AndroidDocument.Statement, _ location: Int, _ looks: inout [Look],
        _ answer: inout SimulationResult,
        _ open: inout [Ambiguity]
    ) -> SimulationResult? {
        var outcome = SimulationResult()
        outcome.detail = statement.index
        func opensByManifest() -> SimulationResult {
            looks.append(Look(statement: location, rule: nil, fit: .fits))
            outcome.opens = true
            outcome.appID = statement.package
            return outcome
        }
        switch statement.dynamicRules {
        case .none:
            return opensByManifest()
        case .dropped(let reason):
            answer.warnings.append("Android drops all dynamic rules of \(shortened(statement.package)): \(reason).")
            return opensByManifest()
        case .rules(let rules):
            let verdict = firstFitting(rules) { looks.append(Look(statement: location, rule: $0, fit: $1)) }
            guard !budget.isExhausted else { return nil }
            for doubt in AndroidMatcher.doubts {
                let other = firstFitting(rules, doubt: doubt)
                guard !budget.isExhausted else { break }
                if other != verdict { open.append(doubt) }
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

    private func firstFitting(
        _ rules: [AndroidRule], doubt: Ambiguity? = nil, look: (Int, AndroidMatcher.Fit) -> Void = { _, _ in }
    ) -> Int? {
        for (location, rule) in rules.enumerated() where !budget.isExhausted {
            let fit = matcher.fit(rule, doubt: doubt)
            look(location, fit)
            if fit.fits { return location }
        }
        return nil
    }
}
