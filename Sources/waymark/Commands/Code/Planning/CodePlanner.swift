import WaymarkAPI
import WaymarkBytes
import WaymarkClient
import WaymarkJSON
import WaymarkLinks

/// Compares files with a server.
struct CodePlanner {
    let api: any API
    let owner: String
    /// Whether what nobody manages becomes the owner's.
    let adopts: Bool
    /// Whether the owner's links, webhooks and applications that are not in the files are deleted.
    let prunes: Bool
    /// What the owner's last apply left.
    let versions: CodeVersions

    private static let pageSize = 200
    /// Links that are asked for one by one; more are found by reading all of their application.
    private static let lookupLimit = 100

    func plan(_ files: CodeFiles) async throws -> CodePlan {
        var plan = CodePlan()
        for app in files.apps { try await add(app, to: &plan) }
        try await addLinks(files, to: &plan)
        let webhooks = try await addWebhooks(files, to: &plan)
        try await addUnlistedApplications(files, webhooks, to: &plan)
        return plan
    }

    // MARK: Links

    private func addLinks(_ files: CodeFiles, to plan: inout CodePlan) async throws {
        let isNew = Set(plan.create.filter { $0.kind == .application }.map(\.name))
        // Indexes, because a link takes much memory.
        var wanted: [String: Int] = [:]
        for (index, link) in files.links.enumerated() { wanted[link.address] = index }
        let filter = PercentEncoding.query([("managedBy", owner), ("limit", "\(Self.pageSize)")])
        try await forEachLink(filter) { link in
            let address = "\(link.domain)/\(link.slug)"
            // One that was renamed elsewhere is in the files by its former name.
            let aliases = Self.aliases(of: link).filter { $0.domain.text == link.domain }
            let names = [address] + aliases.map(\.text)
            if let name = names.first(where: { wanted[$0] != nil }), let found = wanted.removeValue(forKey: name) {
                try await compare(files.links[found], with: link, &plan)
            } else if prunes {
                plan.delete.append(.init(kind: .link, name: address))
                plan.deletedLinks.append(.init(app: link.app, address: address, version: link.version))
                plan.versions[link.app, address] = 0
            } else {
                plan.unlisted[.link, default: 0] += 1
                note(version: link.version, of: address, in: link.app, &plan)
            }
        }
        // In the order of the files, so that two plans are the same text.
        let old = wanted.filter { !isNew.contains(files.links[$0.value].request.app ?? "") }
        for link in try await notManaged(old, files, &plan) { wanted[link] = nil }
        for link in files.links where wanted[link.address] != nil {
            plan.create.append(.init(kind: .link, name: link.address))
            plan.newLinks.append(managed(link.request))
            note(version: 1, of: link.address, in: link.request.app ?? "", &plan)
        }
    }

    /// Compares the links of the files that the server has without managing them as the owner's.
    ///
    /// - Returns: their addresses.
    private func notManaged(
        _ wanted: [String: Int], _ files: CodeFiles, _ plan: inout CodePlan
    ) async throws -> [String] {
        var found: [String] = []
        if wanted.count <= Self.lookupLimit {
            for (address, index) in wanted.sorted(by: { $0.key < $1.key }) {
                let link = files.links[index]
                let reference = LinkReference(domain: link.request.domain ?? "", slug: link.request.slug ?? "")
                let answer = try await api.sendPatiently(APIRequest(method: "GET", target: reference.target))
                guard answer.status != 404 else { continue }
                guard answer.isSuccess else { throw CommandFailure.failed(APIFailure.sentence(answer)) }
                guard let stored = LinkResponse(json: answer.body) else { throw Self.unreadable }
                found.append(address)
                try await compareNotManaged(link, with: stored, &plan)
            }
            return found
        }
        // By domain, because an application may share it with others.
        for domain in Set(wanted.values.compactMap { files.links[$0].request.domain }).sorted() {
            let filter = PercentEncoding.query([("domain", domain), ("limit", "\(Self.pageSize)")])
            try await forEachLink(filter) { stored in
                for address in ["\(stored.domain)/\(stored.slug)"] + Self.aliases(of: stored).map(\.text) {
                    guard let index = wanted[address] else { continue }
                    found.append(address)
                    try await compareNotManaged(files.links[index], with: stored, &plan)
                }
            }
        }
        return found
    }

    private static func aliases(of link: LinkResponse) -> [LinkAddress] {
        guard let domain = HostName(link.domain) else { return [] }
        return link.aliases.compactMap { LinkAlias($0, of: domain) }
            .map { LinkAddress(domain: $0.domain ?? domain, slug: $0.slug) }
    }

    /// Why something is not the owner's to change; nil if it is.
    func refusal(of manager: String?) -> String? {
        guard let manager else { return adopts ? nil : "exists and nobody manages it; --adopt takes it over" }
        return manager == owner ? nil : "is managed by \(manager)"
    }

    /// Whether something of the owner was changed elsewhere since its last apply; nil: nobody knows.
    func isDrift(_ version: Int, of address: String, in app: String) -> Bool? {
        // A first version that no apply told of may be of this owner's program or of another one.
        versions[app, address].map { $0 != version } ?? (version == 1 ? nil : true)
    }

    private func managed(_ request: LinkRequest) -> LinkRequest {
        var request = request
        request.labels[.managedBy] = owner
        return request
    }

    func note(version: Int, of address: String, in app: String, _ plan: inout CodePlan) {
        // The server takes 1 for one that it was not told.
        if version != 1 || versions[app, address] != nil { plan.versions[app, address] = version }
    }

    private func compareNotManaged(
        _ link: CodeLink, with stored: LinkResponse, _ plan: inout CodePlan
    ) async throws {
        let (address, name) = (link.address, "\(stored.domain)/\(stored.slug)")
        guard address == name else {
            let renaming =
                stored.domain == link.request.domain
                ? ", or rename the link back with waymark links rename \(name) \(link.request.slug ?? "")" : ""
            plan.refusals.add(
                link.place,
                "\(address) is an alias of \(name): write that name here, or remove the link if the files have it too\(renaming)"
            )
            return
        }
        try await compare(link, with: stored, &plan)
    }

    /// - Parameter stored: has the link's name, or is the owner's and has it as an alias.
    private func compare(_ link: CodeLink, with stored: LinkResponse, _ plan: inout CodePlan) async throws {
        let (address, former) = (link.address, "\(stored.domain)/\(stored.slug)")
        guard stored.app == link.request.app else {
            plan.refusals.add(link.place, "\(address) belongs to application \(stored.app)")
            return
        }
        if let refusal = refusal(of: stored.managedBy) {
            plan.refusals.add(link.place, "\(address) \(refusal)")
            return
        }
        var before = LinkRequest(stored)
        let after = managed(link.request)
        if stored.hasMetadata { before.metadata = try await metadata(of: stored) }
        let isSameMetadata = Self.value(before.metadata) == Self.value(after.metadata)
        let differing = LinkRequest.members.members.filter { member in
            member.name == "metadata" ? !isSameMetadata : member.differs(before, after)
        }.map(\.name)
        let (old, new) = differing.isEmpty ? (JSONObject(), JSONObject()) : (Self.json(before), Self.json(after))
        // What is written alike is the same.
        let names = differing.filter { old[$0] != new[$0] }
        var version = stored.version
        if let slug = link.request.slug, slug != stored.slug {
            plan.linkRenames.append(
                .init(app: stored.app, from: former, slug: slug, address: address, version: version))
            plan.versions[stored.app, former] = 0
            version &+= 1
        }
        var patch = JSONObject()
        for name in names where name != "slug" {
            patch[name] = MergePatch.patch(from: old[name] ?? .null, to: new[name] ?? .null)
        }
        if !patch.isEmpty {
            plan.linkChanges.append(.init(app: stored.app, address: address, version: version, patch: patch))
            version &+= 1
        }
        note(version: version, of: address, in: stored.app, &plan)
        guard !names.isEmpty else { return }
        let isDrift = stored.managedBy == owner ? isDrift(stored.version, of: former, in: stored.app) : nil
        plan.change.append(
            .init(
                kind: .link, name: address,
                fields: names.map { name in
                    // Metadata is for those who may read it.
                    name == "metadata"
                        ? .init(name: name, from: nil, to: nil)
                        : .init(name: name, from: old[name] ?? .null, to: new[name] ?? .null)
                }, isDrift: isDrift))
    }

    private func metadata(of link: LinkResponse) async throws -> RawJSON? {
        let target = LinkReference(domain: link.domain, slug: link.slug).target + "/metadata"
        let value = try await api.json("GET", target)
        return value.isNull ? nil : RawJSON(unchecked: value.bytes())
    }

    private static func value(_ metadata: RawJSON?) -> JSONValue? {
        metadata.flatMap { try? JSONValue(parsing: $0.bytes) }
    }

    private static func json(_ request: LinkRequest) -> JSONObject {
        (try? JSONValue(parsing: request.json))?.object ?? JSONObject()
    }

    func forEachLink(_ query: String, _ body: (LinkResponse) async throws -> Void) async throws {
        var cursor: String?
        repeat {
            let next = cursor.map { "&cursor=\(PercentEncoding.encode($0))" } ?? ""
            let answer = try await api.sendPatiently(
                APIRequest(method: "GET", target: "/api/v1/links\(query)\(next)"))
            guard answer.isSuccess else { throw CommandFailure.failed(APIFailure.sentence(answer)) }
            guard let page = LinkListResponse(json: answer.body) else { throw Self.unreadable }
            for link in page.links { try await body(link) }
            cursor = page.cursor
        } while cursor != nil
    }

    private static let unreadable = CommandFailure.failed("the server answered with what is no link")
}
