import WaymarkAPI
import WaymarkHTTP
import WaymarkJSON
import WaymarkLinks
import WaymarkServer
import WaymarkService
import WaymarkStores

/// `/v2/smartlinks` and `/v2/smartlinks/{code}`: create and read smart links.
enum HokoSmartlinks {
    static func create(_ call: HokoCall, _ site: Site) async throws -> Response {
        let request = try request(
            try call.document(), for: call.application.application, site.hokoTemplates.index(of: call.application))
        let admitted: LinkAdmission.Admitted
        do throws(Problem) {
            admitted = try LinkAdmission(call.key, .one(call.application.id), site).admit(request)
        } catch {
            throw HokoError(error)
        }
        guard case .done(let outcomes) = try await site.service.create([admitted.creation]),
            let outcome = outcomes.first
        else { throw HokoError.internalError }
        switch outcome {
        case .created(let link), .existing(let link):
            return .json(
                .ok,
                JSONWriter.text { writer in
                    writer.beginObject()
                    writer.member("smartlink", link.smartlinkURL(admitted.application.application))
                    writer.endObject()
                })
        case .slugTaken, .applicationUnknown:
            throw HokoError(LinkCreationHandler.problem(outcome, admitted.creation))
        }
    }

    // MARK: The body

    private static func request(
        _ document: JSONDocument, for application: Application, _ templates: HokoTemplateIndex
    ) throws(HokoError) -> LinkRequest {
        func given(_ name: String) -> JSONValue? { document.root.given(name) }
        let routes = try urls(given("routes"))
        var request = LinkRequest()
        request.app = application.id.text
        if let uri = given("uri") {
            guard let text = uri.string else { throw HokoError(.badSmartlink, "uri must be a string") }
            guard let found = HokoURI(text)?.request(for: application, templates) else {
                throw HokoError(.badSmartlink, "uri must be a path, a web URL or a URL of the app")
            }
            request = found
        } else if routes.isEmpty {
            throw HokoError(.missingParameters, "uri")
        }
        request.urls.merge(routes) { _, given in given }
        if let metadata = given("metadata") {
            guard metadata.object != nil else { throw HokoError(.badSmartlink, "metadata must be an object") }
            request.metadata = RawJSON(unchecked: document.text(of: metadata))
        }
        if let unique = given("unique") {
            guard let flag = unique.bool else { throw HokoError(.badSmartlink, "unique must be true or false") }
            request.unique = flag
        }
        if let limit = given("redeem_limit") {
            guard let number = limit.integer else { throw HokoError(.badSmartlink, "redeem_limit must be an integer") }
            request.redeemLimit = number
        }
        return request
    }

    private static func urls(_ routes: JSONValue?) throws(HokoError) -> [String: URLEntryRequest] {
        guard let routes else { return [:] }
        guard let members = routes.object?.members else { throw HokoError(.badSmartlink, "routes must be an object") }
        var urls: [String: URLEntryRequest] = [:]
        for member in members {
            let platform = member.name == Platform.ios.rawValue ? "universal" : member.name
            guard let platform = platforms.first(where: { $0.name == platform })?.platform else {
                throw HokoError(.badSmartlink, "a platform of routes is unknown")
            }
            guard let link = member.value["link"]?.string else {
                throw HokoError(.badSmartlink, "a platform of routes has no link")
            }
            let fallback = member.value.given("fallback")
            guard fallback == nil || fallback?.string != nil else {
                throw HokoError(.badSmartlink, "a fallback of routes is not a string")
            }
            // Empty: the default.
            urls[platform.rawValue] = URLEntryRequest(
                link, fallback: fallback?.string.flatMap { $0.isEmpty ? nil : $0 })
        }
        return urls
    }

    /// HOKO's names of platforms, in the order of its documentation.
    private static let platforms: [(name: String, platform: Platform)] = [
        ("web", .web), ("iphone", .iphone), ("ipad", .ipad), ("universal", .ios), ("android", .android),
    ]

    // MARK: Reading

    static func read(_ call: HokoCall, _ site: Site) async throws -> Response {
        let code = call.parameters[0]
        let link: Link
        do {
            link = try await self.link(code, of: call, site)
        } catch let error as HokoError {
            throw ["resolve", "redeem", "open"].contains(code) ? HokoError(.unsupportedMethod) : error
        }
        // Callers can't see states, so only links that resolve are records.
        guard link.state(at: site.now) == .active else { throw HokoError(.unknownRecord) }
        return .json(
            .ok,
            JSONWriter.text { writer in
                writer.beginObject()
                writer.name("smartlink")
                write(link, call.application.application, to: &writer)
                writer.endObject()
            })
    }

    /// The newest active ones; `cursor` leads to the next page.
    static func list(_ call: HokoCall, _ site: Site) async throws -> Response {
        var listing = LinkListing()
        listing.limit = 100
        if let cursor = call.query.all("cursor").first {
            listing.after = ListingCursor.position(cursor, of: .newest)
            guard listing.after != nil else { throw HokoError(.unknownRecord) }
        }
        let page = try await site.service.list(listing, for: .one(call.application.id), key: call.key.id)
        return .json(
            .ok,
            JSONWriter.text { writer in
                writer.beginObject()
                writer.array("smartlinks", page.links.filter { $0.state(at: site.now) == .active }) { link, writer in
                    write(link, call.application.application, to: &writer)
                }
                writer.member("cursor", page.next.map { ListingCursor.text($0, of: .newest) })
                writer.endObject()
            })
    }

    /// The link with that code; if several domains have it, the one on the application's first domain.
    static func link(_ code: String, of call: HokoCall, _ site: Site) async throws -> Link {
        guard let slug = Slug(code) else { throw HokoError(.unknownRecord) }
        switch try await site.service.find(slug, for: .one(call.application.id)) {
        case .unknown: throw HokoError(.unknownRecord)
        case .one(let link): return link
        case .several(let domains):
            let first = call.application.linkDomains.first { domains.contains($0) }
            guard let domain = first ?? domains.first,
                let link = try await site.service.find(domain, slug, for: .one(call.application.id))
            else { throw HokoError(.unknownRecord) }
            return link
        }
    }

    private static func write(_ link: Link, _ application: Application, to writer: inout JSONWriter) {
        let template = link.content.route.flatMap { application.template(for: $0) }
        writer.beginObject()
        writer.member("code", link.slug.text)
        writer.strings("tags", link.content.tags)
        writer.name("routes")
        writer.beginObject()
        for (name, platform) in platforms {
            guard let entry = link.content.urls[platform] ?? template?.urls[platform] else { continue }
            writer.name(given: name)
            writer.beginObject()
            writer.member(
                "link",
                link.deepLink(application: application, platform: platform).url
                    ?? entry.link.fill(link.content.routeParameters))
            writer.member("fallback", fallback(entry, link, application))
            writer.endObject()
        }
        writer.endObject()
        writer.endObject()
    }

    /// Empty: the default, which is the store if the app is in one.
    private static func fallback(_ entry: URLEntry, _ link: Link, _ application: Application) -> String {
        switch entry.fallback {
        case .store?, nil: ""
        case .web?: link.deepLink(application: application, platform: .web).url ?? ""
        case .url(let url)?: url.text
        }
    }
}

extension JSONValue {
    /// The member of that name; nil if it is null, too, because the iOS SDK sends null for missing values.
    fileprivate func given(_ name: String) -> JSONValue? {
        guard let value = self[name], !value.isNull else { return nil }
        return value
    }
}

extension HokoError {
    /// Why a link was not created.
    init(_ problem: Problem) {
        switch problem.known {
        case .scopeMissing?, .applicationForbidden?: self.init(.wrongToken, problem.detail)
        case .storeUnavailable?: self = .storeUnavailable
        case .storeFull?: self = .storeFull
        default:
            let first = problem.errors.first.map { $0.field.isEmpty ? $0.problem : "\($0.field) \($0.problem)" }
            self.init(.badSmartlink, first ?? problem.detail)
        }
    }
}
