internal import WaymarkJSON

/// Whether a URL opens an app according to a host's association file: the result of `AssociationSimulation` in one
/// sentence, for explanations and findings.
package struct LinkOpening: Hashable, Sendable {
    /// Whether a tap opens an app that is installed; nil if the file can't be used or takes too long.
    package var opens: Bool?
    /// The rule that decided, as in the file: `{"/":"/*"}`. Nil if none did.
    package var rule: String?
    /// One sentence on one line, without a full stop.
    package var why: String

    package init(opens: Bool?, rule: String? = nil, why: String) {
        self.opens = opens
        self.rule = rule
        self.why = why
    }

    /// - Parameter file: the bytes as served.
    package init(of url: String, by file: [UInt8], _ kind: AssociationKind) {
        self.init(of: url, by: file, kind, budget: WorkBudget())
    }

    /// - Parameter budget: the budget of the whole request.
    init(of url: String, by file: [UInt8], _ kind: AssociationKind, budget: WorkBudget) {
        switch AssociationSimulation.simulate(file: file, url: url, platform: kind.platform, budget: budget) {
        case .unusable(let reason): self.init(opens: nil, why: reason)
        case .answer(let answer) where answer.isUndecided: self.init(opens: nil, why: answer.text)
        case .answer(let answer):
            self.init(opens: answer.opens, rule: Self.rule(answer, file, kind), why: Self.reason(answer))
        }
    }

    private static func reason(_ answer: SimulationResult) -> String {
        let step = answer.trace.last {
            $0.fits && $0.detail == answer.detail && $0.component == answer.component
        }
        var why = step?.why ?? "no rule fits"
        if answer.opens, let app = answer.appID { why = "opens \(shortened(app)): \(why)" }
        // Warnings about undocumented behavior come first.
        guard !answer.documented, let open = answer.warnings.first else { return why }
        let sentence = open.hasSuffix(".") ? open.dropLast() : open[...]
        return answer.detail == nil ? String(sentence) : "\(why); \(sentence)"
    }

    /// Nil as well for rules of any other form than today's.
    private static func rule(_ answer: SimulationResult, _ file: [UInt8], _ kind: AssociationKind) -> String? {
        guard let detail = answer.detail, let component = answer.component,
            let root = try? JSONValue(parsing: file)
        else { return nil }
        let lists: [JSONValue?]
        switch kind {
        case .apple:
            let entry = root["applinks"]?["details"]?.array?.element(at: detail)
            lists = [entry?["components"], entry?["paths"]]
        case .assetLinks:
            let relation = root.array?.element(at: detail)?["relation_extensions"]?[AndroidDocument.linkRelation]
            lists = [relation?[AndroidDocument.dynamicRulesName]]
        }
        guard let rule = lists.lazy.compactMap({ $0?.array }).first?.element(at: component) else { return nil }
        if let path = rule.string { return shortened(path, to: ruleLimit) }
        // JSON has no control characters, and its quotation marks stay readable.
        let text = rule.text()
        return text.unicodeScalars.count > ruleLimit
            ? String(String.UnicodeScalarView(text.unicodeScalars.prefix(ruleLimit))) + "…" : text
    }

    /// In Unicode scalars.
    private static let ruleLimit = 300
}

extension AssociationKind {
    package var platform: AssociationSimulation.Platform {
        switch self {
        case .apple: .ios
        case .assetLinks: .android
        }
    }
}

extension Array {
    fileprivate func element(at index: Int) -> Element? { indices.contains(index) ? self[index] : nil }
}
