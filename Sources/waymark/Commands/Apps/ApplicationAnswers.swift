import WaymarkAPI
import WaymarkAssociation
import WaymarkJSON
import WaymarkSite

/// What `waymark apps init` needs to know of an app, checked by the service's own validation.
struct ApplicationAnswers: Sendable, Equatable {
    /// Empty: no iOS app. Nil: not given.
    var bundleID: String?
    var teamID: String?
    /// Empty: no Android app. Nil: not given.
    var package: String?
    var fingerprint: String?
    var domain: String?
    /// A second host, through which pages on iPhones open the app. Never asked for.
    var openHost: String?
    var name: String?
    /// Default: the last part of the bundle identifier or the package.
    var id: String?

    var hasIOSApp: Bool { bundleID?.isEmpty == false }
    var hasAndroidApp: Bool { package?.isEmpty == false }

    /// The id that was given, or one made from the app's identifier.
    var resolvedID: String {
        if let id { return id }
        let identifier = [bundleID, package].compactMap(\.self).first { !$0.isEmpty } ?? ""
        let last = identifier.split(separator: ".").last.map { $0.lowercased() } ?? ""
        let words = last.split { !($0.isASCII && ($0.isLetter || $0.isNumber)) }
        let text = String(words.joined(separator: "-").prefix(32))
        return text.isEmpty || text.hasSuffix("-") ? text + "app" : text
    }

    /// The application in the format of `PUT /api/v1/apps/{id}`.
    var document: JSONValue {
        var whole: JSONObject = ["id": JSONValue(resolvedID)]
        whole["name"] = JSONValue(name ?? resolvedID)
        if let domain { whole["domains"] = [JSONValue(domain)] }
        if let openHost { whole["openHost"] = JSONValue(openHost) }
        if let bundleID, hasIOSApp {
            // A bundle identifier is checked before its team is known.
            whole["ios"] = ["appIDs": [JSONValue("\(teamID ?? Self.anyTeam).\(bundleID)")]]
        }
        if let package, hasAndroidApp {
            var android: JSONObject = ["package": JSONValue(package)]
            if let fingerprint { android["sha256CertFingerprints"] = [JSONValue(fingerprint)] }
            whole["android"] = JSONValue(android)
        }
        return JSONValue(whole)
    }

    private static let anyTeam = "ABCDE12345"

    /// The problems of all that is given so far, with the fields of the document.
    var problems: [FieldProblem] {
        guard let document = try? JSONDocument(document.bytes()) else {
            return [FieldProblem(field: "body", problem: "is not valid")]
        }
        switch ApplicationDocument.read(document) {
        case .definition: return []
        case .problems(let problems): return problems
        }
    }

    /// What lint finds in the association files, one line each; the application is valid nevertheless.
    var warnings: [String] {
        guard case .source(let source) = AssociationSource.read(document) else { return [] }
        let files = AssociationFiles(source)
        let reports = [(files.apple, AssociationKind.apple), (files.assetLinks, .assetLinks)].compactMap { file, kind in
            file.map { AssociationLint.lint($0, kind: kind, isServedHere: true) }
        }
        return reports.flatMap(\.findings).filter { $0.rule.severity != .note }.map { "\($0.problem): \($0.mend)" }
    }

    /// All questions, in the order in which they are asked.
    enum Question: CaseIterable, Sendable {
        case bundleID, teamID, package, fingerprint, domain

        var flag: String {
            switch self {
            case .bundleID: "--bundle-id"
            case .teamID: "--team-id"
            case .package: "--package"
            case .fingerprint: "--fingerprint"
            case .domain: "--domain"
            }
        }

        var text: String {
            switch self {
            case .bundleID: "iOS bundle identifier, such as com.example.shop (empty: no iOS app)"
            case .teamID: "Apple team ID, ten capitals and digits (developer.apple.com, Membership)"
            case .package: "Android package, such as com.example.shop (empty: no Android app)"
            case .fingerprint: "SHA-256 fingerprint of its signing certificate (Play Console, App integrity)"
            case .domain: "Domain of the links, such as go.example.com"
            }
        }

        /// The field of the document that the answer is in.
        fileprivate var field: String {
            switch self {
            case .bundleID, .teamID: "ios.appIDs"
            case .package: "android.package"
            case .fingerprint: "android.sha256CertFingerprints"
            case .domain: "domains"
            }
        }

        fileprivate var member: WritableKeyPath<ApplicationAnswers, String?> {
            switch self {
            case .bundleID: \.bundleID
            case .teamID: \.teamID
            case .package: \.package
            case .fingerprint: \.fingerprint
            case .domain: \.domain
            }
        }
    }

    /// Why an answer is not accepted; nil: it is.
    func problem(with answer: String, to question: Question) -> String? {
        if answer.isEmpty {
            switch question {
            case .bundleID: return nil
            case .package where hasIOSApp: return nil
            case .package: return "give an iOS or an Android app"
            default: return "is missing"
            }
        }
        // Otherwise the dot could move from one part of the app ID to the other.
        if question == .teamID, answer.contains(".") { return "must be the team's prefix alone, without the bundle" }
        var trial = ApplicationAnswers()
        trial.bundleID = bundleID
        trial.package = package
        trial[keyPath: question.member] = answer
        guard let problem = trial.problems.first(where: { $0.field.hasPrefix(question.field) })?.problem else {
            return nil
        }
        // The document has both in one string, and the problem is about the whole.
        switch question {
        case .bundleID: return "must be like com.example.shop: letters, digits, hyphens and dots"
        case .teamID: return "must be like ABCDE12345: capitals and digits"
        default: return problem
        }
    }

    /// Whether the question has to be answered, after the ones before it.
    private func needs(_ question: Question) -> Bool {
        switch question {
        case .bundleID, .package, .domain: true
        case .teamID: hasIOSApp
        case .fingerprint: hasAndroidApp
        }
    }

    /// Checks what is given and asks for the rest.
    ///
    /// - Parameter prompt: nil: nobody can be asked; then one kind of app is enough.
    /// - Throws: `CommandFailure` with status 2.
    mutating func complete(asking prompt: Prompt?) throws {
        for (question, flag) in [(Question.teamID, "--bundle-id"), (.fingerprint, "--package")] {
            let owner: Question = question == .teamID ? .bundleID : .package
            if self[keyPath: question.member] != nil, prompt == nil, self[keyPath: owner.member] ?? "" == "" {
                throw CommandFailure.usage("\(question.flag) needs \(flag)")
            }
        }
        for question in Question.allCases where needs(question) {
            if let given = self[keyPath: question.member] {
                if let problem = problem(with: given, to: question) {
                    throw CommandFailure.usage("\(question.flag): \"\(given)\" \(problem)")
                }
            } else if let prompt {
                let answers = self
                self[keyPath: question.member] = try prompt.ask(question.text) {
                    answers.problem(with: $0, to: question)
                }
            } else if let problem = problem(with: "", to: question) {
                let needed = question == .package ? "--bundle-id or --package" : question.flag
                throw CommandFailure.usage("\(needed) \(question == .package ? "is needed: \(problem)" : problem)")
            }
        }
        guard problems.isEmpty else {
            throw CommandFailure.usage(problems.map { "\($0.field) \($0.problem)" }.joined(separator: "; "))
        }
    }
}
