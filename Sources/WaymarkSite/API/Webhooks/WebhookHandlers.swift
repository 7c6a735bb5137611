package import WaymarkAPI
import WaymarkHTTP
import WaymarkJSON
import WaymarkLinks
import WaymarkServer
import WaymarkService
import WaymarkStores

/// `POST /api/v1/webhooks`: the only response with the secret.
enum WebhookCreationHandler {
    static func answer(_ call: Call, _ site: Site) async throws -> Response {
        let (body, shape) = WebhookRequest.attempt(
            try ObjectReader.document(call.body, shape: WebhookRequest.shape))
        guard let body else { throw Problem(invalid: shape) }
        var problems = WebhookFields.problems(
            url: body.url, events: body.events, name: body.name, managedBy: body.managedBy)
        let application = body.app.map { ApplicationID($0) } ?? call.reach.single
        if body.app != nil, !WebhookFields.isKnown(application, to: call.reach, site) {
            problems.append(FieldProblem(field: "app", problem: "is not a known application"))
        } else if !call.reach.contains(application) {
            problems.append(FieldProblem(field: "app", problem: "is missing; name one of your applications"))
        }
        problems = FieldProblem.merged(shape: shape, meaning: problems)
        guard problems.isEmpty else { throw Problem(invalid: problems) }
        try await WebhookFields.checkAddress(body.url, site)
        let created = try await site.webhooks.create(
            url: body.url, events: body.events, name: body.name, managedBy: body.managedBy,
            application: application)
        guard let (webhook, secret) = created else {
            throw Problem(invalid: [
                FieldProblem(
                    field: "url",
                    problem:
                        "is one too many: an application has at most \(WebhookService.applicationLimit) webhooks, a server \(WebhookService.limit); delete one first"
                )
            ])
        }
        return .json(.created, WebhookResponse(webhook, secret: secret).json)
    }
}

/// `GET /api/v1/webhooks`: without the secrets.
enum WebhookListHandler {
    static func answer(_ call: Call, _ site: Site) async throws -> Response {
        let webhooks = try await site.webhooks.list(for: call.reach)
        return .json(.ok, WebhookResponse.list(webhooks.map { WebhookResponse($0) }))
    }
}

/// `GET /api/v1/webhooks/{id}`.
enum WebhookReadingHandler {
    static func answer(_ call: Call, _ site: Site) async throws -> Response {
        .json(.ok, WebhookResponse(try await WebhookFields.webhook(call, site)).json)
    }
}

/// `PATCH /api/v1/webhooks/{id}`.
enum WebhookPatchHandler {
    static func answer(_ call: Call, _ site: Site) async throws -> Response {
        let webhook = try await WebhookFields.webhook(call, site)
        let (body, shape) = WebhookPatch.attempt(try ObjectReader.document(call.body, shape: WebhookPatch.shape))
        guard let body else { throw Problem(invalid: shape) }
        let problems = FieldProblem.merged(
            shape: shape,
            meaning: WebhookFields.problems(
                url: body.url, events: body.events, name: body.name ?? nil, managedBy: body.managedBy ?? nil))
        guard problems.isEmpty else { throw Problem(invalid: problems) }
        if let url = body.url { try await WebhookFields.checkAddress(url, site) }
        var change = WebhookService.Change()
        change.url = body.url
        change.events = body.events
        change.name = body.name
        change.managedBy = body.managedBy
        change.disabled = body.disabled
        guard let changed = try await site.webhooks.change(webhook.id, change) else { throw WebhookFields.unknown }
        return .json(.ok, WebhookResponse(changed).json)
    }
}

/// `DELETE /api/v1/webhooks/{id}`: nothing is sent to it after the response, except requests already in flight.
enum WebhookDeletionHandler {
    static func answer(_ call: Call, _ site: Site) async throws -> Response {
        let webhook = try await WebhookFields.webhook(call, site)
        guard try await site.webhooks.delete(webhook.id) else { throw WebhookFields.unknown }
        return .noContent
    }
}

/// `POST /api/v1/webhooks/{id}:rotate`: the only response with the new secret.
enum WebhookRotationHandler {
    static func answer(_ call: Call, _ site: Site) async throws -> Response {
        let webhook = try await WebhookFields.webhook(call, site)
        guard let secret = try await site.webhooks.rotate(webhook.id) else { throw WebhookFields.unknown }
        return .json(
            .ok,
            JSONWriter.text { writer in
                writer.beginObject()
                writer.member("secret", secret)
                writer.endObject()
            })
    }
}

/// `POST /api/v1/webhooks/{id}:test`: sends a message, whatever the endpoint subscribes to.
enum WebhookTestHandler {
    static func answer(_ call: Call, _ site: Site) async throws -> Response {
        let webhook = try await WebhookFields.webhook(call, site)
        if webhook.unreadable != nil { throw Problem(StoreError.corrupt("the webhook can't be read")) }
        if webhook.disabled != nil {
            throw Problem(invalid: [
                FieldProblem(field: "disabled", problem: "is true; enable the webhook before a test")
            ])
        }
        let now = site.now
        let id = try await site.webhooks.test(webhook.id) { attributes in
            EventMessage.body(
                OutboxEvent(.webhookTest, of: webhook.application, at: now, attributes),
                site.service.applications.directory.current)
        }
        guard let id else { throw WebhookFields.unknown }
        return .json(
            .accepted,
            JSONWriter.text { writer in
                writer.beginObject()
                writer.member("id", id)
                writer.endObject()
            })
    }
}

/// Common to the requests about webhooks.
package enum WebhookFields {
    static let unknown = Problem(.webhookUnknown, "No webhook has this id.")
    private static let urlBytes = 2_048
    private static let nameBytes = 200

    /// The endpoint that the path names.
    static func webhook(_ call: Call, _ site: Site) async throws -> Webhook {
        guard let found = try await site.webhooks.find(call.parameters[0], for: call.reach) else {
            throw unknown
        }
        return found
    }

    /// Whether the caller reaches an application, and it exists.
    static func isKnown(_ application: ApplicationID?, to reach: ApplicationReach, _ site: Site) -> Bool {
        guard let application, reach.contains(application) else { return false }
        return site.service.applications.directory.current.application(application) != nil
    }

    package static func problems(
        url: String?, events: [String]?, name: String?, managedBy: String?
    ) -> [FieldProblem] {
        var problems: [FieldProblem] = []
        func reject(_ field: String, _ problem: String) {
            problems.append(FieldProblem(field: field, problem: problem))
        }
        if let url {
            if url.utf8.count > urlBytes {
                reject("url", "must have at most \(urlBytes) bytes")
            } else if WebURL(url).map({ $0.fragment != nil }) ?? true {
                reject("url", "must be an https URL without user and fragment")
            }
        }
        if let events {
            if events.isEmpty { reject("events", "must name at least one type of event") }
            for (index, pattern) in events.enumerated() where EventTypes(pattern: pattern).isEmpty {
                reject(
                    "events[\(index)]",
                    "must be *, link.*, app.*, key.* or one of \(EventType.subscribable.map(\.name).joined(separator: ", "))"
                )
            }
        }
        if let name {
            if name.isEmpty || name.utf8.count > nameBytes || name.hasControlCharacter {
                reject("name", "must be 1 to \(nameBytes) bytes without control characters")
            }
        }
        guard let managedBy else { return problems }
        var list = ProblemList()
        list.label(.managedBy, managedBy)
        return problems + list.entries
    }

    /// - Throws: `Problem` if the server may not send to the URL. It is checked again at each attempt.
    static func checkAddress(_ url: String, _ site: Site) async throws {
        guard let problem = await site.webhooks.problem(withURL: url) else { return }
        throw Problem(invalid: [FieldProblem(field: "url", problem: problem)])
    }
}

extension WebhookResponse {
    init(_ webhook: Webhook, secret: String? = nil) {
        self.init(
            id: webhook.id, secret: secret, url: webhook.url, app: webhook.application?.text, events: webhook.events,
            name: webhook.name, managedBy: webhook.managedBy,
            disabledReason: webhook.unreadable == nil ? webhook.disabled?.name : "unreadable",
            createdAt: webhook.createdAt.wholeSecond,
            failingSince: webhook.failingSince?.wholeSecond)
    }
}
