/// What iOS, iPadOS, macOS and visionOS do with a URL, by what a file says. How the person got to the URL counts as well
/// (`NavigationContext`).
struct AppleSimulation {
    private let document: AppleDocument
    private let url: AssociationURL
    /// Nil: all apps of the file are installed.
    private let app: String?
    private let matcher: AppleMatcher

    init(_ document: AppleDocument, url: AssociationURL, app: String? = nil, budget: MatchBudget) {
        self.document = document
        self.url = url
        self.app = app
        matcher = AppleMatcher(url: url, variables: document.variables, budget: budget)
    }

    func answer() -> SimulationAnswer {
        var answer = SimulationAnswer()
        guard url.isWeb else {
            answer.warnings = ["A universal link is an http or https URL; \(url.scheme): is neither."]
            return answer
        }
        let judged = document.entries.map(judge)
        let verdict = self.verdict(judged, doubt: nil, trace: &answer.trace)
        answer.opens = verdict.app != nil
        answer.appID = verdict.app
        answer.detail = verdict.detail
        answer.component = verdict.component
        answer.excluded = verdict.excluded

        var open = doubtsOfFile
        for doubt in candidates(judged) where !open.contains(doubt) {
            var ignored: [SimulationAnswer.Step] = []
            if self.verdict(judged, doubt: doubt, trace: &ignored) != verdict { open.append(doubt) }
        }
        if url.port != nil {
            (answer.opens, answer.excluded) = (false, false)
            (answer.appID, answer.detail, answer.component) = (nil, nil, nil)
        }
        answer.documented = open.isEmpty
        answer.warnings = open.map { "Not documented: \($0.sentence)." }
        return answer
    }

    // MARK: Judging rules

    /// A rule with what it comes to under every reading that makes a difference to it.
    private struct Judged {
        let index: Int?
        let fit: AppleMatcher.Fit
        let excludes: Bool
        /// Nil in place of an outcome: the rule is not there.
        var others: [Doubt: (fits: Bool, excludes: Bool)] = [:]

        func outcome(_ doubt: Doubt?) -> (fits: Bool, excludes: Bool) {
            doubt.flatMap { others[$0] } ?? (fit.fits, excludes)
        }
    }

    private struct JudgedEntry {
        let entry: AppleDocument.Entry
        let isAsked: Bool
        let rules: [Judged]
    }

    private func judge(_ entry: AppleDocument.Entry) -> JudgedEntry {
        let isAsked = app.map { entry.appIDs.contains($0) } ?? !entry.appIDs.isEmpty
        guard isAsked else { return JudgedEntry(entry: entry, isAsked: false, rules: []) }
        if entry.hasNoRules {
            var nothing = Judged(
                index: nil, fit: .init(fits: false, why: "it has neither components nor paths"), excludes: false)
            nothing.others[.noRules] = (true, false)
            return JudgedEntry(entry: entry, isAsked: true, rules: [nothing])
        }
        return JudgedEntry(
            entry: entry, isAsked: true, rules: entry.rules.map { judge($0.rule, index: $0.index) })
    }

    private func judge(_ rule: AppleRule, index: Int) -> Judged {
        let fit = matcher.fit(rule)
        var judged = Judged(index: index, fit: fit, excludes: rule.excludes)
        for doubt in matcher.doubts(about: rule, fits: fit.fits) {
            judged.others[doubt] = (!fit.fits, rule.excludes)
        }
        for alternative in rule.alternatives {
            guard let other = alternative.rule?.rule else {
                judged.others[alternative.doubt] = (false, false)
                continue
            }
            judged.others[alternative.doubt] = (matcher.fit(other).fits, other.excludes)
        }
        return judged
    }

    // MARK: Deciding

    private struct Verdict: Equatable {
        var app: String?
        var detail: Int?
        var component: Int?
        var excluded = false
    }

    /// The first rule that fits decides for the apps of its entry. Where it keeps the URL in the browser, another entry
    /// can still open it in another app.
    private func verdict(
        _ entries: [JudgedEntry], doubt: Doubt?, trace: inout [SimulationAnswer.Step]
    ) -> Verdict {
        var exclusion: Verdict?
        var kept: Set<String> = []
        for judged in entries {
            let entry = judged.entry
            let apps = (app.map { [$0] } ?? entry.appIDs).filter { !kept.contains($0) }
            guard judged.isAsked, !apps.isEmpty else {
                trace.append(.init(detail: entry.index, component: nil, fits: false, why: passedOver(judged)))
                continue
            }
            if doubt == .wrongRule, entry.doubts.contains(.wrongRule) { continue }
            for rule in judged.rules {
                let outcome = rule.outcome(doubt)
                trace.append(
                    .init(
                        detail: entry.index, component: rule.index, fits: outcome.fits,
                        why: rule.fit.why + (outcome.fits && outcome.excludes ? "; it excludes" : "")))
                guard outcome.fits else { continue }
                if !outcome.excludes { return Verdict(app: apps[0], detail: entry.index, component: rule.index) }
                let stop = Verdict(detail: entry.index, component: rule.index, excluded: true)
                if doubt == .exclusionOfOtherApp { return stop }
                exclusion = exclusion ?? stop
                kept.formUnion(apps)
                break
            }
        }
        return exclusion ?? Verdict()
    }

    private func passedOver(_ judged: JudgedEntry) -> String {
        if judged.entry.appIDs.isEmpty { return "it names no app" }
        if let app, !judged.isAsked { return "it does not list \(quoted(app))" }
        return "an earlier entry keeps its apps closed"
    }

    // MARK: What is not documented

    private var doubtsOfFile: [Doubt] {
        var doubts = document.doubts
        if url.port != nil { doubts.append(.port) }
        if url.hasUserInformation { doubts.append(.userInformation) }
        for entry in document.entries {
            if entry.doubts.contains(.wrongApps), entry.appIDs.isEmpty || app == nil { doubts.append(.wrongApps) }
            if entry.doubts.contains(.wrongType) { doubts.append(.wrongType) }
        }
        var seen: Set<Doubt> = []
        return doubts.filter { seen.insert($0).inserted }
    }

    private func candidates(_ entries: [JudgedEntry]) -> [Doubt] {
        var present: Set<Doubt> = app == nil && entries.count > 1 ? [.exclusionOfOtherApp] : []
        for entry in entries where entry.isAsked {
            present.formUnion(entry.entry.doubts)
            for rule in entry.rules { present.formUnion(rule.others.keys) }
        }
        return Doubt.allCases.filter(present.contains)
    }
}
