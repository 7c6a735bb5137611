import WaymarkAPI
import WaymarkHTTP
import WaymarkJSON
import WaymarkLinks
import WaymarkServer
import WaymarkService
import WaymarkStores

/// `POST /v1/shortLinks` and `POST /v1/managedShortLinks:create`.
struct FirebaseShortLinks {
    private let call: FirebaseCall

    init(_ call: FirebaseCall) { self.call = call }

    func create() async throws -> Response {
        let request = try FirebaseLinkRequest(FirebaseObject(json: call.body))
        if case .custom = request.option {
            throw FirebaseError(.invalidArgument, "suffix.option CUSTOM is for managedShortLinks:create.")
        }
        let (link, application, warnings) = try await make(request)
        let url = link.smartlinkURL(application)
        var answer = JSONObject()
        answer["shortLink"] = JSONValue(url)
        answer["previewLink"] = JSONValue(url + "?d=1")
        if !warnings.isEmpty { answer["warning"] = JSONValue(warnings) }
        return .json(.ok, JSONValue(answer).bytes())
    }

    func createManaged() async throws -> Response {
        let request = try FirebaseLinkRequest(FirebaseObject(json: call.body))
        guard let name = request.name else { throw FirebaseError(.invalidArgument, "name is missing.") }
        guard name.unicodeScalars.count <= LinkLabel.title.limit,
            !name.unicodeScalars.contains(where: { $0.properties.generalCategory == .control })
        else {
            throw FirebaseError(
                .invalidArgument, "name must have at most \(LinkLabel.title.limit) characters, without line breaks.")
        }
        if case .custom = request.option, !call.caller.may(.links) {
            throw FirebaseError(.permissionDenied, "A custom suffix needs a key with the scope links.")
        }
        let (link, application, warnings) = try await make(request)
        let url = link.smartlinkURL(application)
        var managed = JSONObject()
        managed["link"] = JSONValue(url)
        managed["linkName"] = JSONValue(name)
        managed["info"] = JSONValue((link.content.firebase ?? FirebaseParameters()).info(for: request.domainText))
        managed["creationTime"] = JSONValue(link.createdAt.wholeSecond)
        managed["visibility"] = "UNARCHIVED"
        managed["flaggedAttribute"] = []
        var answer = JSONObject()
        answer["managedShortLink"] = JSONValue(managed)
        answer["previewLink"] = JSONValue(url + "?d=1")
        if !warnings.isEmpty { answer["warning"] = JSONValue(warnings) }
        return .json(.ok, JSONValue(answer).bytes())
    }

    private func make(
        _ request: FirebaseLinkRequest
    ) async throws -> (link: Link, application: Application, warnings: [JSONValue]) {
        guard let (domain, served) = try call.domain(at: request.host) else {
            throw FirebaseLinkRequest.notOwned(request.domainText)
        }
        let mapped = FirebaseLinkDraft(
            request.parameters, for: served.application, onlyOwnHosts: !call.caller.may(.links))
        if let problem = mapped.problems.first { throw Self.invalid(problem) }
        var draft = mapped.draft
        draft.title = request.name
        let content: LinkContent
        switch draft.validateForStorage(
            for: served.application, notInto: call.directory.smartlinkHosts, from: mapped.origin)
        {
        case .valid(let valid): content = valid.content
        case .invalid(let problems):
            guard let problem = problems.first else { throw Self.refused }
            throw Self.invalid(problem)
        }
        let creation = FirebaseCreation(
            application: served, domain: domain, prefix: request.prefix, suffix: try suffix(request), content: content)
        switch try await call.site.service.create(creation) {
        case .created(let link), .existing(let link):
            return (link, served.application, Self.warnings(request.warnings + mapped.warnings))
        case .slugTaken: throw FirebaseError(.alreadyExists, "The suffix is taken.")
        case .applicationUnknown: throw FirebaseLinkRequest.notOwned(request.domainText)
        }
    }

    private func suffix(_ request: FirebaseLinkRequest) throws(FirebaseError) -> FirebaseCreation.Suffix {
        switch request.option {
        case .unguessable: return .unguessable
        case .short: return .short
        case .custom(let text):
            guard !text.contains("/"), let slug = Slug(request.prefix + text),
                SlugRules.reserveCompatibility.permit(slug)
            else {
                throw FirebaseError(.invalidArgument, "suffix.customSuffix is missing or not valid.")
            }
            return .custom(slug)
        }
    }

    private static func invalid(_ problem: FieldProblem) -> FirebaseError {
        FirebaseError(.invalidArgument, "Parameter \(problem.field) \(problem.problem).")
    }

    /// What Google's own warnings point at.
    private static let documentation = "https://firebase.google.com/docs/dynamic-links/debug"

    private static let refused = FirebaseError(.invalidArgument, "The link is not valid.")

    private static func warnings(_ warnings: [FirebaseWarning]) -> [JSONValue] {
        warnings.map { warning in
            var object = JSONObject()
            object["warningCode"] = JSONValue(warning.code.rawValue)
            object["warningMessage"] = JSONValue(warning.message)
            object["warningDocumentLink"] = JSONValue(documentation)
            return JSONValue(object)
        }
    }
}

extension FirebaseParameters {
    /// As `dynamicLinkInfo`.
    func info(for domain: String) -> JSONObject {
        var info = JSONObject()
        info["domainUriPrefix"] = JSONValue(domain)
        for (path, name) in Self.members {
            guard let value = self[name] else { continue }
            info.set(name == .efr ? JSONValue(true) : JSONValue(value), at: path[...])
        }
        return info
    }
}

extension JSONObject {
    fileprivate mutating func set(_ value: JSONValue, at path: ArraySlice<String>) {
        guard let name = path.first else { return }
        if path.count == 1 {
            self[name] = value
        } else {
            var inner = self[name]?.object ?? JSONObject()
            inner.set(value, at: path.dropFirst())
            self[name] = JSONValue(inner)
        }
    }
}
