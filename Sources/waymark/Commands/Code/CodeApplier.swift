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
        for app in plan.apps {
            try await lock.renew()
            let id = PercentEncoding.encode(app.definition.application.id.text)
            try await call("PUT", "/api/v1/apps/\(id)", app.definition.document, app.place.text)
        }
        try await create(plan.newLinks[...])
        try await change(plan.linkChanges, &done)
        for request in plan.newWebhooks {
            try await lock.renew()
            let answer = try await call("POST", "/api/v1/webhooks", request.json, "webhook \(request.url)")
            try secrets?.add(answer)
        }
        try secrets?.finish()
        for (id, patch) in plan.webhookChanges {
            try await lock.renew()
            try await call("PATCH", "/api/v1/webhooks/\(id)", patch.bytes(), "webhook \(id)")
        }
        var deleted = plan.deletedLinks[...]
        while !deleted.isEmpty {
            try await lock.renew()
            let batch = deleted.prefix(BulkLimits.results)
            deleted = deleted.dropFirst(BulkLimits.results)
            let links = batch.map { (address: $0.address, version: $0.version) }
            for index in try await bulk("POST", "/api/v1/links:delete", links, JSONObject(), isGone: true) {
                done[batch[batch.startIndex + index].app, links[index].address] = 0
            }
        }
    }

    private func create(_ links: ArraySlice<LinkRequest>) async throws {
        var links = links
        while !links.isEmpty {
            try await lock.renew()
            let batch = LinkBatch(&links) { $0.json }
            let answer = try await call("POST", "/api/v1/links:batch", batch.body, "new links")
            for (link, result) in zip(batch.elements, answer["results"]?.array ?? []) {
                if let problem = APIFailure.sentence(result["problem"]) {
                    throw CommandFailure.failed("\(link.domain ?? "")/\(link.slug ?? ""): \(problem)")
                }
            }
        }
    }

    /// Links with the same change are changed together.
    private func change(_ changes: [CodePlan.LinkChange], _ versions: inout CodeVersions) async throws {
        var groups: [[UInt8]: [Int]] = [:]
        for index in changes.indices {
            groups[JSONValue(changes[index].patch).canonicalBytes, default: []].append(index)
        }
        var done = 0
        for indexes in groups.values.sorted(by: { $0[0] < $1[0] }) {
            let patch = changes[indexes[0]].patch
            if indexes.count == 1 {
                let change = changes[indexes[0]]
                if done % 100 == 0 { try await lock.renew() }
                done += 1
                try await call(
                    "PATCH", Self.target(of: change.address), JSONValue(patch).bytes(), change.address,
                    fields: [("If-Match", "\"\(change.version)\"")])
                versions[change.app, change.address] = change.version &+ 1
                continue
            }
            for start in stride(from: 0, to: indexes.count, by: BulkLimits.results) {
                try await lock.renew()
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
    private static func target(of address: String) -> String {
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
        let answer = try await api.sendPatiently(request) { try await lock.renew() }
        if answer.status == 412 { throw Self.changed(name) }
        if answer.status == 429 {
            throw CommandFailure.failed("\(name): the server's limit on requests holds this up; try again later")
        }
        guard answer.isSuccess else { throw CommandFailure.failed("\(name): \(APIFailure.sentence(answer))") }
        return answer.body.isEmpty ? .null : (try? JSONValue(parsing: answer.body)) ?? .null
    }
}
