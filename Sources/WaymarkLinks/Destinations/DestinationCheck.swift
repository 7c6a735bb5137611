package import WaymarkAPI

/// The checks of a URL beyond its syntax, when it is set on a link or an application.
package struct DestinationCheck: Sendable {
    package var policy: DestinationPolicy?
    /// The hosts that a destination must not lead back to; nil: not checked.
    package var smartlinkHosts: SmartlinkHosts?

    package init(policy: DestinationPolicy? = nil, smartlinkHosts: SmartlinkHosts? = nil) {
        self.policy = policy
        self.smartlinkHosts = smartlinkHosts
    }

    package static let leadsBack = "leads back to a smart link of this service"

    /// - Parameter parameters: the values of variables; nil if they may have any.
    func problem(of pattern: URLPattern, with parameters: [String: String]? = nil) -> String? {
        guard pattern.isWeb else { return nil }
        return problem(ofHostIn: pattern.url)
            ?? (smartlinkHosts?.leadsBack(pattern, with: parameters) == true ? Self.leadsBack : nil)
    }

    func problem(of url: WebURL) -> String? {
        problem(ofHostIn: url.url) ?? (smartlinkHosts?.leadsBack(url) == true ? Self.leadsBack : nil)
    }

    private func problem(ofHostIn url: URLText) -> String? {
        guard let policy, let host = url.host else { return nil }
        return policy.refusal(of: host)?.problem(host)
    }

    /// Reports problems with the entry of one platform, by its names in a body.
    func note(
        _ entry: URLEntry, at field: String, with parameters: [String: String]? = nil,
        _ problems: inout ProblemList
    ) {
        if let problem = problem(of: entry.link, with: parameters) {
            problems.add(entry.fallback == nil ? field : field + ".link", problem)
        }
        if case .url(let url)? = entry.fallback, let problem = problem(of: url) {
            problems.add(field + ".fallback", problem)
        }
    }

    private func hasProblem(_ entry: URLEntry, with parameters: [String: String]?) -> Bool {
        if problem(of: entry.link, with: parameters) != nil { return true }
        if case .url(let url)? = entry.fallback { return problem(of: url) != nil }
        return false
    }

    func note(
        _ urls: PlatformURLs, at field: String, with parameters: [String: String]? = nil,
        _ problems: inout ProblemList
    ) {
        guard urls.contains(where: { hasProblem($0.value, with: parameters) }) else { return }
        for (platform, entry) in urls.sorted(by: { $0.key.rawValue < $1.key.rawValue }) {
            note(entry, at: "\(field).\(platform.rawValue)", with: parameters, &problems)
        }
    }

    func note(
        _ rule: Rule, at field: String, with parameters: [String: String]? = nil, _ problems: inout ProblemList
    ) {
        switch rule.to {
        case .everyone(let entry): note(entry, at: "\(field).to", with: parameters, &problems)
        case .platforms(let urls): note(urls, at: "\(field).to", with: parameters, &problems)
        }
    }

    func note(_ url: WebURL?, at field: String, _ problems: inout ProblemList) {
        if let url, let problem = problem(of: url) { problems.add(field, problem) }
    }
}

extension Application {
    /// Forbidden destinations of the application: in its templates, rules and pages.
    package func destinationProblems(_ check: DestinationCheck) -> [FieldProblem] {
        var problems = ProblemList()
        check.note(webBaseURL, at: "web.baseURL", &problems)
        for (location, template) in templates.enumerated() {
            check.note(template.urls, at: "templates[\(location)].urls", &problems)
        }
        check.note(onExpired, at: "onExpired", &problems)
        check.note(onUnknown, at: "onUnknown", &problems)
        check.note(onRoot, at: "onRoot", &problems)
        for (location, rule) in rules.enumerated() { check.note(rule, at: "rules[\(location)]", &problems) }
        return problems.entries
    }
}
