package import WaymarkJSON

/// Whether a URL opens an app, which app and by which rule, and the rules skipped before it.
package struct SimulationResult: Hashable, Sendable {
    /// One rule that was checked, or one entry that was skipped as a whole.
    package struct Step: Hashable, Sendable {
        package let detail: Int?
        /// Nil for a whole entry.
        package let component: Int?
        package let fits: Bool
        /// One sentence on one line, without a full stop.
        package let why: String

        init(detail: Int?, component: Int?, fits: Bool, why: String) {
            self.detail = detail
            self.component = component
            self.fits = fits
            self.why = why
        }
    }

    package var opens = false
    /// The app that opens: Apple's app identifier, or Android's package name.
    package var appID: String?
    /// The entry that decided: its index in `details`, or the statement's in `assetlinks.json`.
    package var detail: Int?
    /// The rule that decided: its index in `components`, `paths` or the dynamic rules.
    package var component: Int?
    /// Whether a matching rule keeps the URL in the browser.
    package var excluded = false
    /// False if the result depends on undocumented behaviour; the warnings describe both readings.
    package var documented = true
    /// In the order the system checks.
    package var trace: [Step] = []
    package var warnings: [String] = []
    /// Why the result is incomplete: `budget-exceeded`. Only written if not empty.
    package private(set) var findings: [LintFinding] = []
    /// Whether there is no result: neither that the URL opens an app nor that it does not.
    package private(set) var isUndecided = false

    package init() {}

    /// Maximum number of steps in a trace.
    package static let traceLimit = 500

    package func write(to writer: inout JSONWriter) {
        writer.beginObject()
        writer.member("opens", opens)
        writer.member("appID", appID)
        writer.member("detail", detail)
        writer.member("component", component)
        writer.member("excluded", excluded)
        writer.member("documented", documented)
        writer.name("trace")
        writer.beginArray()
        for step in trace {
            writer.beginObject()
            writer.member("detail", step.detail)
            writer.member("component", step.component)
            writer.member("fits", step.fits)
            writer.member("why", step.why)
            writer.endObject()
        }
        writer.endArray()
        writer.name("warnings")
        writer.beginArray()
        for warning in warnings { writer.string(warning) }
        writer.endArray()
        if !findings.isEmpty {
            writer.name("findings")
            writer.beginArray()
            for finding in findings { finding.write(to: &writer) }
            writer.endArray()
        }
        writer.endObject()
    }

    /// The result as JSON, in the order of the members above.
    package func json(style: JSONStyle = .compact) -> [UInt8] {
        var writer = JSONWriter(style: style, capacity: 512 + trace.count * 96)
        write(to: &writer)
        return writer.bytes
    }
}

extension SimulationResult {
    /// Records that the budget ran out.
    ///
    /// - Parameter isDecided: whether there is a verdict, and only the ambiguities were not all checked.
    mutating func leaveUnfinished(isDecided: Bool) {
        documented = false
        isUndecided = !isDecided
        let problem =
            isDecided
            ? "the file's rules take too long to hold against this URL under every reading that is possible"
            : "the file's rules take too long to hold against this URL: whether it opens an app is not known"
        findings = [LintFinding(.budgetExceeded, problem)]
    }

    /// The steps of a trace: all, or the first ones and the decisive one, with a warning about the omitted ones.
    static func shown<Look>(
        _ looks: [Look], decisive: (Look) -> Bool, _ warnings: inout [String], step: (Look) -> Step
    ) -> [Step] {
        guard looks.count > traceLimit else { return looks.map(step) }
        let rest = looks[(traceLimit - 1)...]
        let last = rest.last(where: decisive)
        warnings.append("The trace leaves out \(rest.count - (last == nil ? 0 : 1)) steps.")
        return looks.prefix(traceLimit - 1).map(step) + [last].compactMap { $0.map(step) }
    }
}

extension SimulationResult {
    /// Human-readable text: the verdict on the first line, then the entry that decided, then the reasons.
    package var text: String {
        guard !isUndecided else { return findings.map(\.problem).joined(separator: "\n") }
        var lines = [opens ? "opens in \(appID ?? "the app")" : "opens in the browser"]
        lines.append(decision)
        if !documented { lines.append("not documented: see the warnings for the readings that there are") }
        lines += findings.map { "\($0.problem) [\($0.rule.rawValue)]" }
        if !trace.isEmpty { lines.append("") }
        for step in trace {
            let location = Self.location(step.detail, step.component)
            lines.append("  \(step.fits ? "+" : "-") \(location): \(step.why)")
        }
        if !warnings.isEmpty { lines += ["", "Keep in mind:"] + warnings.map { "  * \($0)" } }
        return lines.joined(separator: "\n")
    }

    private var decision: String {
        switch (detail, excluded) {
        case (nil, _): opens ? "by the app's own manifest" : "no rule fits"
        case (_?, true): "excluded by \(Self.location(detail, component))"
        case (_?, false): "by \(Self.location(detail, component))"
        }
    }

    private static func location(_ detail: Int?, _ component: Int?) -> String {
        switch (detail, component) {
        case (let detail?, let component?): "entry \(detail), rule \(component)"
        case (let detail?, nil): "entry \(detail)"
        case (nil, _): "the file"
        }
    }
}

/// How a user gets to a URL. It matters as much as the file: even if the file allows it, iOS may not open the app.
package enum NavigationContext: String, Sendable, CaseIterable {
    case tapInApp = "tap"
    case otherDomain = "other-domain"
    case redirect
    case sameDomain = "same-domain"
    case typed
    case ownApp = "own-app"
    case choseBrowser = "chose-browser"
    case script
    case otherBrowser = "other-browser"

    /// The user's action.
    package var action: String {
        switch self {
        case .tapInApp: "a tap in another app, such as Notes, Messages or Mail"
        case .otherDomain: "a tap in Safari on a page of another domain or subdomain"
        case .redirect: "a tap on a link of another host that redirects here"
        case .sameDomain: "a tap in Safari on a page of the same domain"
        case .typed: "a URL typed or pasted into the address bar"
        case .ownApp: "the app opens its own link"
        case .choseBrowser: "the person chose the browser for this domain before, by a long press or in the banner"
        case .script: "a script that goes there without a tap"
        case .otherBrowser: "another browser than Safari, or the browser inside of an app"
        }
    }

    /// Nil if it depends on the browser.
    package var opensApp: Bool? {
        switch self {
        case .tapInApp, .otherDomain, .redirect: true
        case .sameDomain, .typed, .ownApp, .choseBrowser, .script: false
        case .otherBrowser: nil
        }
    }

    /// Warnings about contexts, added if the file lets the URL open an app.
    static func warnings(_ platform: AssociationSimulation.Platform) -> [String] {
        switch platform {
        case .ios:
            [
                "A tap in Safari on a page of the same domain stays in Safari; a different subdomain is enough to open the app.",
                "A URL typed or pasted into the address bar stays in Safari, which offers the app in a banner.",
                "A person who chose the browser by a long press or in the banner stays there until they choose the app again.",
                "A link of another host that redirects here opens the app by way of the browser; a script without a tap does not.",
                "Devices ask Apple's copy of the file, which may be up to a week behind.",
            ]
        case .android:
            [
                "The app's manifest must claim this host and path with autoVerify; dynamic rules only narrow that.",
                "Dynamic rules hold from Android 15 on, with Google's services; earlier systems go by the manifest alone.",
                "A tap in Chrome on a page of the same host stays in Chrome, and so does a URL typed into the address bar.",
            ]
        }
    }
}
