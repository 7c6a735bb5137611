import WaymarkAPI
import WaymarkHTTP
import WaymarkJSON
import WaymarkLinks
import WaymarkServer
import WaymarkService
import WaymarkStores

/// The calls of an app that a smart link has opened: for the deep link, and for the metadata.
enum HokoResolving {
    /// `POST /v2/smartlinks/resolve`: a smart link, a lazy one, or `__banner?uri=…`, to the app's deep link.
    static func resolve(_ call: HokoCall, _ site: Site) async throws -> Response {
        guard let given = try call.document().root["smartlink"], !given.isNull else {
            throw HokoError(.missingParameters, "smartlink")
        }
        guard let text = given.string else { throw HokoError(.notSaved, "smartlink must be a string") }
        if let uri = bannerURI(text) {
            guard let domain = call.application.linkDomains.first else { throw HokoError(.unknownRecord) }
            return try await resolve(uri, on: domain, nil, call, site)
        }
        guard let url = WebURL(text), let host = url.host else { throw HokoError(.unknownRecord) }
        if url.path == "/lazy", let uri = QueryString(url.query.map { Array($0.utf8) }).all("uri").first {
            let directory = site.service.applications.directory.current
            guard call.application.application.hoko.isLazy,
                directory.applications(at: host).contains(where: { $0.id == call.application.id })
            else { throw HokoError(.unknownRecord) }
            return try await resolve(
                uri, on: LazyLink.domain(of: call.application, at: host), LazyLink.query(url.query), call, site)
        }
        guard let address = SmartlinkAddress(url),
            let reading = try await site.service.locate(address.path, at: address.host, remembering: false)
        else { throw HokoError(.unknownRecord) }
        let resolved = try await resolved(
            .smartlink(address.host, reading.slug, opened: address.opened(reading)), call, site)
        return answer(resolved.deepLink.url, resolved.metadata)
    }

    /// Resolves the `uri` of the smart banner and of lazy links: by its link if there is one, else by the link that would be
    /// created. Nothing is stored.
    private static func resolve(
        _ uri: String, on domain: HostName?, _ query: String?, _ call: HokoCall, _ site: Site
    ) async throws -> Response {
        guard let domain else { throw HokoError(.unknownRecord) }
        guard let link = try await LazyLink(uri, for: call.application, on: domain, site) else {
            throw HokoError(.unknownRecord)
        }
        if try await site.service.find(domain, link.slug, for: .one(call.application.id)) != nil {
            let resolved = try await resolved(
                .smartlink(domain, link.slug, opened: OpenedSuffix(query: query)), call, site)
            return answer(resolved.deepLink.url, resolved.metadata)
        }
        guard let unstored = link.creation(site)?.link(id: .unstored) else { throw HokoError(.unknownRecord) }
        let deepLink = unstored.deepLink(
            application: call.application.application, platform: call.platform, opened: OpenedSuffix(query: query))
        return answer(deepLink.url, nil)
    }

    /// The `uri` in `__banner?uri=…`, with or without the app's scheme in front.
    private static func bannerURI(_ text: String) -> String? {
        var rest = Substring(text)
        if let mark = rest.firstRange(of: "://") { rest = rest[mark.upperBound...] }
        guard rest.hasPrefix("__banner?") else { return nil }
        return QueryString(Array(rest.dropFirst("__banner?".count).utf8)).all("uri").first
    }

    private static func answer(_ url: String?, _ metadata: [UInt8]?) -> Response {
        .json(
            .ok,
            JSONWriter.text { writer in
                writer.beginObject()
                writer.member("deeplink", url)
                if let metadata { writer.member("metadata", raw: metadata) }
                writer.endObject()
            })
    }

    // MARK: Metadata

    /// `GET /v2/smartlinks/metadata`: the metadata itself.
    static func metadata(_ call: HokoCall, _ site: Site) async throws -> Response {
        func given(_ name: String) -> String? { call.query.all(name).first.flatMap { $0.isEmpty ? nil : $0 } }
        let resolved = try await redeem(click: given("_hk_cid"), code: given("_hk_sid"), call, site)
        return .json(.ok, resolved.metadata ?? Array("{}".utf8))
    }

    /// `POST /v2/smartlinks/redeem`.
    static func redeem(_ call: HokoCall, _ site: Site) async throws -> Response {
        let root = try call.document().root
        func given(_ name: String) throws -> String? {
            guard let value = root[name], !value.isNull else { return nil }
            guard let text = value.string else { throw HokoError(.notSaved, "\(name) must be a string") }
            return text.isEmpty ? nil : text
        }
        _ = try await redeem(click: try given("_hk_cid"), code: try given("_hk_sid"), call, site)
        return .json(.ok, Array("{}".utf8))
    }

    /// Takes one redeem: once for each click, and each time by the code.
    private static func redeem(
        click: String?, code: String?, _ call: HokoCall, _ site: Site
    ) async throws -> ResolvedLink {
        let target: ResolveInput.Target
        if let click {
            target = .clickID(click)
        } else if let code {
            let link = try await HokoSmartlinks.link(code, of: call, site)
            target = .smartlink(link.domain, link.slug, opened: nil)
        } else {
            throw HokoError(.missingParameters, "_hk_cid or _hk_sid")
        }
        let resolved = try await resolved(target, call, site)
        guard resolved.redeem.status != .exhausted else { throw HokoError(.tooManyRedeems) }
        return resolved
    }

    private static func resolved(
        _ target: ResolveInput.Target, _ call: HokoCall, _ site: Site
    ) async throws -> ResolvedLink {
        var input = ResolveInput(target: target, platform: call.platform, asker: .one(call.application.id))
        input.redeemsOncePerClick = true
        switch try await site.service.resolve(input) {
        case .answered(let resolved): return resolved
        case .unknown, .unavailable, .mismatch: throw HokoError(.unknownRecord)
        }
    }
}
