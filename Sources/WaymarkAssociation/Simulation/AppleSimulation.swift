/// How iOS, iPadOS, macOS and visionOS handle a URL according to a file. How the user gets to the URL also matters
/// (`NavigationContext`).
struct AppleSimulation {
    private let document: AppleDocument
    private let url: AssociationURL
    /// Nil if all apps of the file are installed.
    private let app: String?
    private let matcher: AppleMatcher
    private let budget: WorkBudget

    init(_ document: AppleDocument, url: AssociationURL, app: String? = nil, budget: WorkBudget) {
        self.document = document
        self.url = url
        self.app = app
        self.budget = budget
        matcher = AppleMatcher(url: url, variables: document.variables, budget: budget)
    }

    func answer() -> SimulationResult {
        var answer = SimulationResult()
        guard url.isWeb else {
            answer.warnings = ["A universal link is an http or https URL; \(url.scheme): is neither."]
            return answer
        }
        var entries = document.entries.map(judge)
        var looks: [Look] = []
        let verdict = self.verdict(&entries, doubt: nil) { looks.append($0) }
        guard !budget.isExhausted else {
            answer.leaveUnfinished(isDecided: false)
            return answer
        }
        answer.opens = verdict.app != nil
        answer.appID = verdict.app
        answer.detail = verdict.detail
        answer.component = verdict.component
        answer.excluded = verdict.excluded
        show(looks, entries, verdict, &answer)

        var open = doubtsOfFile
        judgeDoubts(&entries)
        for doubt in candidates(entries) where !open.contains(doubt) && !budget.isExhausted {
            if self.verdict(&entries, doubt: doubt) != verdict, !budget.isExhausted { open.append(doubt) }
        }
        if url.port != nil {
            (answer.opens, answer.excluded) = (false, false)
            (answer.appID, answer.detail, answer.component) = (nil, nil, nil)
        }
        answer.documented = open.isEmpty
        answer.warnings += open.map { "Not documented: \($0.sentence)." }
        if budget.isExhausted { answer.leaveUnfinished(isDecided: true) }
        return answer
    }

    /// Whether the URL opens an app, ignoring ambiguities.
    func opens() -> Bool {
        var entries = document.entries.map(judge)
        return verdict(&entries, doubt: nil).app != nil
    }

    // MARK: Judging rules

    /// A rule with its results under all readings that affect it.
    private struct Judged {
        let index: Int?
        let rule: AppleRule
        /// Nil if it was not checked yet.
        var fit: AppleMatcher.Fit?
        /// The results under other readings.
        var others: [(doubt: Ambiguity, fits: Bool, excludes: Bool)] = []

        func other(_ doubt: Ambiguity?) -> (fits: Bool, excludes: Bool)? {
            guard let doubt else { return nil }
            return others.first { $0.doubt == doubt }.map { ($0.fits, $0.excludes) }
        }
    }

    private struct JudgedEntry {
        let entry: AppleDocument.Entry
        let isAsked: Bool
        var rules: [Judged]
    }

    private func judge(_ entry: AppleDocument.Entry) -> JudgedEntry {
        budget.spend(entry.appIDs.count + entry.rules.count * WorkBudget.Price.small)
        let isAsked = app.map { entry.appIDs.contains($0) } ?? !entry.appIDs.isEmpty
        guard isAsked else { return JudgedEntry(entry: entry, isAsked: false, rules: []) }
        if entry.hasNoRules {
            let nothing = Judged(
                index: nil, rule: AppleRule(), fit: .path, others: [(doubt: .noRules, fits: true, excludes: false)])
            return JudgedEntry(entry: entry, isAsked: true, rules: [nothing])
        }
        return JudgedEntry(
            entry: entry, isAsked: true, rules: entry.rules.map { Judged(index: $0.index, rule: $0.rule) })
    }

    private func fit(_ judged: inout Judged) -> AppleMatcher.Fit {
        if let known = judged.fit { return known }
        let fit = matcher.fit(judged.rule)
        judged.fit = fit
        return fit
    }

    private func judgeDoubts(_ entries: inout [JudgedEntry]) {
        for entry in entries.indices where !entries[entry].entry.hasNoRules {
            for location in entries[entry].rules.indices where !budget.isExhausted {
                let fits = fit(&entries[entry].rules[location]).fits
                let rule = entries[entry].rules[location].rule
                for doubt in matcher.doubts(about: rule, fits: fits) {
                    entries[entry].rules[location].others.append((doubt, !fits, rule.excludes))
                }
                for alternative in rule.alternatives {
                    let other = alternative.rule?.rule
                    let otherFits = other.map { matcher.fit($0).fits } ?? false
                    entries[entry].rules[location].others.append(
                        (alternative.doubt, otherFits, other?.excludes ?? false))
                }
            }
        }
    }

    // MARK: Deciding

    private struct Verdict: Equatable {
        var app: String?
        var detail: Int?
        var component: Int?
        var excluded = false
    }

    /// One rule that was checked, by the indexes of entry and rule; without a rule, the entry was skipped.
    private struct Look {
        let entry: Int
        let rule: Int?
    }

    /// The first matching rule decides for the apps of its entry. If it excludes the URL, another entry can still
    /// open it in another app.
    private func verdict(
        _ entries: inout [JudgedEntry], doubt: Ambiguity?, look: (Look) -> Void = { _ in }
    ) -> Verdict {
        var exclusion: Verdict?
        var kept: Set<String> = []
        for location in entries.indices where budget.spend(WorkBudget.Price.small) {
            let entry = entries[location].entry
            let apps = open(entry, kept)
            guard entries[location].isAsked, let first = apps.first else {
                look(Look(entry: location, rule: nil))
                continue
            }
            if doubt == .wrongRule, entry.doubts.contains(.wrongRule) { continue }
            for rule in entries[location].rules.indices where budget.spend(4) {
                look(Look(entry: location, rule: rule))
                let judged = entries[location].rules[rule]
                let outcome =
                    judged.other(doubt) ?? (fit(&entries[location].rules[rule]).fits, judged.rule.excludes)
                guard outcome.fits else { continue }
                if !outcome.excludes { return Verdict(app: first, detail: entry.index, component: judged.index) }
                let stop = Verdict(detail: entry.index, component: judged.index, excluded: true)
                if doubt == .exclusionOfOtherApp { return stop }
                exclusion = exclusion ?? stop
                budget.spend(apps.count * WorkBudget.Price.medium)
                kept.formUnion(apps)
                break
            }
        }
        return exclusion ?? Verdict()
    }

    /// The apps of the entry that no earlier one excludes.
    private func open(_ entry: AppleDocument.Entry, _ kept: Set<String>) -> [String] {
        let apps = app.map { [$0] } ?? entry.appIDs
        guard !kept.isEmpty else { return apps }
        budget.spend(apps.count * WorkBudget.Price.medium)
        return apps.filter { !kept.contains($0) }
    }

    private func show(
        _ looks: [Look], _ entries: [JudgedEntry], _ verdict: Verdict, _ answer: inout SimulationResult
    ) {
        answer.trace = SimulationResult.shown(
            looks,
            decisive: { look in
                let entry = entries[look.entry]
                return entry.entry.index == verdict.detail
                    && look.rule.map { entry.rules[$0].index } == verdict.component
            }, &answer.warnings
        ) { look in
            let entry = entries[look.entry]
            guard let location = look.rule else {
                return .init(detail: entry.entry.index, component: nil, fits: false, why: passedOver(entry))
            }
            let judged = entry.rules[location]
            guard let index = judged.index, let fit = judged.fit else {
                return .init(
                    detail: entry.entry.index, component: nil, fits: false,
                    why: "it has neither components nor paths")
            }
            return .init(
                detail: entry.entry.index, component: index, fits: fit.fits,
                why: matcher.reason(fit, judged.rule) + (fit.fits && judged.rule.excludes ? "; it excludes" : ""))
        }
    }

    private func passedOver(_ judged: JudgedEntry) -> String {
        if judged.entry.appIDs.isEmpty { return "it names no app" }
        if let app, !judged.isAsked { return "it does not list \(quoted(app))" }
        return "an earlier entry keeps its apps closed"
    }

    // MARK: Undocumented behaviour

    private var doubtsOfFile: [Ambiguity] {
        var doubts = document.doubts
        if url.port != nil { doubts.append(.port) }
        if url.hasUserInformation { doubts.append(.userInformation) }
        for entry in document.entries {
            if entry.doubts.contains(.wrongApps), entry.appIDs.isEmpty || app == nil { doubts.append(.wrongApps) }
            if entry.doubts.contains(.wrongType) { doubts.append(.wrongType) }
        }
        var seen: Set<Ambiguity> = []
        return doubts.filter { seen.insert($0).inserted }
    }

    private func candidates(_ entries: [JudgedEntry]) -> [Ambiguity] {
        var present: Set<Ambiguity> = app == nil && entries.count > 1 ? [.exclusionOfOtherApp] : []
        for entry in entries where entry.isAsked {
            present.formUnion(entry.entry.doubts)
            for rule in entry.rules { present.formUnion(rule.others.map(\.doubt)) }
        }
        return Ambiguity.allCases.filter(present.contains)
    }
}
