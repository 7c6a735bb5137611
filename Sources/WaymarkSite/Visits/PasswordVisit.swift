import Logging
import WaymarkAPI
import WaymarkHTTP
import WaymarkLinks
import WaymarkServer
import WaymarkService
import WaymarkStores

/// A try of a link's password: the form of its page, sent to the link's own address. Runs as a task.
struct PasswordVisit: Sendable {
    /// A password has at most 128 characters, each at most 12 bytes as sent.
    static let bodyLimit = 4_096

    let site: Site
    let visit: Visit
    let host: HostName
    let slug: Slug?
    /// A path that may be a slug with a further path behind it.
    let path: OpenedPath.Target?
    /// Whether the form is from the link's own page: another site must not open links in a visitor's name.
    let isOwn: Bool

    /// Whether a request has the form of the page.
    static func isForm(_ head: RequestHead, _ bytes: Span<UInt8>) -> Bool {
        guard head.method == .post, !head.isRepeated(.contentType) else { return false }
        return head.text(.contentType, in: bytes).map(MediaType.essence) == "application/x-www-form-urlencoded"
    }

    /// Whether a form may be from the link's own page. Programs that say nothing about it are no browsers, which others could
    /// make send it.
    static func isOwn(_ head: RequestHead, _ bytes: Span<UInt8>) -> Bool {
        if let site = head.text(.secFetchSite, in: bytes) {
            return !head.isRepeated(.secFetchSite) && (site == "same-origin" || site == "none")
        }
        guard let origin = head.text(.origin, in: bytes) else { return true }
        // A proxy that ends TLS may not say so: the host decides.
        let port = head.port.map { ":\($0)" } ?? ""
        let own = head.host.text(in: bytes).lowercased() + port
        return !head.isRepeated(.origin) && ["https://", "http://"].contains { origin.lowercased() == $0 + own }
    }

    func answer(_ body: [UInt8]) async -> Response {
        do {
            return try await attempt(body)
        } catch {
            site.logger.warning("a password was not checked: \(error)")
            return VisitResponse.storeAway(as: visit.problemFormat)
        }
    }

    private func attempt(_ body: [UInt8]) async throws(StoreError) -> Response {
        if let seconds = site.callers.refuseLookup(visit.peer) {
            return StatePage.rateLimited(retryAfter: seconds, as: visit.problemFormat)
        }
        var visit = visit
        var located = slug
        if let path, let reading = try await site.service.locate(path, at: host) {
            visit = visit.reading(reading)
            located = reading.slug
        }
        guard let slug = located else { return .methodNotAllowed([.get, .head]) }
        let cached: CachedLink
        let atOpenHost: Bool
        switch try await site.service.load(at: host, slug: slug) {
        case .unknownHost: return VisitResponse.unknownHost(as: visit.problemFormat)
        case .unknownSlug:
            if let seconds = site.callers.takeUnknownSlug(visit.peer) {
                return StatePage.rateLimited(retryAfter: seconds, as: visit.problemFormat)
            }
            return .methodNotAllowed([.get, .head])
        case .found(let link, let isOpenHost):
            cached = link
            atOpenHost = isOpenHost
        }
        guard let password = cached.link.content.password else { return .methodNotAllowed([.get, .head]) }
        let mint = site.service.makeClickIDMint()
        guard let locked = DecidedVisit(visit, cached, atOpenHost: atOpenHost, site, clickID: mint) else {
            return VisitResponse.storeAway(as: visit.problemFormat)
        }
        // A link that is expired, say, has no form.
        guard case .locked = locked.decision.resolution else { return locked.response { _ in } }
        let owner = PageOwner(cached.application.application, sha256: site.service.dependencies.sha256)
        guard isOwn else { return PasswordPage.response(.forbidden, visit.pageLanguage, of: owner) }
        let (tries, now) = (PasswordTries.Key(visit.peer, cached.link.id), site.service.dependencies.uptime())
        if let seconds = site.passwordTries.take(tries, at: now) {
            return StatePage.rateLimited(retryAfter: seconds, as: visit.problemFormat)
        }
        let given = QueryString(body).all(PasswordPage.field).first ?? ""
        let address = visit.peer.subscriber.addressBits
        let client = LinkPasswords.Client.visitor(high: address.high, low: address.low)
        guard try await site.service.passwords.isRight(given, for: password, from: client) else {
            return PasswordPage.response(Status(401), visit.pageLanguage, of: owner, isWrong: true)
        }
        site.passwordTries.giveBack(tries, at: now)
        // The page that sent the form is the link's own.
        return await StoredVisit(
            site: site, visit: visit.knowing(password).withoutReferrer(host), host: host, slug: slug
        ).answer()
    }
}

extension Visit {
    /// The visit of somebody who knows this password.
    fileprivate func knowing(_ password: LinkPassword) -> Visit {
        var visit = self
        visit.visitor.password = password
        return visit
    }

    /// The visit without a referrer that is the link's own host.
    fileprivate func withoutReferrer(_ host: HostName) -> Visit {
        guard visitor.referrerHost == host else { return self }
        var visit = self
        visit.visitor.referrerHost = nil
        visit.traits.referrerHost = nil
        return visit
    }
}
