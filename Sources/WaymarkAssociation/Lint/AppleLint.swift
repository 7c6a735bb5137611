internal import WaymarkJSON

/// Checks an `apple-app-site-association` file by the rules of Apple's systems.
struct AppleLint {
    var notes: LintDiagnostics
    private var variables = SubstitutionVariables.none
    private var usedVariables: Set<String> = []
    private let budget: WorkBudget
    /// The names of all variables; created for the first undefined one.
    private var variableSpelling: Spelling?

    private static let services = ["applinks", "webcredentials", "appclips", "activitycontinuation"]
    private static let rootMembers = KnownMembers(services)
    private static let serviceMembers = KnownMembers(["apps"])
    private static let linkMembers = KnownMembers(["apps", "details", "defaults", "substitutionVariables"])
    private static let detailMembers = KnownMembers(["appID", "appIDs", "paths", "components", "defaults"])
    private static let componentMembers = KnownMembers(
        AssociationComponent.members,
        meant: [
            "path": "/", "query": "?", "fragment": "#", "not": "exclude", "excluded": "exclude", "excludes": "exclude",
        ])

    init(_ notes: LintDiagnostics) {
        self.notes = notes
        budget = notes.budget
    }

    mutating func lint(_ root: SourceLocation) {
        guard root.value.object != nil else {
            notes.note(.rootType, at: root, "the file is \(root.value.noun), not an object")
            return
        }
        notes.unknownMembers(of: root, known: Self.rootMembers)
        if !Self.services.contains(where: { root[$0] != nil }) {
            notes.note(.noService, at: root, "the file names none of \(Self.services.joined(separator: ", "))")
        }
        if let links = root["applinks"] { lintLinks(links) }
        for service in Self.services.dropFirst() {
            guard let location = root[service], notes.object(location) != nil else { continue }
            notes.unknownMembers(of: location, known: Self.serviceMembers)
            guard let apps = location["apps"] else {
                notes.note(.appMissing, at: location, "\(service) has no apps")
                continue
            }
            guard let elements = notes.elements(apps) else { continue }
            for app in elements where !notes.isFull { lintApp(app) }
        }
    }

    private mutating func lintLinks(_ links: SourceLocation) {
        guard notes.object(links) != nil else { return }
        notes.unknownMembers(of: links, known: Self.linkMembers)
        if let apps = links["apps"], let elements = notes.elements(apps), !elements.isEmpty {
            notes.note(.appsNotEmpty, at: apps, "apps must be an empty array beside details")
        }
        lintVariables(links["substitutionVariables"])
        let defaults = lintDefaults(links["defaults"])
        guard let details = links["details"] else {
            notes.note(.detailsMissing, at: links, "applinks has no details, so no link opens an app")
            return
        }
        if details.value.object != nil {
            notes.note(.detailsByApp, at: details, "details is an object keyed by app, not an array")
            for member in details.members where !notes.isFull {
                lintApp(member.name, offset: member.nameOffset, pointer: member.location.pointer)
                if notes.object(member.location) != nil { _ = lintRules(member.location, .init(file: defaults)) }
            }
            return
        }
        guard let entries = notes.elements(details) else { return }
        if entries.isEmpty { notes.note(.detailsMissing, at: details, "details is empty, so no link opens an app") }
        var known: Set<String> = []
        var takesAll: SourceLocation?
        for entry in entries where !notes.isFull {
            guard notes.object(entry) != nil else { continue }
            let apps = lintEntry(entry)
            lintRepetition(of: apps, in: entry, &known)
            let rules = lintRules(entry, .init(file: defaults, entry: lintDefaults(entry["defaults"])))
            if let takesAll, !apps.isEmpty, !rules.isEmpty {
                notes.note(
                    .catchAllBefore, at: entry,
                    "the entry at \(takesAll.pointer) takes every URL that this one could, where both apps are installed"
                )
            }
            let cover = RuleSubsumption(variables: variables, budget: budget)
            if takesAll == nil, rules.contains(where: { !$0.excludes && cover.coversAll($0) }) { takesAll = entry }
        }
        // The file was not read to the end, so a variable that looks unused may be used later.
        guard !notes.isFull else { return }
        lintUnusedVariables(links["substitutionVariables"])
    }

    // MARK: Entries

    private mutating func lintRepetition(of apps: [String], in entry: SourceLocation, _ known: inout Set<String>) {
        budget.spend(apps.count * WorkBudget.Price.medium)
        var own: Set<String> = []
        var repeated: [String] = []
        for app in apps where own.insert(app).inserted && known.contains(app) && repeated.count <= LintDiagnostics.limit
        {
            repeated.append(app)
        }
        known.formUnion(own)
        for app in repeated.sorted() {
            notes.note(.appRepeated, at: entry, "\(quoted(app)) stands in an earlier entry as well")
        }
    }

    /// The entry's apps.
    private mutating func lintEntry(_ entry: SourceLocation) -> [String] {
        notes.unknownMembers(of: entry, known: Self.detailMembers)
        var apps: [String] = []
        if let list = entry["appIDs"] {
            if let elements = notes.elements(list) {
                if elements.isEmpty { notes.note(.appIDsEmpty, at: list, "appIDs is empty: the entry opens nothing") }
                for element in elements where !notes.isFull { lintApp(element).map { apps.append($0) } }
            }
            if let single = entry["appID"] {
                notes.note(.appIDIgnored, at: single, "appID is ignored because appIDs is present")
            }
        } else if let single = entry["appID"] {
            lintApp(single).map { apps.append($0) }
        } else {
            notes.note(.appMissing, at: entry, "the entry names no app")
        }
        return apps
    }

    @discardableResult
    private mutating func lintApp(_ location: SourceLocation) -> String? {
        guard let text = notes.string(location) else { return nil }
        lintApp(text, offset: location.value.range.lowerBound, pointer: location.pointer)
        return text
    }

    private mutating func lintApp(_ text: String, offset: Int, pointer: @autoclosure () -> String) {
        budget.spend(text.utf8.count * 8 + WorkBudget.Price.medium)
        guard let fault = AppIDFault(text) else { return }
        notes.note(
            fault.rule, offset: offset, pointer: pointer(), "\(quoted(text)): \(fault.problem)", mend: fault.mend)
    }

    private mutating func lintDefaults(_ location: SourceLocation?) -> AppleRuleReader.Level? {
        guard let location, let object = notes.object(location) else { return nil }
        notes.unknownMembers(of: location, known: Self.componentMembers)
        for name in ["/", "?", "#"] {
            guard let pattern = location[name] else { continue }
            notes.note(
                .defaultsPattern, at: pattern,
                "this pattern holds for every rule that has no \(quoted(name)) of its own")
        }
        if let exclude = location["exclude"], notes.bool(exclude) == true {
            notes.note(
                .defaultsExclude, at: exclude, "this makes an exclusion of every rule that does not say otherwise")
        }
        for name in ["caseSensitive", "percentEncoded"] {
            if let value = location[name] { _ = notes.bool(value) }
        }
        return AppleRuleReader.Level(object, budget)
    }

    // MARK: Rules

    /// The rules as applied by a device.
    private mutating func lintRules(_ entry: SourceLocation, _ defaults: AppleRuleReader.Defaults) -> [AppleRule] {
        let components = entry["components"]
        let paths = entry["paths"]
        if components != nil, let paths {
            notes.note(.rulesMixed, at: paths, "paths is ignored since iOS 13 because components is present")
        }
        let reader = AppleRuleReader(defaults: defaults, budget: budget)
        var rules: [(location: SourceLocation, rule: AppleRule)] = []
        if let list = components ?? paths {
            if let elements = notes.elements(list) {
                for element in elements where !notes.isFull {
                    if components == nil {
                        guard let path = notes.string(element) else { continue }
                        lint(path: path, at: element)
                        rules.append((element, reader.rule(path: path)))
                    } else {
                        guard let component = notes.object(element) else { continue }
                        let rule = reader.rule(component)
                        lint(component: element, rule)
                        rules.append((element, rule))
                    }
                }
            }
            if list.value.array?.isEmpty ?? false {
                notes.note(.rulesEmpty, at: list, "the list is empty: the entry opens nothing")
            }
        } else {
            notes.note(.rulesMissing, at: entry, "the entry has neither components nor paths")
        }
        lintOrder(rules, isPaths: components == nil)
        return rules.map(\.rule)
    }

    private mutating func lint(path: String, at location: SourceLocation) {
        var pattern = path
        if path.utf8.starts(with: "NOT ".utf8) {
            pattern = String(decoding: path.utf8.dropFirst(4), as: UTF8.self)
            if pattern.first == " " {
                notes.note(.notMalformed, at: location, "more than one space follows NOT")
                return
            }
        } else if PatternText.startsWithNot(path) {
            notes.note(.notMalformed, at: location, "\(quoted(path)) is not read as an exclusion, but as a pattern")
            return
        }
        lintPattern(pattern, .legacyPath, AppleRule(excludes: pattern != path), at: location)
    }

    private mutating func lint(component location: SourceLocation, _ rule: AppleRule) {
        notes.unknownMembers(of: location, known: Self.componentMembers)
        if let path = location["/"], let pattern = notes.string(path) {
            if PatternText.startsWithNot(pattern) {
                notes.note(.notInComponent, at: path, "NOT is plain text in a component")
            } else {
                lintPattern(pattern, .path, rule, at: path)
            }
        }
        if let fragment = location["#"], let pattern = notes.string(fragment) {
            lintPattern(pattern, .fragment, rule, at: fragment)
        }
        if let query = location["?"] { lint(query: query, rule) }
        for name in ["exclude", "caseSensitive", "percentEncoded"] {
            if let value = location[name] { _ = notes.bool(value) }
        }
        if let comment = location["comment"] { _ = notes.string(comment) }
        if rule.excludes, !rule.percentEncoded {
            notes.note(
                .exclusionDecoded, at: location,
                "this exclusion is compared with the decoded URL, in which %2F is a slash"
            )
        }
    }

    private mutating func lint(query: SourceLocation, _ rule: AppleRule) {
        if let pattern = query.value.string {
            lintPattern(pattern, .query, rule, at: query)
            return
        }
        guard query.value.object != nil else {
            notes.note(
                .wrongType, at: query, "a string or an object of strings belongs here, not \(query.value.noun)",
                mend: "Write a string or an object of strings.")
            return
        }
        for member in query.members where !notes.isFull {
            guard let pattern = member.location.value.string else {
                notes.note(
                    .queryValueType, at: member.location,
                    "\(member.location.value.noun) stands here, which drops the whole dictionary: the rule opens more")
                continue
            }
            if pattern == "*" {
                notes.note(
                    .queryDemandsNothing, at: member.location,
                    "* also fits where there is no item \(quoted(member.name))")
            }
            lintPattern(pattern, .query, rule, at: member.location)
        }
    }

    private mutating func lintPattern(
        _ pattern: String, _ part: PatternText.Part, _ rule: AppleRule, at location: SourceLocation
    ) {
        let text = PatternText(pattern, part, rule, budget)
        for fault in text.faults {
            notes.note(fault.rule, at: location, fault.problem, mend: fault.mend)
        }
        for name in text.variableNames where !notes.isFull {
            budget.spend(WorkBudget.Price.medium)
            usedVariables.insert(name)
            if !variables.isKnown(name) { noteUndefined(name, at: location) }
        }
    }

    private mutating func noteUndefined(_ name: String, at location: SourceLocation) {
        let spelling = variableSpelling ?? Spelling(variables.names + SubstitutionVariables.predefinedNames)
        variableSpelling = spelling
        let guess = spelling.nearest(to: name, budget)
        notes.note(
            .variableUndefined, at: location, "the variable \(quoted(name)) is not defined",
            mend: guess.map { "Write $(\($0)), or define it in substitutionVariables." }
                ?? "Define it in substitutionVariables.")
    }

    // MARK: Order

    private mutating func lintOrder(_ rules: [(location: SourceLocation, rule: AppleRule)], isPaths: Bool) {
        let cover = RuleSubsumption(variables: variables, budget: budget)
        if let first = rules.first, first.rule.excludes, cover.coversAll(first.rule), first.rule.alternatives.isEmpty {
            notes.note(.everythingExcluded, at: first.location, "the first rule excludes every URL: nothing opens")
            return
        }
        var earlier = EarlierRules(cover, budget)
        for later in rules {
            guard !notes.isFull else { return }
            let prepared = cover.prepared(later.rule)
            let wider = earlier.firstIndex(covering: prepared)
            earlier.append(prepared)
            guard let wider, !budget.isExhausted else { continue }
            let earlierRule = "the rule at \(rules[wider].location.pointer)"
            if later.rule.excludes, !rules[wider].rule.excludes {
                notes.note(.exclusionUnreachable, at: later.location, "\(earlierRule) opens all that this one excludes")
            } else if isPaths, later.rule.excludes == rules[wider].rule.excludes {
                notes.note(.ruleRedundant, at: later.location, "\(earlierRule) fits all that this one fits")
            } else {
                notes.note(
                    .ruleUnreachable, at: later.location,
                    "\(earlierRule) fits all that this one fits, so it never decides"
                )
            }
        }
    }

    // MARK: Variables

    private mutating func lintVariables(_ location: SourceLocation?) {
        guard let location, notes.object(location) != nil else { return }
        for member in location.members where !notes.isFull {
            budget.spend(member.name.utf8.count + WorkBudget.Price.medium)
            if member.name.utf8.contains(where: { "$()".utf8.contains($0) }) || member.name.isEmpty {
                notes.note(
                    .variableName, offset: member.nameOffset, pointer: member.location.pointer,
                    "\(quoted(member.name)) is no name for a variable")
            }
            if SubstitutionVariables.predefined(member.name) != nil {
                notes.note(
                    .variablePredefined, offset: member.nameOffset, pointer: member.location.pointer,
                    "\(quoted(member.name)) is predefined; which of the two counts is not documented")
            }
            guard let values = notes.elements(member.location) else { continue }
            if values.isEmpty {
                notes.note(.variableEmpty, at: member.location, "\(quoted(member.name)) has no values")
            }
            var texts: [String] = []
            for value in values where !notes.isFull {
                guard let text = notes.string(value) else { continue }
                budget.spend(text.utf8.count + WorkBudget.Price.small)
                texts.append(text)
                if PatternText.holdsVariable(text) {
                    notes.note(.variableNested, at: value, "the value \(quoted(text)) holds a variable")
                }
            }
            variables.define(member.name, texts)
        }
    }

    private mutating func lintUnusedVariables(_ location: SourceLocation?) {
        guard let location else { return }
        for member in location.members where !notes.isFull && !usedVariables.contains(member.name) {
            notes.note(
                .variableUnused, offset: member.nameOffset, pointer: member.location.pointer,
                "no pattern names \(quoted(member.name))")
        }
    }
}
