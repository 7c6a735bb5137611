import WaymarkAPI
import WaymarkBytes
import WaymarkClient
import WaymarkJSON

extension CodePlanner {
    /// Compares the webhooks of the files with those of the server.
    ///
    /// - Returns: those of the server; nil if the key does not show them.
    func addWebhooks(_ files: CodeFiles, to plan: inout CodePlan) async throws -> [JSONValue]? {
        let answer = try await api.sendPatiently(APIRequest(method: "GET", target: "/api/v1/webhooks"))
        if answer.status == 403, files.webhooks.isEmpty {
            if prunes { StandardError.write("webhooks are not compared: the key does not show them") }
            return nil
        }
        guard answer.isSuccess else { throw CommandFailure.failed(APIFailure.sentence(answer)) }
        let stored = (try? JSONValue(parsing: answer.body))?["webhooks"]?.array ?? []
        let matches = try await matches(files.webhooks.map(\.request), stored)
        for (index, webhook) in files.webhooks.enumerated() {
            if let match = matches[index] {
                compare(webhook, with: stored[match], &plan)
            } else {
                var request = webhook.request
                request.managedBy = owner
                plan.create.append(.init(kind: .webhook, name: request.url))
                plan.newWebhooks.append(request)
            }
        }
        let listed = Set(matches.values)
        for (index, webhook) in stored.enumerated() where webhook["managedBy"]?.string == owner {
            guard let id = webhook["id"]?.string, let url = webhook["url"]?.string, !listed.contains(index) else {
                continue
            }
            if prunes {
                plan.delete.append(.init(kind: .webhook, name: url))
                plan.deletedWebhooks.append(.init(id: id, url: url, manager: owner, patch: nil))
            } else {
                plan.unlisted[.webhook, default: 0] += 1
            }
        }
        return stored
    }

    /// Which stored webhook each of the files is: the one of its URL and application, rather one of the owner.
    private func matches(_ requests: [WebhookRequest], _ stored: [JSONValue]) async throws -> [Int: Int] {
        var matches: [Int: Int] = [:]
        var taken: Set<Int> = []
        func take(_ request: Int, of app: String?) {
            let same = stored.indices.filter { index in
                stored[index]["url"]?.string == requests[request].url && stored[index]["app"]?.string == app
                    && !taken.contains(index)
            }
            guard let found = same.first(where: { stored[$0]["managedBy"]?.string == owner }) ?? same.first else {
                return
            }
            matches[request] = found
            taken.insert(found)
        }
        for index in requests.indices { take(index, of: requests[index].app) }
        // The server gave one that names no application that of the key.
        let rest = requests.indices.filter { matches[$0] == nil && requests[$0].app == nil }
        let urls = Set(stored.compactMap { $0["app"]?.string == nil ? nil : $0["url"]?.string })
        guard rest.contains(where: { urls.contains(requests[$0].url) }), let app = try await keyApplication() else {
            return matches
        }
        for index in rest { take(index, of: app) }
        return matches
    }

    /// The only application of the key; nil for a key of all, or of several.
    private func keyApplication() async throws -> String? {
        let query = PercentEncoding.query([("owner", owner), ("app", "default")])
        return try await api.json("GET", "/api/v1/links:lock\(query)")["keyApp"]?.string
    }

    private func compare(
        _ webhook: CodeFiles.Webhook, with stored: JSONValue, _ plan: inout CodePlan
    ) {
        let url = webhook.request.url
        let manager = stored["managedBy"]?.string
        var request = webhook.request
        request.managedBy = owner
        let wanted = (try? JSONValue(parsing: request.json)) ?? .null
        var changed = ["events", "name"].filter { (wanted[$0] ?? .null) != (stored[$0] ?? .null) }
        // One of the files is enabled.
        if stored["disabled"]?.bool == true { changed.append("disabled") }
        if changed.isEmpty, manager == owner { return }
        if changed.isEmpty, manager == nil, !adopts {
            StandardError.write("webhook \(url) is as in the files, but nobody manages it; --adopt takes it over")
            return
        }
        if let refusal = refusal(of: manager) {
            plan.refusals.add(webhook.place, "webhook \(url) \(refusal)")
            return
        }
        if manager == nil { changed.append("managedBy") }
        var patch = JSONObject()
        for name in changed { patch[name] = name == "disabled" ? false : wanted[name] ?? .null }
        plan.change.append(
            .init(
                kind: .webhook, name: url,
                fields: changed.map { .init(name: $0, from: stored[$0] ?? .null, to: patch[$0] ?? .null) }))
        plan.webhookChanges.append(
            .init(id: stored["id"]?.string ?? "", url: url, manager: manager, patch: JSONValue(patch)))
    }
}
