import WaymarkAPI
import WaymarkBytes
import WaymarkClient
import WaymarkJSON
import WaymarkLinks
import WaymarkService

/// Does what a plan says: applications, links and webhooks, deletions last. Done again after an interruption, it does the rest.
struct CodeApplier {
    let api: any API
    let lock: CodeLock
    /// Where the secrets of new webhooks go.
    let secrets: SecretsFile?

    /// - Parameter done: the links that were changed so far.
    func apply(_ plan: CodePlan, done: inout CodeVersions) async throws {
        for app in plan.apps { try await put(app, &done) }
        try await create(plan.newLinks[...])
        for link in plan.linkRenames { try await rename(link) }
        try await change(plan.linkChanges, &done)
        for request in plan.newWebhooks {
            let answer = try await call("POST", "/api/v1/webhooks", request.json, "webhook \(request.url)")
            try secrets?.add(answer)
        }
        try secrets?.finish()
        for webhook in plan.webhookChanges { try await change(webhook) }
        try await delete(plan, &done)
    }

    private func put(_ app: CodePlan.AppChange, _ done: inout CodeVersions) async throws {
        let target = CodePlanner.target(ofApp: app.id)
        guard let version = app.version else {
            // Creations have no condition: somebody else's must not be replaced.
            guard try await response(to: APIRequest(method: "GET", target: target)).status == 404 else {
                throw Self.changed("application \(app.id)")
            }
            try await call("PUT", target, app.document, app.place.text)
            return
        }
        try await call("PUT", target, app.document, app.place.text, fields: Self.condition(version))
        done[app.id, CodeVersions.application] = version &+ 1
    }

    private static func condition(_ version: Int) -> [(name: String, value: String)] {
        [("If-Match", "\"\(version)\"")]
    }

    /// Changes or deletes a webhook if it is still managed as it was: webhooks have no versions.
    private func change(_ webhook: CodePlan.WebhookChange) async throws {
        let (target, name) = ("/api/v1/webhooks/\(webhook.id)", "webhook \(webhook.url)")
        let read = try await response(to: APIRequest(method: "GET", target: target))
        // One that is gone is as wanted, if it was to be deleted.
        if read.status == 404, webhook.patch == nil { return }
        try Self.check(read, name)
        guard (try? JSONValue(parsing: read.body))?["managedBy"]?.string == webhook.manager else {
            throw Self.changed(name)
        }
        guard let patch = webhook.patch else {
            try await delete(target, name)
            return
        }
        try await call("PATCH", target, patch.bytes(), name)
    }

    /// Links first: an application that has some is not deleted.
    private func delete(_ plan: CodePlan, _ done: inout CodeVersions) async throws {
        var deleted = plan.deletedLinks[...]
        while !deleted.isEmpty {
            let batch = deleted.prefix(BulkLimits.results)
            deleted = deleted.dropFirst(BulkLimits.results)
            let links = batch.map { (address: $0.address, version: $0.version) }
            for index in try await bulk("POST", "/api/v1/links:delete", links, JSONObject(), isGone: true) {
                done[batch[batch.startIndex + index].app, links[index].address] = 0
            }
        }
        for webhook in plan.deletedWebhooks { try await change(webhook) }
        for app in plan.deletedApps {
            // Afterwards, the application whose versions these are would not exist.
            try await lock.keep(app.versions.forgotten)
            do {
                try await delete(
                    CodePlanner.target(ofApp: app.id), "application \(app.id)", Self.condition(app.version))
            } catch {
                done[app.id, CodeVersions.application] = app.versions[app.id, CodeVersions.application]
                throw error
            }
            done.remove(app.id)
        }
    }

    /// One that is gone is as wanted.
    private func delete(
        _ target: String, _ name: String, _ fields: [(name: String, value: String)] = []
    ) async throws {
        let answer = try await response(to: APIRequest(method: "DELETE", target: target, fields: fields))
        if answer.status != 404 { try Self.check(answer, name) }
    }

    private func create(_ links: ArraySlice<LinkRequest>) async throws {
        var links = links
        while !links.isEmpty {
            let batch = LinkBatch(&links) { $0.json }
            let answer = try await call("POST", "/api/v1/links:batch", batch.body, "new links")
            for (link, result) in zip(batch.elements, answer["results"]?.array ?? []) {
                if let problem = APIFailure.sentence(result["problem"]) {
                    throw CommandFailure.failed("\(link.domain ?? "")/\(link.slug ?? ""): \(problem)")
                }
            }
        }
    }

    private func rename(_ link: CodePlan.LinkRename) async throws {
        let body: JSONValue = ["slug": JSONValue(link.slug)]
        try await call(
            "POST", Self.target(of: link.from) + ":rename", body.bytes(), link.address,
            fields: Self.condition(link.version))
    }

    /// Links with the same change are changed together.
    private func change(_ changes: [CodePlan.LinkChange], _ versions: inout CodeVersions) async throws {
        var groups: [[UInt8]: [Int]] = [:]
        for index in changes.indices {
            groups[JSONValue(changes[index].patch).canonicalBytes, default: []].append(index)
        }
        for indexes in groups.values.sorted(by: { $0[0] < $1[0] }) {
            let patch = changes[indexes[0]].patch
            if indexes.count == 1 {
                let change = changes[indexes[0]]
                try await call(
                    "PATCH", Self.target(of: change.address), JSONValue(patch).bytes(), change.address,
                    fields: [("If-Match", "\"\(change.version)\"")])
                versions[change.app, change.address] = change.version &+ 1
                continue
            }
            for start in stride(from: 0, to: indexes.count, by: BulkLimits.results) {
                let batch = indexes[start..<min(start + BulkLimits.results, indexes.count)].map { changes[$0] }
                let changed = try await bulk(
                    "PATCH", "/api/v1/links:batch", batch.map { ($0.address, $0.version) },
                    ["patch": JSONValue(patch)] as JSONObject, isGone: false)
                for index in changed { versions[batch[index].app, batch[index].address] = batch[index].version &+ 1 }
            }
        }
    }

    /// Changes only what still has the version that was planned with.
    ///
    /// - Parameter isGone: whether a link that is not there is as wanted.
    /// - Returns: the places of all links.
    /// - Throws: `CommandFailure` if one was changed meanwhile.
    private func bulk(
        _ method: String, _ target: String, _ links: [(address: String, version: Int)], _ members: JSONObject,
        isGone: Bool
    ) async throws -> Range<Int> {
        var body = members
        body["select"] = JSONValue(
            [
                "links": JSONValue(links.map { JSONValue($0.address) }),
                "versions": JSONValue(links.map { JSONValue($0.version) }),
            ] as JSONObject)
        let answer = try await call(method, target, JSONValue(body).bytes(), "links")
        guard let results = answer["results"]?.array, results.count == links.count else {
            throw CommandFailure.failed("the server did not answer for each link; run it again")
        }
        for (link, result) in zip(links, results) where result["status"]?.integer != 404 || !isGone {
            if result["status"]?.integer == 412 { throw Self.changed(link.address) }
            if let problem = APIFailure.sentence(result["problem"]) {
                throw CommandFailure.failed("\(link.address): \(problem)")
            }
        }
        return links.indices
    }

    /// Of an address as plans have it: domain, slash, slug.
    static func target(of address: String) -> String {
        let parts = address.split(separator: "/", maxSplits: 1).map(String.init)
        return LinkReference(domain: parts.first ?? "", slug: parts.last ?? "").target
    }

    private static func changed(_ name: String) -> CommandFailure {
        .failed("\(name) was changed meanwhile, and is left as it is; run it again")
    }

    @discardableResult
    private func call(
        _ method: String, _ target: String, _ body: [UInt8], _ name: String,
        fields: [(name: String, value: String)] = []
    ) async throws -> JSONValue {
        let request = APIRequest(method: method, target: target, body: body, fields: fields)
        let answer = try await response(to: request)
        try Self.check(answer, name)
        return answer.body.isEmpty ? .null : (try? JSONValue(parsing: answer.body)) ?? .null
    }

    private func response(to request: APIRequest) async throws -> HTTPResponse {
        try await lock.check()
        return try await api.sendPatiently(request) { try await lock.check() }
    }

    private static func check(_ answer: HTTPResponse, _ name: String) throws {
        if answer.status == 412 { throw Self.changed(name) }
        guard answer.isSuccess else { throw CommandFailure.failed("\(name): \(APIFailure.sentence(answer))") }
    }
}
