package import WaymarkAPI
import WaymarkAssociation
package import WaymarkJSON
package import WaymarkLinks
package import WaymarkService
import WaymarkStores

/// An application's JSON: parsed, validated for links and for association files, and stored as returned.
package enum ApplicationDocument {
    package enum Reading: Sendable {
        case definition(ApplicationDefinition)
        /// All problems; at least one.
        case problems([FieldProblem])
    }

    /// The application for the first links: it serves all hosts and has no apps.
    package static let firstApplication: ApplicationDefinition? = {
        guard let document = try? JSONDocument(Array(#"{"id":"default","name":"Links"}"#.utf8)),
            case .definition(let definition) = read(document)
        else { return nil }
        return definition
    }()

    /// Parses stored documents for `LinkService`.
    package static func application(_ stored: [UInt8]) -> Application? {
        guard let document = try? JSONDocument(stored),
            case .definition(let definition) = read(document, isStored: true)
        else {
            return nil
        }
        return definition.application
    }

    /// The apps that an imported Firebase Dynamic Link's parameters may name: those in the association files.
    static func firebaseIdentities(_ stored: [UInt8]) -> FirebaseSettings? {
        guard let document = try? JSONDocument(stored),
            case .source(let source) = AssociationSource.read(document.root)
        else { return nil }
        let apps = AssociatedApps(source, of: ApplicationRequest())
        var packages = Set(apps.packages)
        // Without fingerprints, it is not in an association file.
        if let package = document.root["android"]?["package"]?.string { packages.insert(package) }
        return FirebaseSettings(isEnabled: false, bundleIDs: Set(apps.bundleIDs), packages: packages)
    }

    /// - Parameters:
    ///   - value: the part of the document with the application; nil for the whole document.
    ///   - isStored: whether it was accepted before.
    ///   - id: the required ID, which is added if missing; nil: the document must have one.
    package static func read(
        _ document: JSONDocument, _ value: JSONValue? = nil, id: String? = nil, isStored: Bool = false
    ) -> Reading {
        let (body, shape) = ApplicationRequest.attempt(document, value)
        guard var request = body else { return .problems(shape) }
        var meaning: [FieldProblem] = []
        if let id {
            if let given = request.id, given != id {
                meaning.append(FieldProblem(field: "id", problem: "must be \(id), as in the path"))
            }
            request.id = id
        }
        let value = value ?? document.root
        let association = AssociationSource.read(value)
        var apps = AssociatedApps()
        if case .source(let source) = association { apps = AssociatedApps(source, of: request) }
        var application: Application?
        switch request.validate(with: apps, isStored: isStored) {
        case .valid(let valid): application = valid
        case .invalid(let problems): meaning += problems
        }
        if case .problems(let problems) = association {
            let named = Set(meaning.map(\.field))
            meaning += problems.lazy.filter { !named.contains($0.field) }
                .map { FieldProblem(field: $0.field, problem: $0.problem) }
        }
        let problems = FieldProblem.merged(shape: shape, meaning: meaning)
        guard problems.isEmpty, let application else { return .problems(problems) }
        return .definition(
            ApplicationDefinition(
                application: application, document: text(value, id: application.id),
                need: need(of: value, application)))
    }

    private static func need(of value: JSONValue, _ application: Application) -> FormatNeed? {
        var needs = value.object?.members.compactMap { Self.needs[$0.name] } ?? []
        let android = value["android"]
        let entries = [android].compactMap(\.self) + (android?["apps"]?.array ?? [])
        if entries.contains(where: { $0["components"] != nil }) {
            needs.append(FormatNeed(.v0_3, "android.components"))
        }
        for name in ["appGallery", "galaxy", "amazon"] where value["android"]?[name] != nil {
            needs.append(FormatNeed(.v0_3, "android.\(name)"))
        }
        let urls = (value["templates"]?.array ?? []).compactMap { $0["urls"]?.object }
        if urls.contains(where: { $0.members.contains { $0.value["name"] != nil } }) {
            needs.append(FormatNeed(.v0_3, "entries of templates with a name"))
        }
        if let need = LinkContentCodec.need(ofRules: application.rules) { needs.append(need) }
        return needs.highest
    }

    /// Members that programs of lower levels can't read; all others are of the first level.
    private static let needs: [String: FormatNeed] = Dictionary(
        uniqueKeysWithValues: ["onRoot", "appearance", "firebase", "hoko"].map { ($0, FormatNeed(.v0_2, $0)) }
            + [
                "queryOverride", "extraPath", "slugCase", "clickDetail", "continueTicked", "windows", "branch",
                "managedBy",
            ].map { ($0, FormatNeed(.v0_3, $0)) })

    /// The document as returned: compact, with members in the order they were sent, and always with the ID.
    private static func text(_ value: JSONValue, id: ApplicationID) -> [UInt8] {
        let sent = value.object ?? JSONObject()
        var whole = JSONObject()
        if sent["id"]?.string == nil { whole["id"] = JSONValue(id.text) }
        for member in sent.members where !(member.name == "id" && member.value.isNull) {
            whole[member.name] = member.value
        }
        return JSONValue(whole).bytes()
    }
}

extension AssociatedApps {
    /// - Parameter request: of the same application.
    fileprivate init(_ source: AssociationSource, of request: ApplicationRequest) {
        self.init()
        bundleIDs = source.apple.details.flatMap(\.appIDs).map(\.bundleID)
        packages = source.assetLinks.apps.map(\.package.text)
        appClipBundleID = source.apple.appClips.first?.bundleID
        // Only asked for where a page could start the app by its scheme.
        guard request.ios?.urlScheme != nil, request.openHost == nil, let file = AssociationFiles(source).apple else {
            return
        }
        let sample = "https://example.com\(AssociationLint.samplePath)"
        hasUniversalLinks = LinkOpening(of: sample, by: file, .apple).opens == true
    }
}

/// The file named by the configuration key `applications`: an array of applications.
package enum ApplicationsFile {
    package enum Reading: Sendable {
        case definitions([ApplicationDefinition])
        /// A sentence per problem, with its location: `[0].templates[1].route is missing`.
        case problems([String])
    }

    package static func read(_ bytes: [UInt8]) -> Reading {
        let document: JSONDocument
        do throws(JSONError) {
            document = try JSONDocument(bytes, shape: ApplicationRequest.fileShape)
        } catch {
            return .problems([error.description])
        }
        guard let elements = document.root.array else {
            return .problems(["must be an array of applications, not \(document.root.noun)"])
        }
        if let count = document.countBeyondMaximum(of: document.root) {
            return .problems(["must hold at most \(elements.count) applications, not \(count)"])
        }
        var definitions: [ApplicationDefinition] = []
        var problems: [String] = []
        for (index, element) in elements.enumerated() {
            switch ApplicationDocument.read(document, element) {
            case .definition(let definition): definitions.append(definition)
            case .problems(let found):
                problems += found.map { problem in
                    problem.field == "body"
                        ? "[\(index)] \(problem.problem)" : "[\(index)].\(problem.field) \(problem.problem)"
                }
            }
        }
        return problems.isEmpty ? .definitions(definitions) : .problems(problems)
    }
}
