import WaymarkAPI
import WaymarkBytes
import WaymarkClient
import WaymarkJSON
import WaymarkLinks
import WaymarkService
import WaymarkSite

extension CodePlanner {
    /// Compares an application of the files with that of the server.
    func add(_ app: CodeFiles.App, to plan: inout CodePlan) async throws {
        let id = app.definition.application.id.text
        let files = try JSONValue(parsing: app.definition.document)
        var managed = files.object ?? JSONObject()
        managed["managedBy"] = JSONValue(owner)
        let wanted = JSONValue(managed)
        let answer = try await api.sendPatiently(APIRequest(method: "GET", target: Self.target(ofApp: id)))
        guard answer.status != 404 else {
            plan.create.append(.init(kind: .application, name: id))
            plan.apps.append(.init(id: id, document: wanted.bytes(), version: nil, place: app.place))
            note(version: 1, of: CodeVersions.application, in: id, &plan)
            return
        }
        guard answer.isSuccess else { throw CommandFailure.failed(APIFailure.sentence(answer)) }
        guard ApplicationDocument.application(answer.body) != nil else {
            StandardError.write("application \(id) is not compared: the key does not show it whole")
            return
        }
        let stored = (try? JSONValue(parsing: answer.body)) ?? .null
        let manager = stored["managedBy"]?.string
        let version = try Self.version(answer, of: id)
        if stored == wanted {
            note(version: version, of: CodeVersions.application, in: id, &plan)
            return
        }
        let isSame = manager != owner && Self.fields(from: Self.unmanaged(stored), to: files).isEmpty
        if answer["Allow"].map({ !$0.contains("PUT") }) ?? false {
            guard !isSame else { return }
            plan.refusals.add(app.place, "application \(id) is from the server's configuration; change it there")
            return
        }
        // Files of several owners describe one application, so that their links can be tested.
        if isSame, let manager {
            StandardError.write("application \(id) is as in the files, and managed by \(manager)")
            return
        }
        if isSame, !adopts {
            StandardError.write("application \(id) is as in the files, but nobody manages it; --adopt takes it over")
            return
        }
        if let refusal = refusal(of: manager) {
            plan.refusals.add(app.place, "application \(id) \(refusal)")
            return
        }
        let drift = manager == owner ? isDrift(version, of: CodeVersions.application, in: id) : nil
        plan.change.append(
            .init(kind: .application, name: id, fields: Self.fields(from: stored, to: wanted), isDrift: drift))
        plan.apps.append(.init(id: id, document: wanted.bytes(), version: version, place: app.place))
        note(version: version &+ 1, of: CodeVersions.application, in: id, &plan)
    }

    /// Deletes the owner's applications that are not in the files, or counts them.
    ///
    /// - Parameter webhooks: all of the server; nil where the key does not show them.
    func addUnlistedApplications(
        _ files: CodeFiles, _ webhooks: [JSONValue]?, to plan: inout CodePlan
    ) async throws {
        let listed = Set(files.apps.map(\.definition.application.id.text))
        for app in try await read("/api/v1/apps")["apps"]?.array ?? [] where app["managedBy"]?.string == owner {
            guard let id = app["id"]?.string, !listed.contains(id) else { continue }
            if prunes {
                try await delete(id, files, webhooks, &plan)
            } else {
                plan.unlisted[.application, default: 0] += 1
            }
        }
    }

    private func delete(
        _ id: String, _ files: CodeFiles, _ webhooks: [JSONValue]?, _ plan: inout CodePlan
    ) async throws {
        let name = "application \(id)"
        guard let webhooks else {
            plan.refusals.add(name, "is not in the files, and the key does not show whether it has webhooks")
            return
        }
        if let webhook = files.webhooks.first(where: { $0.request.app == id }) {
            plan.refusals.add(webhook.place, "its \(name) is not in the files, and would be deleted")
            return
        }
        // They would stay behind, and get the events of a later application with this ID.
        let deleted = Set(plan.deletedWebhooks.map(\.id))
        let others = webhooks.count { $0["app"]?.string == id && !deleted.contains($0["id"]?.string ?? "") }
        if others > 0 {
            plan.refusals.add(
                name,
                """
                is not in the files, but \(others.counted("webhook")) would be left in it; delete what the owner does not \
                manage, or put the application back into the files
                """)
            return
        }
        if let links = try await linksLeft(in: id, plan) {
            plan.refusals.add(
                name,
                """
                is not in the files, but \(links) would be left in it; delete them, or put the application back into \
                the files
                """)
            return
        }
        let answer = try await api.sendPatiently(APIRequest(method: "GET", target: Self.target(ofApp: id)))
        guard answer.isSuccess else { throw CommandFailure.failed(APIFailure.sentence(answer)) }
        let version = try Self.version(answer, of: id)
        plan.delete.append(.init(kind: .application, name: id))
        plan.deletedApps.append(
            .init(id: id, version: version, versions: try await CodeVersions(of: owner, apps: [id], on: api)))
        plan.versions.remove(id)
    }

    /// How many links an application has once the plan is applied, as a sentence says it; nil if none.
    private func linksLeft(in id: String, _ plan: CodePlan) async throws -> String? {
        let deleted = Set(plan.deletedLinks.lazy.filter { $0.app == id }.map(\.address))
        let created = plan.newLinks.count { $0.app == id }
        let query = PercentEncoding.query([("app", id), ("limit", "1"), ("count", "true")])
        let answer = try await read("/api/v1/links\(query)")
        guard let total = answer["total"]?.integer else {
            throw CommandFailure.failed("the server did not say how many links application \(id) has; run it again")
        }
        var left = total - deleted.count + created
        if answer["totalIsLowerBound"]?.bool == true {
            if left > 0 { return "at least \(left.counted("link"))" }
            left = created
            try await forEachLink(PercentEncoding.query([("app", id), ("limit", "200")])) { link in
                if !deleted.contains("\(link.domain)/\(link.slug)") { left += 1 }
            }
        }
        return left > 0 ? left.counted("link") : nil
    }

    private func read(_ target: String) async throws -> JSONValue {
        let answer = try await api.sendPatiently(APIRequest(method: "GET", target: target))
        guard answer.isSuccess else { throw CommandFailure.failed(APIFailure.sentence(answer)) }
        return (try? JSONValue(parsing: answer.body)) ?? .null
    }

    private static func fields(from old: JSONValue, to new: JSONValue) -> [CodePlan.Field] {
        let patch = MergePatch.patch(from: old, to: new).object?.members ?? []
        return patch.map { .init(name: $0.name, from: old[$0.name] ?? .null, to: new[$0.name] ?? .null) }
    }

    private static func unmanaged(_ application: JSONValue) -> JSONValue {
        var object = application.object ?? JSONObject()
        object["managedBy"] = nil
        return JSONValue(object)
    }

    static func target(ofApp id: String) -> String { "/api/v1/apps/\(PercentEncoding.encode(id))" }

    /// Of the entity tag, which is the version in quotation marks; a proxy that compresses makes it a weak one.
    ///
    /// - Throws: `CommandFailure` if there is none: what is changed must be what was planned with.
    static func version(_ answer: HTTPResponse, of id: String) throws -> Int {
        let tag = answer["ETag"].map { $0.hasPrefix("W/") ? $0.dropFirst(2) : $0[...] }
        guard let version = tag.flatMap({ Int($0.filter { $0 != "\"" }) }) else {
            throw CommandFailure.failed(
                "application \(id): the answer has no version (ETag); use a key with the scope admin, and a proxy that keeps it"
            )
        }
        return version
    }
}
