import WaymarkBytes
internal import WaymarkJSON

/// Checks an `assetlinks.json` file by Google's rules.
struct AssetLinksLint {
    var notes: LintDiagnostics
    private var includes = 0
    private var opensLinks = false
    /// The apps that have dynamic rules.
    private var withDynamicRules: Set<String> = []
    private let budget: WorkBudget

    private static let members = KnownMembers(["relation", "target", "relation_extensions", "include"])
    private static let appMembers = KnownMembers(["namespace", "package_name", "sha256_cert_fingerprints"])
    private static let webMembers = KnownMembers(["namespace", "site"])
    private static let extensionMembers = KnownMembers([AndroidDocument.dynamicRulesName])
    private static let relationSpelling = Spelling(relations)
    private static let relations = ["handle_all_urls", "get_login_creds", "use_as_origin"].map {
        "delegate_permission/common.\($0)"
    }

    init(_ notes: LintDiagnostics) {
        self.notes = notes
        budget = notes.budget
    }

    mutating func lint(_ root: SourceLocation) {
        guard root.value.array != nil else {
            notes.note(.rootType, at: root, "the file is \(root.value.noun), not an array of statements")
            return
        }
        if root.elements.isEmpty {
            notes.note(.statementsMissing, at: root, "the file holds no statement")
            return
        }
        for statement in root.elements where !notes.isFull {
            guard notes.object(statement) != nil else { continue }
            lint(statement: statement)
        }
        if !opensLinks, includes == 0, !notes.isFull {
            notes.note(.relationMissing, at: root, "no statement lets an app open this site's links")
        }
    }

    private mutating func lint(statement: SourceLocation) {
        budget.spend(WorkBudget.Price.rule)
        notes.unknownMembers(of: statement, known: Self.members)
        if let include = statement["include"] {
            lint(include: include)
            if statement["relation"] != nil || statement["target"] != nil {
                notes.note(.includeMixed, at: include, "include is combined with a relation or a target")
            }
            return
        }
        for name in ["relation", "target"] where statement[name] == nil {
            notes.note(.statementIncomplete, at: statement, "the statement has no \(name)", mend: "Add \(name).")
        }
        var relations: [String] = []
        if let location = statement["relation"], let elements = notes.elements(location) {
            if elements.isEmpty {
                notes.note(.relationShape, at: location, "the list of relations is empty")
            }
            for element in elements where !notes.isFull {
                guard let text = notes.string(element) else { continue }
                budget.spend(text.utf8.count * 4 + WorkBudget.Price.medium)
                relations.append(text)
                lint(relation: text, at: element)
            }
        }
        guard let target = statement["target"], notes.object(target) != nil else { return }
        let package = lint(target: target)
        if relations.contains(AndroidDocument.linkRelation), target["namespace"]?.value.string == "android_app" {
            opensLinks = true
        }
        lintDynamicRules(statement["relation_extensions"], package: package)
    }

    private mutating func lint(relation text: String, at location: SourceLocation) {
        let prefix = "delegate_permission/"
        let detail = text.utf8.dropFirst(prefix.utf8.count)
        let isShaped =
            text.hasPrefix(prefix) && !detail.isEmpty
            && detail.allSatisfy { ($0.isLetter && !$0.isCapital) || $0.isDigit || "_.".utf8.contains($0) }
        let guess = Self.relations.contains(text) ? nil : Self.relationSpelling.nearest(to: text, budget)
        if !isShaped {
            notes.note(
                .relationShape, at: location, "\(quoted(text)) is no relation",
                mend: guess.map { "Write \($0)." } ?? "")
        } else if !Self.relations.contains(text) {
            notes.note(
                .relationUnknown, at: location, "\(quoted(text)) is not a relation in use",
                mend: guess.map { "Write \($0)." } ?? "")
        }
    }

    /// The app's package; nil for other targets.
    private mutating func lint(target: SourceLocation) -> String? {
        guard let namespace = target["namespace"] else {
            notes.note(.namespaceUnknown, at: target, "the target has no namespace")
            return nil
        }
        switch notes.string(namespace) {
        case "android_app":
            notes.unknownMembers(of: target, known: Self.appMembers)
            lintFingerprints(target)
            return lintPackage(target)
        case "web":
            notes.unknownMembers(of: target, known: Self.webMembers)
            guard let site = target["site"] else {
                notes.note(.siteShape, at: target, "the target names no site")
                return nil
            }
            if let text = notes.string(site) { lint(site: text, at: site) }
            return nil
        case "ios_app":
            if let app = target["appid"] { _ = notes.string(app) }
            return nil
        case let other?:
            notes.note(.namespaceUnknown, at: namespace, "\(quoted(other)) is no namespace of a target")
            return nil
        case nil:
            return nil
        }
    }

    private mutating func lintPackage(_ target: SourceLocation) -> String? {
        guard let location = target["package_name"] else {
            notes.note(.packageShape, at: target, "the target names no package")
            return nil
        }
        guard let text = notes.string(location) else { return nil }
        if PackageName(text) == nil {
            notes.note(.packageShape, at: location, "\(quoted(text)) is no package name")
        }
        return text
    }

    private mutating func lintFingerprints(_ target: SourceLocation) {
        guard let list = target["sha256_cert_fingerprints"] else {
            notes.note(.fingerprintMissing, at: target, "the app has no sha256_cert_fingerprints")
            return
        }
        guard let elements = notes.elements(list) else { return }
        if elements.isEmpty { notes.note(.fingerprintMissing, at: list, "the list of fingerprints is empty") }
        var known: Set<String> = []
        for element in elements where !notes.isFull {
            guard let text = notes.string(element) else { continue }
            budget.spend(text.utf8.count * 8 + WorkBudget.Price.medium)
            if let fault = FingerprintFault(text) {
                notes.note(fault.rule, at: element, "\(quoted(text)) \(fault.problem)", mend: fault.mend)
            }
            if !known.insert(text.uppercased()).inserted {
                notes.note(.fingerprintRepeated, at: element, "\(quoted(text)) stands before it already")
            }
        }
    }

    private mutating func lint(site text: String, at location: SourceLocation) {
        guard let url = AssociationURL(text), url.isWeb, url.path.isEmpty, url.query == nil, url.fragment == nil,
            !url.hasUserInformation
        else {
            var mend = ""
            if let url = AssociationURL(text), url.isWeb {
                mend = "Write \(url.scheme)://\(url.host)\(url.port.map { ":\($0)" } ?? "")."
            }
            notes.note(.siteShape, at: location, "\(quoted(text)) is not scheme, host and port alone", mend: mend)
            return
        }
        if url.port == (url.scheme == "https" ? "443" : "80") {
            notes.note(.sitePort, at: location, "\(quoted(text)) names the port that is \(url.scheme)'s own")
        }
    }

    private mutating func lint(include location: SourceLocation) {
        guard let text = notes.string(location) else { return }
        includes += 1
        if includes == 11 { notes.note(.includeTooMany, at: location, "this is the eleventh include") }
        if AssociationURL(text)?.scheme != "https" {
            notes.note(.includeInsecure, at: location, "\(quoted(text)) is no https URL")
        }
    }

    // MARK: Dynamic rules

    private mutating func lintDynamicRules(_ extensions: SourceLocation?, package: String?) {
        guard let extensions, notes.object(extensions) != nil,
            let relation = extensions[AndroidDocument.linkRelation], notes.object(relation) != nil
        else { return }
        notes.unknownMembers(of: relation, known: Self.extensionMembers)
        guard let list = relation[AndroidDocument.dynamicRulesName] else { return }
        if let package, !withDynamicRules.insert(package).inserted {
            notes.note(
                .dynamicRepeated, at: list, "an earlier statement has dynamic rules for \(shortened(package)) as well")
        }
        guard list.value.array != nil, !list.elements.isEmpty else {
            let problem = list.value.array == nil ? "\(list.value.noun) stands here" : "the list is empty"
            notes.note(
                .dynamicMalformed, at: list, "\(problem): Android goes by the manifest alone",
                mend: "Write an array of rules, or leave it out.")
            return
        }
        var rules: [(location: SourceLocation, rule: AndroidRule)] = []
        for element in list.elements where !notes.isFull {
            lintMembers(of: element)
            switch AndroidDocument.rule(element.value, budget) {
            case .success(let rule): rules.append((element, rule))
            case .failure(let fault):
                let location = fault.member.flatMap { element[$0] } ?? element
                let subject = fault.member.map { "the rule's \(quoted($0))" } ?? "the rule"
                notes.note(
                    .dynamicMalformed, at: location, "\(subject) \(fault.problem): Android drops all dynamic rules",
                    mend: "Write patterns as strings that are not empty, and ? as an object of them.")
            }
        }
        guard rules.count == list.elements.count else { return }
        lintOrder(rules)
    }

    private mutating func lintMembers(of rule: SourceLocation) {
        let known = ["/", "?", "#", "exclude"]
        budget.spend((rule.value.object?.count ?? 0) * WorkBudget.Price.small)
        for member in rule.members where !notes.isFull && !known.contains(member.name) {
            notes.note(
                .dynamicMember, offset: member.nameOffset, pointer: member.location.pointer,
                "Android does not know \(quoted(member.name)) in a dynamic rule")
        }
    }

    private mutating func lintOrder(_ rules: [(location: SourceLocation, rule: AndroidRule)]) {
        var earlier: [AndroidSubsumption] = []
        earlier.reserveCapacity(rules.count)
        let paths = Set(rules.compactMap(\.rule.path))
        for later in rules {
            guard !notes.isFull else { return }
            let cover = AndroidSubsumption(later.rule, budget)
            if let wider = earlier.firstIndex(where: { $0.covers(cover, budget) }), !budget.isExhausted {
                notes.note(
                    .dynamicUnreachable, at: later.location,
                    "the rule at \(rules[wider].location.pointer) fits all that this one fits")
            }
            earlier.append(cover)
            guard let path = later.rule.path, path.hasSuffix("/*"), path.utf8.count > 2, !later.rule.excludes else {
                continue
            }
            let parent = String(path.dropLast(2))
            if !paths.contains(parent), !paths.contains("*"), !paths.contains("/*") {
                notes.note(
                    .dynamicParent, at: later.location,
                    "\(quoted(path)) does not fit \(quoted(parent)) here, as it does on iOS",
                    mend: "Add a rule for \(quoted(parent)) if that should open the app, too.")
            }
        }
        if let last = rules.last, !earlier.isEmpty, !AndroidSubsumption.isEverything(last.rule) {
            notes.note(.dynamicOpenEnd, at: last.location, "behind the last rule every other URL stays in the browser")
        }
    }
}
