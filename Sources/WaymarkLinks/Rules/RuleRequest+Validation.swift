import WaymarkAPI
import WaymarkBytes

extension [RuleRequest] {
    /// Validates all rules, reports all problems, and finds rules that can never match.
    ///
    /// - Parameters:
    ///   - schemes: the allowed schemes besides http and https; nil: any.
    ///   - variables: the variables that URLs may have; nil: any.
    ///   - parameters: the variables' values; nil: any.
    ///   - isStored: skips the limit of all values together.
    func validate(
        schemes: Set<URLScheme>?, variables: Set<String>?, from start: Timestamp?, until end: Timestamp?,
        _ check: DestinationCheck, with parameters: [String: String]? = nil, isStored: Bool = false,
        _ problems: inout ProblemList
    ) -> [Rule] {
        if count > Rule.limit { problems.add("rules", "holds more than \(Rule.limit)") }
        let values = prefix(Rule.limit).reduce(0) { $0 + $1.when.valueCount }
        if values > Rule.valueLimitOfAll, !isStored {
            // Skips further checks: this problem must be fixed first.
            problems.add("rules", "hold \(values) values together, and may hold \(Rule.valueLimitOfAll)")
            return []
        }
        var rules: [Rule] = []
        var names: Set<String> = []
        let before = problems.count
        for (number, draft) in prefix(Rule.limit).enumerated() {
            let field = "rules[\(number)]"
            let when = draft.when.validate(at: "\(field).when", &problems)
            let name = draft.name
            problems.name("\(field).name", name, ofOthers: &names)
            if let start, let before = when.before, before <= start {
                problems.add("\(field).when.before", "is over before the link begins to work: the rule can never match")
            }
            if let end, let after = when.after, after >= end {
                problems.add("\(field).when.after", "comes when the link has expired: the rule can never match")
            }
            let reader = URLEntryRules(schemes: schemes, variables: variables)
            switch draft.to {
            case .url(let url):
                // The URL must work in every browser, so it is validated as the one of the platform `web`.
                var own = ProblemList()
                let read = reader.read(["web": URLEntryRequest(url)], at: field, noting: &own)
                for problem in own.entries { problems.add("\(field).to", problem.problem) }
                if let entry = read[.web] {
                    rules.append(Rule(name: name, when: when, to: .everyone(entry)))
                    check.note(entry, at: "\(field).to", with: parameters, &problems)
                }
            case .urls(let urls):
                if urls.isEmpty { problems.add("\(field).to", "is empty: the rule can never match") }
                let read = reader.read(urls, at: "\(field).to", noting: &problems)
                check.note(read, at: "\(field).to", with: parameters, &problems)
                rules.append(Rule(name: name, when: when, to: .platforms(read)))
            }
        }
        // Coverage can only be computed for valid rules.
        guard problems.count == before, rules.count == count else { return rules }
        for (number, problem) in RuleCoverage.problems(of: rules) { problems.add("rules[\(number)]", problem) }
        return rules
    }
}

extension ProblemList {
    /// Checks the name of a rule, or of an entry of a template: statistics show rules without one by their numbers.
    ///
    /// - Parameter others: the names ahead of it, to which it is added.
    mutating func name(_ field: String, _ name: String?, ofOthers others: inout Set<String>) {
        guard let name else { return }
        let scalars = name.unicodeScalars
        if scalars.isEmpty { add(field, "is empty") }
        if scalars.count > Rule.nameLimit { add(field, "is longer than \(Rule.nameLimit) characters") }
        if scalars.contains(where: { $0.properties.generalCategory == .control }) {
            add(field, "must not hold control characters")
        }
        if !scalars.isEmpty, scalars.allSatisfy({ $0.properties.numericType == .decimal }) {
            add(field, "must not be digits only: rules without a name are shown by their numbers")
        } else if ["none", ClickField.rest].contains(name) || name.hasPrefix("app/") {
            add(field, "must not be none or \(ClickField.rest), nor begin with app/: statistics use these")
        }
        if !others.insert(name).inserted { add(field, "is another one's too") }
    }
}

extension RuleRequest.Condition {
    /// The number of values that a visit may be compared with. A parameter that accepts any value counts as one.
    fileprivate var valueCount: Int {
        let lists = [platform, device, browser, inApp, language, country, referrerHost]
        let parameters = (query ?? [:]).values.reduce(0) { $0 + Swift.max(1, $1?.count ?? 1) }
        return lists.reduce(parameters) { $0 + ($1?.count ?? 0) }
    }

    fileprivate func validate(at field: String, _ problems: inout ProblemList) -> RuleCondition {
        var condition = RuleCondition()
        condition.platforms = known(platform, "\(field).platform", Platform.self, &problems)
        condition.devices = known(device, "\(field).device", Visitor.Device.self, &problems)
        condition.browsers = known(browser, "\(field).browser", VisitorClass.Browser.self, &problems).map(\.rawValue)
        condition.inApps = known(inApp, "\(field).inApp", VisitorClass.InApp.self, &problems).map(\.rawValue)
        condition.isInApp = isInApp
        condition.languages = checked(language, "\(field).language", "is no language such as de or pt-BR", &problems) {
            LanguageTag.range($0)
        }
        condition.countries = checked(
            country, "\(field).country", "is no country of two letters (ISO 3166-1 alpha-2)", &problems
        ) {
            $0.utf8.count == 2 && $0.utf8.allSatisfy(\.isLetter) ? $0.uppercased() : nil
        }
        condition.stores = known(store, "\(field).store", Visitor.Store.self, &problems)
        let referrers = checked(
            referrerHost, "\(field).referrerHost",
            "is no host such as example.com or *.example.com, and no app such as app:com.example.mail", &problems
        ) { ReferrerPattern($0) }
        for referrer in referrers {
            switch referrer {
            case .host(let pattern): condition.referrerHosts.append(pattern)
            case .app(let package): condition.referrerApps.append(package)
            }
        }
        condition.query = validQuery("\(field).query", &problems)
        condition.after = time(after, "\(field).after", &problems)
        condition.before = time(before, "\(field).before", &problems)
        if let after = condition.after, let before = condition.before, before <= after {
            problems.add("\(field).before", "must be later than after: the rule can never match")
        }
        if let percentage {
            if (1...100).contains(percentage) {
                condition.percentage = percentage
            } else {
                problems.add("\(field).percentage", "must be from 1 to 100")
            }
        }
        impossible(condition, field, &problems)
        return condition
    }

    private enum ReferrerPattern: Hashable {
        case host(HostPattern), app(String)

        init?(_ text: String) {
            if text.hasPrefix(ClickField.appPrefix) {
                let package = String(text.dropFirst(ClickField.appPrefix.count))
                guard AndroidPackage.isValid(package) else { return nil }
                self = .app(package)
            } else {
                guard let pattern = HostPattern(text) else { return nil }
                self = .host(pattern)
            }
        }
    }

    /// Conditions that no visitor can meet together.
    private func impossible(_ condition: RuleCondition, _ field: String, _ problems: inout ProblemList) {
        let never = "the rule can never match"
        if condition.isInApp == false, !condition.inApps.isEmpty {
            problems.add("\(field).inApp", "names apps and wants none: \(never)")
        }
        guard !condition.platforms.isEmpty else { return }
        let devices = Set(condition.platforms.flatMap(\.devices))
        if !condition.devices.isEmpty, devices.isDisjoint(with: condition.devices) {
            problems.add("\(field).device", "is none that these platforms have: \(never)")
        }
    }

    private func known<Value: RawRepresentable<String> & CaseIterable & Hashable>(
        _ given: [String]?, _ field: String, _: Value.Type, _ problems: inout ProblemList
    ) -> [Value] {
        checked(
            given, field, "is unknown; known are \(Value.allCases.map(\.rawValue).joined(separator: ", "))", &problems
        ) { Value(rawValue: $0) }
    }

    private func checked<Value: Hashable>(
        _ given: [String]?, _ field: String, _ problem: @autoclosure () -> String, _ problems: inout ProblemList,
        _ read: (String) -> Value?
    ) -> [Value] {
        guard let given else { return [] }
        if given.isEmpty { problems.add(field, "is empty: the rule can never match") }
        if given.count > Rule.valueLimit { problems.add(field, "holds more than \(Rule.valueLimit)") }
        var values: [Value] = []
        var known: Set<Value> = []
        for (index, text) in given.prefix(Rule.valueLimit).enumerated() {
            guard let value = read(text) else {
                problems.add(given.count == 1 ? field : "\(field)[\(index)]", problem())
                continue
            }
            if known.insert(value).inserted { values.append(value) }
        }
        return values
    }

    private func validQuery(_ field: String, _ problems: inout ProblemList) -> [RuleCondition.Parameter] {
        guard let query else { return [] }
        if query.isEmpty { problems.add(field, "is empty") }
        if query.count > Rule.limit { problems.add(field, "holds more than \(Rule.limit) parameters") }
        return query.sorted { $0.key < $1.key }.prefix(Rule.limit).map { name, values in
            let own = "\(field).\(name.shownAsName)"
            problems.text(own, name, atMost: LinkLimits.queryName)
            if ClickQuery.isReserved(name) { problems.add(own, "is never a click's: the rule can never match") }
            if values?.isEmpty == true { problems.add(own, "is empty: the rule can never match") }
            if (values?.count ?? 0) > Rule.valueLimit { problems.add(own, "holds more than \(Rule.valueLimit)") }
            for value in (values ?? []).prefix(Rule.valueLimit) {
                problems.text(own, value, atMost: LinkLimits.queryBytes, mayBeEmpty: true)
            }
            return RuleCondition.Parameter(name: name, values: values)
        }
    }

    private func time(_ text: String?, _ field: String, _ problems: inout ProblemList) -> Timestamp? {
        guard let text else { return nil }
        let time = Timestamp(rfc3339: text)
        if time == nil { problems.add(field, "is no RFC 3339 time such as 2026-11-21T10:00:00Z") }
        return time
    }
}

extension Platform {
    /// The kinds of device on a platform.
    fileprivate var devices: [Visitor.Device] {
        switch self {
        case .iphone: [.phone]
        case .ipad: [.tablet]
        case .ios: [.phone, .tablet, .unknown]
        case .android: [.phone, .tablet, .unknown]
        case .windows: [.desktop, .phone]
        case .macos, .linux: [.desktop]
        case .web: [.desktop, .unknown]
        }
    }
}
