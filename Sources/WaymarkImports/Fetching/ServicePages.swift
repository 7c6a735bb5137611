import WaymarkBytes
internal import WaymarkJSON
import WaymarkLinks

/// How to reach a service's interface.
package struct ServiceAccess: Sendable {
    package var key: String
    /// Nil: where the service is; those that people host themselves have no such place.
    package var url: String?

    package init(key: String, url: String? = nil) {
        self.key = key
        self.url = url
    }
}

extension ForeignService {
    /// Whether its API is at one known address.
    package var hasHome: Bool { home != nil }

    private var home: String? {
        switch self {
        case .branch: "https://api2.branch.io"
        case .bitly: "https://api-ssl.bitly.com/v4"
        case .rebrandly: "https://api.rebrandly.com/v1"
        case .shortio: "https://api.short.io/api"
        case .dub: "https://api.dub.co"
        default: nil
        }
    }

    private func fields(_ key: String) -> [(name: String, value: String)] {
        switch self {
        case .bitly, .dub: [("Authorization", "Bearer \(key)")]
        case .rebrandly: [("apikey", key)]
        case .shortio: [("Authorization", key)]
        case .shlink: [("X-Api-Key", key)]
        case .kutt: [("X-API-KEY", key)]
        default: []
        }
    }

    private func client(_ access: ServiceAccess, _ connection: ServiceConnection) throws -> ServiceClient {
        guard let base = access.url ?? home else {
            throw SourceError("\(rawValue) is self-hosted; give its URL with --api-url")
        }
        return ServiceClient(base: base, key: access.key, fields: fields(access.key), over: connection)
    }

    /// What reads single links of Branch.
    package func branchLookup(
        _ access: ServiceAccess, _ time: ForeignTime, over connection: ServiceConnection
    ) throws -> BranchLookup {
        BranchLookup(client: try client(access, connection), key: access.key, time: time)
    }

    /// The links that the service's interface answers.
    ///
    /// - Throws: `SourceError`.
    package func links(
        of access: ServiceAccess, time: ForeignTime = ForeignTime(), over connection: ServiceConnection
    ) throws -> any LinkSource {
        guard hasAPI else { throw SourceError("\(rawValue) has no interface to read links from; give a file") }
        guard self != .branch else {
            throw SourceError("Branch lists no links; give a file with their URLs, or with its answers as JSON Lines")
        }
        let pages = ServicePages(client: try client(access, connection), time: time)
        return PageSource {
            switch self {
            case .bitly: try await pages.bitly()
            case .rebrandly: try await pages.rebrandly()
            case .shortio: try await pages.shortIO()
            case .dub: try await pages.dub(page: 1)
            case .shlink: try await pages.shlink(page: 1)
            case .kutt: try await pages.kutt()
            case .yourls: try await pages.yourls(start: 0, key: access.key)
            case .fdl, .branch, .polr, .csv, .waymark: PageSource.Page(links: [], next: nil)
            }
        }
    }
}

/// The pages of each interface.
private struct ServicePages: Sendable {
    typealias Page = PageSource.Page

    let client: ServiceClient
    let time: ForeignTime

    private func page(
        _ target: String, adding fields: [(name: String, value: String)] = []
    ) async throws -> JSONValue {
        guard let value = try await client.json(target, adding: fields) else {
            // The query may have the key.
            let path = target.prefix { $0 != "?" }
            throw SourceError("\(client.base): there is no \(path) (404); check --api-url")
        }
        return value
    }

    /// The elements of a list that an answer must have: one without it is of another API, or an error.
    private func list(_ value: JSONValue?, _ name: String) throws -> [JSONValue] {
        guard let list = value?.array else {
            throw SourceError("\(client.base): its answer has no list of \(name); check --api-url and the key")
        }
        return list
    }

    /// Group after group; of each, page after page.
    func bitly() async throws -> Page {
        let groups = try list(await page("/groups")["groups"], "groups").compactMap { $0["guid"]?.string }
        return try await bitly(groups, after: "")
    }

    private func bitly(_ groups: [String], after token: String) async throws -> Page {
        guard let group = groups.first else { return Page(links: [], next: nil) }
        let answer = try await page(
            "/groups/\(PercentEncoding.encode(group))/bitlinks?size=100&archived=both&search_after=\(PercentEncoding.encode(token))"
        )
        let links = try list(answer["links"], "links").map { ForeignLink.bitly($0, time) }
        let next = answer["pagination"]?["search_after"]?.string ?? ""
        // A token that does not move on would never end.
        let isLast = next.isEmpty || next == token
        let rest = isLast ? Array(groups.dropFirst()) : groups
        guard !rest.isEmpty else { return Page(links: links, next: nil) }
        return Page(links: links) { try await bitly(rest, after: isLast ? "" : next) }
    }

    /// Workspace after workspace: without one a request is about the key's default.
    func rebrandly() async throws -> Page {
        var workspaces: [String] = []
        var last: String?
        repeat {
            let target = "/workspaces?limit=25" + (last.map { "&last=\(PercentEncoding.encode($0))" } ?? "")
            guard let found = try await client.jsonIfAny(target)?.array else {
                guard workspaces.isEmpty else { break }
                let note = "the key lists no workspaces: only links of its own workspace were read"
                return try await rebrandly([nil], after: nil, notes: [note])
            }
            let ids = found.compactMap { $0["id"]?.string }.filter { !workspaces.contains($0) }
            workspaces += ids
            last = found.count < 25 ? nil : ids.last
        } while last != nil && workspaces.count < 10_000
        return try await rebrandly(workspaces.isEmpty ? [nil] : workspaces.map { $0 }, after: nil)
    }

    private func rebrandly(_ workspaces: [String?], after last: String?, notes: [String] = []) async throws -> Page {
        guard let workspace = workspaces.first else { return Page(links: []) }
        let answer = try await page(
            "/links?orderBy=createdAt&orderDir=desc&limit=25"
                + (last.map { "&last=\(PercentEncoding.encode($0))" } ?? ""),
            adding: workspace.map { [("workspace", $0)] } ?? [])
        let values = try list(answer, "links")
        let links = values.map { ForeignLink.rebrandly($0, time) }
        let id = values.last?["id"]?.string
        let isLast = id == nil || id == last
        let rest = isLast ? Array(workspaces.dropFirst()) : workspaces
        guard !rest.isEmpty else { return Page(links: links, notes: notes) }
        return Page(links: links, notes: notes) { try await rebrandly(rest, after: isLast ? nil : id) }
    }

    /// Where a domain leads without a link; an import changes no application.
    private func notes(_ host: String?, _ settings: [(name: String, url: JSONValue?)]) -> [String] {
        settings.compactMap { name, url in
            guard let url = url?.string, !url.isEmpty else { return nil }
            return "\((host ?? "the domain").excerpt(260)) leads to \(url.excerpt(500)): set \(name) of the application"
        }
    }

    func shortIO() async throws -> Page {
        let answer = try await page("/domains")
        let domains = try list(answer["domains"] ?? answer, "domains")
        var page = try await shortIO(domains.compactMap { $0["id"]?.integer }, after: "")
        for domain in domains {
            page.notes += notes(
                domain["hostname"]?.string, [("onUnknown", domain["redirect404"]), ("onRoot", domain["rootRedirect"])])
        }
        return page
    }

    private func shortIO(_ domains: [Int], after token: String) async throws -> Page {
        guard let id = domains.first else { return Page(links: [], next: nil) }
        let answer = try await page(
            "/links?domain_id=\(id)&limit=150" + (token.isEmpty ? "" : "&pageToken=\(PercentEncoding.encode(token))"))
        let links = try list(answer["links"], "links").map { ForeignLink.shortIO($0, time) }
        let next = answer["nextPageToken"]?.string ?? ""
        let isLast = next.isEmpty || next == token
        let rest = isLast ? Array(domains.dropFirst()) : domains
        guard !rest.isEmpty else { return Page(links: links, next: nil) }
        return Page(links: links) { try await shortIO(rest, after: isLast ? "" : next) }
    }

    func dub(page number: Int) async throws -> Page {
        let values = try list(await page("/links?page=\(number)&pageSize=100&showArchived=true"), "links")
        guard !values.isEmpty else { return Page(links: [], next: nil) }
        return Page(links: values.map { ForeignLink.dub($0, time) }) { try await dub(page: number + 1) }
    }

    /// Links of a page of Shlink.
    private static let shlinkPage = 50

    func shlink(page number: Int) async throws -> Page {
        let answer = try await page("/rest/v3/short-urls?page=\(number)&itemsPerPage=\(Self.shlinkPage)")
        var links: [ForeignLink] = []
        let values = try list(answer["shortUrls"]?["data"], "short URLs")
        // Each may be one more request, and all are held at once.
        guard values.count <= Self.shlinkPage else {
            throw SourceError("\(client.base): its page has more links than were asked for")
        }
        for value in values {
            var link = ForeignLink.shlink(value, time)
            // Older servers do not say whether there are rules.
            if value["hasRedirectRules"]?.bool != false, let code = value["shortCode"]?.string {
                let domain = value["domain"]?.string.map { "?domain=\(PercentEncoding.encode($0))" } ?? ""
                let target = "/rest/v3/short-urls/\(PercentEncoding.encode(code))/redirect-rules\(domain)"
                if let rules = try await client.json(target, isOfOneLink: true) { link.setShlinkRules(rules) }
            }
            links.append(link)
        }
        let pages = answer["shortUrls"]?["pagination"]?["pagesCount"]?.integer ?? 0
        guard number < pages else { return Page(links: links, notes: try await shlinkDomains()) }
        return Page(links: links) { try await shlink(page: number + 1) }
    }

    private func shlinkDomains() async throws -> [String] {
        let domains = try await client.jsonIfAny("/rest/v3/domains")?["domains"]?["data"]?.array ?? []
        return domains.prefix(PageSource.noteLimit).flatMap { domain in
            let redirects = domain["redirects"]
            return notes(
                domain["domain"]?.string,
                [
                    ("onRoot", redirects?["baseUrlRedirect"]), ("onUnknown", redirects?["regular404Redirect"]),
                    ("onUnknown and onExpired", redirects?["invalidShortUrlRedirect"]),
                ])
        }
    }

    /// Of all users, which Kutt 3 gives administrators at a path of its own, and Kutt 2 with `all`.
    func kutt() async throws -> Page {
        let path = "/api/v2/links/admin?limit=50"
        if let answer = try await client.jsonIfAny(path + "&skip=0"), answer["data"]?.array != nil {
            return try kutt(path, skip: 0, answer)
        }
        let own = "/api/v2/links?limit=50&all=true"
        var page = try kutt(own, skip: 0, await self.page(own + "&skip=0"))
        page.notes.append(
            "the key does not list the links of all users: if it is no administrator's, only those of its user were read"
        )
        return page
    }

    private func kutt(_ path: String, skip: Int, _ answer: JSONValue) throws -> Page {
        let values = try list(answer["data"], "links")
        let links = values.map { ForeignLink.kutt($0, time) }
        let next = skip + values.count
        guard !values.isEmpty, next < answer["total"]?.integer ?? .max else { return Page(links: links, next: nil) }
        return Page(links: links) { try await kutt(path, skip: next, page("\(path)&skip=\(next)")) }
    }

    func yourls(start: Int, key: String) async throws -> Page {
        let path = client.base.hasSuffix(".php") ? "" : "/yourls-api.php"
        let query =
            "?action=stats&filter=last&limit=500&start=\(start)&format=json&signature=\(PercentEncoding.encode(key))"
        let answer = try await page(path + query)
        guard answer["links"] != nil || answer["stats"] != nil else {
            throw SourceError("\(client.base): its answer has no links; check --api-url and the key")
        }
        // An object of numbered members, in an order that JSON does not promise.
        let members = (answer["links"]?.object?.members ?? []).sorted { Self.number($0.name) < Self.number($1.name) }
        let links = members.map { ForeignLink.yourls($0.value, time) }
        guard members.count == 500 else { return Page(links: links, next: nil) }
        return Page(links: links) { try await yourls(start: start + 500, key: key) }
    }

    private static func number(_ name: String) -> Int { Int(name.drop { !$0.isNumber }) ?? 0 }
}
