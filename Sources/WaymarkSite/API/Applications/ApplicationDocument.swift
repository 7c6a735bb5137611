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
        case problems([WaymarkAPI.FieldProblem])
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
        var draft = ApplicationDraft.FirebaseDraft()
        draft.add(source)
        var packages = Set(draft.packages)
        // Without fingerprints, it is not in an association file.
        if let package = document.root["android"]?["package"]?.string { packages.insert(package) }
        return FirebaseSettings(isEnabled: false, bundleIDs: Set(draft.bundleIDs), packages: packages)
    }

    /// - Parameters:
    ///   - value: the part of the document with the application; nil for the whole document.
    ///   - isStored: whether it was accepted before.
    ///   - id: the required ID, which is added if missing; nil: the document must have one.
    package static func read(
        _ document: JSONDocument, _ value: JSONValue? = nil, id: String? = nil, isStored: Bool = false
    ) -> Reading {
        let (body, shape) = ApplicationRequest.attempt(document, value)
        guard let body else { return .problems(shape) }
        var draft = ApplicationDraft(body)
        var meaning: [FieldProblem] = []
        if let id {
            if let given = body.id, given != id {
                meaning.append(FieldProblem(field: "id", problem: "must be \(id), as in the path"))
            }
            draft.id = id
        }
        let value = value ?? document.root
        let association = AssociationSource.read(value)
        if case .source(let source) = association {
            draft.firebase?.add(source)
            draft.add(source)
        }
        var application: Application?
        switch draft.validate(isStored: isStored) {
        case .valid(let valid): application = valid
        case .invalid(let problems): meaning += problems.map(FieldProblem.init)
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
        if let need = LinkContentCodec.need(ofRules: application.rules) { needs.append(need) }
        return needs.highest
    }

    /// Members that programs of lower levels can't read; all others are of the first level.
    private static let needs: [String: FormatNeed] = Dictionary(
        uniqueKeysWithValues: ["onRoot", "appearance", "firebase", "hoko"].map { ($0, FormatNeed(.v0_2, $0)) }
            + ["queryOverride", "extraPath", "slugCase", "windows", "branch"].map { ($0, FormatNeed(.v0_3, $0)) })

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

extension ApplicationDraft {
    init(_ body: ApplicationRequest) {
        self.init()
        id = body.id
        name = body.name
        domains = body.domains
        baseURL = body.baseURL
        ios = body.ios.map {
            IOSDraft(urlScheme: $0.urlScheme, appStoreID: $0.appStoreID, minimumVersion: $0.minimumVersion)
        }
        android = body.android.map {
            AndroidDraft(
                package: $0.package, urlScheme: $0.urlScheme, minimumVersion: $0.minimumVersion,
                appGallery: $0.appGallery, galaxy: $0.galaxy, amazon: $0.amazon)
        }
        windows = body.windows.map { WindowsDraft(microsoft: $0.microsoft) }
        webBaseURL = body.webBaseURL
        templates = body.templates.map { template in
            TemplateDraft(
                name: template.name, route: template.route,
                urls: template.urls.mapValues { URLEntryDraft(link: $0.link, fallback: $0.fallback) })
        }
        redirectStatus = body.redirectStatus
        onExpired = body.onExpired
        onUnknown = body.onUnknown
        onRoot = body.onRoot
        openHost = body.openHost
        forwardQuery = body.forwardQuery
        queryOverride = body.queryOverride
        extraPath = body.extraPath
        slugCase = body.slugCase
        schemes = body.schemes
        corsOrigins = body.corsOrigins
        rules = body.rules.map(RuleDraft.init)
        destinations = body.destinations.map {
            DestinationsDraft(allowedHosts: $0.allowedHosts, blockedHosts: $0.blockedHosts)
        }
        appearance = body.appearance.map { AppearanceDraft(iconURL: $0.iconURL, accentColor: $0.accentColor) }
        firebase = body.firebase.map {
            FirebaseDraft(enabled: $0.enabled, longLinks: $0.longLinks, apiKeys: $0.apiKeys)
        }
        hoko = HokoSettings(isEnabled: body.hoko?.enabled ?? false, isLazy: body.hoko?.lazy ?? false)
        servesBranch = body.servesBranch ?? false
    }
}

extension ApplicationDraft {
    /// What pages for iPhones depend on.
    fileprivate mutating func add(_ source: AssociationSource) {
        ios?.appClipBundleID = source.apple.appClips.first?.bundleID
        // Only asked for where a page could start the app by its scheme.
        guard ios?.urlScheme != nil, openHost == nil, let file = AssociationFiles(source).apple else { return }
        let sample = "https://example.com\(AssociationLint.samplePath)"
        ios?.hasUniversalLinks = LinkOpening(of: sample, by: file, .apple).opens == true
    }
}

extension ApplicationDraft.FirebaseDraft {
    /// Allows parameters to name the apps in the association files.
    fileprivate mutating func add(_ source: AssociationSource) {
        bundleIDs = source.apple.details.flatMap(\.appIDs).map(\.bundleID)
        packages = source.assetLinks.apps.map(\.package.text)
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
