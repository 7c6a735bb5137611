import WaymarkAPI
import WaymarkHTTP
import WaymarkJSON
import WaymarkLinks
import WaymarkServer
import WaymarkService
import WaymarkStores

/// `POST /api/v1/keys`: the only response with the key.
enum KeyCreationHandler {
    static func answer(_ call: Call, _ site: Site) async throws -> Response {
        let request = try newKey(try ObjectReader.document(call.body, shape: KeyRequest.shape), call, site)
        // The response says whether anybody has the text, so each is a guess at the keys of other applications.
        if request.text != nil, !call.reach.isAll,
            let seconds = site.callers.take(.failedAuthentication, call.peer, key: call.key)
        {
            return .rateLimited(retryAfter: seconds)
        }
        guard call.reach.contains(request.application) else { throw Self.beyondReach }
        switch try await site.service.makeKey(request, by: call.key) {
        case .forbidden: throw Self.beyondReach
        case .unknownApplication:
            throw Problem(invalid: [FieldProblem(field: "app", problem: "is not a known application")])
        case .taken:
            throw Problem(
                .keyTaken,
                "The text identifies another caller: an API key, or one of an application's firebase.apiKeys.")
        case .made(let key, let text):
            let location = HeaderFields().adding(location: Endpoint.key(key.id))
            return .json(.created, KeyResponse(key, text: text).json, fields: location)
        }
    }

    private static let beyondReach = Problem(
        .scopeMissing, "A key can only make keys that reach no further than itself.")

    private static func newKey(
        _ document: JSONDocument, _ call: Call, _ site: Site
    ) throws(Problem) -> NewKey {
        let (body, shape) = KeyRequest.attempt(document)
        guard let body else { throw Problem(invalid: shape) }
        var problems: [FieldProblem] = []
        func reject(_ field: String, _ problem: String) {
            problems.append(FieldProblem(field: field, problem: problem))
        }
        if body.name.isEmpty || body.name.utf8.count > 200 || body.name.hasControlCharacter {
            reject("name", "must be 1 to 200 bytes without control characters")
        }
        var application: ApplicationID?
        if let id = body.app {
            application = ApplicationID(id)
            let isKnown = application.flatMap { site.service.applications.directory.current.application($0) } != nil
            // Without access to the application, the response must not reveal whether it exists.
            if application.map({ call.reach.contains($0) && !isKnown }) ?? true {
                reject("app", "is not a known application")
            }
        }
        if body.scopes.isEmpty { reject("scopes", "must name at least one scope") }
        let names = KeyScope.allCases.map(\.rawValue).joined(separator: ", ")
        for (index, name) in body.scopes.enumerated() where KeyScope(rawValue: name) == nil {
            reject("scopes[\(index)]", "must be one of \(names)")
        }
        var expiresAt: Timestamp?
        if let text = body.expiresAt {
            expiresAt = Timestamp(rfc3339: text)
            if expiresAt.map({ $0 <= site.now }) ?? true {
                reject("expiresAt", "must be an RFC 3339 time in the future")
            }
        }
        var text: KeyText?
        if let given = body.key {
            text = KeyText(given: given)
            if text == nil { reject("key", "must be 20 to 255 visible ASCII characters") }
        }
        let platform = body.platform.flatMap { name in StoredKey.platforms.first { $0.rawValue == name } }
        if body.platform != nil, platform == nil {
            let known = StoredKey.platforms.map(\.rawValue).joined(separator: ", ")
            reject("platform", "must be one of \(known)")
        }
        problems = FieldProblem.merged(shape: shape, meaning: problems)
        guard problems.isEmpty else { throw Problem(invalid: problems) }
        return NewKey(
            name: body.name, application: application, scopes: Set(body.scopes.compactMap(KeyScope.init)),
            expiresAt: expiresAt, text: text, platform: platform)
    }
}

/// `GET /api/v1/keys`: without the keys themselves.
enum KeyListHandler {
    static func answer(_ call: Call, _ site: Site) async throws -> Response {
        let keys = try await site.service.keys.list(for: call.key)
        return .json(.ok, KeyResponse.list(keys.map { KeyResponse($0, text: nil) }))
    }
}

/// `DELETE /api/v1/keys/{id}`: the key is rejected from the response on.
enum KeyDeletionHandler {
    static func answer(_ call: Call, _ site: Site) async throws -> Response {
        guard try await site.service.keys.delete(call.parameters[0], by: call.key) else {
            throw Problem(.apiKeyUnknown, "No API key has this id.")
        }
        return .noContent
    }
}

extension KeyResponse {
    init(_ key: StoredKey, text: KeyText?) {
        let scopes = KeyScope.allCases.filter(key.scopes.contains).map(\.rawValue)
        self.init(
            id: key.id, key: text?.text, name: key.name, app: key.application?.text, scopes: scopes,
            createdAt: key.createdAt.wholeSecond, expiresAt: key.expiresAt?.rfc3339,
            lastUsedAt: key.lastUsedAt?.wholeSecond, platform: key.platform?.rawValue,
            person: key.person)
    }
}
