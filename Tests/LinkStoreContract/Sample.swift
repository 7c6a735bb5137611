import WaymarkAPI
package import WaymarkLinks
package import WaymarkStores

/// The values that the clauses work with.
enum Sample {
    static let now = Timestamp(rawValue: 1_763_000_000_000)
    static func after(_ seconds: Int64) -> Timestamp { Timestamp(rawValue: now.rawValue + seconds * 1_000) }

    static func host(_ text: String = "go.example.com") throws -> HostName { try require(HostName(text)) }
    static func slug(_ text: String) throws -> Slug { try require(Slug(text)) }
    static func application(_ text: String = "shop") throws -> ApplicationID { try require(ApplicationID(text)) }

    static func content(web: String? = nil, route: String? = nil) throws -> LinkContent {
        var content = LinkContent()
        if let web { content.urls[.web] = URLEntry(link: try require(URLPattern(web)), fallback: nil) }
        if let route { content.route = try require(Route(route)) }
        return content
    }

    /// A content in which everything is given.
    static func fullContent() throws -> LinkContent {
        var content = try content(web: "https://shop.example.com/products/:product_id", route: "products/:product_id")
        content.routeParameters = ["product_id": "4.20e1"]
        content.queryParameters = [
            "referrer": "ana & \u{1F600}",
            "gift": "true",
        ]
        content.urls[.ios] = URLEntry(
            link: try require(URLPattern("shop://products/:product_id")),
            fallback: .url(try require(WebURL("https://shop.example.com/app"))))
        content.urls[.android] = URLEntry(
            link: try require(URLPattern("shop://products/:product_id")), fallback: .store)
        content.redeemLimit = 7
        content.validFrom = after(-60)
        content.expiresAt = after(3_600)
        content.maxClicks = 1_000
        content.social = SocialCard(
            title: "Shoes", description: nil, imageURL: try require(WebURL("https://shop.example.com/shoes.png")))
        content.campaign = CampaignRequest(source: "mail", medium: nil, name: "autumn", term: nil, content: "")
        content.tags = ["autumn", "mail"]
        content.title = "Autumn \u{1F342}"
        content.note = "For the mail of October\n(Ana)"
        content.forwardQuery = false
        return content
    }

    static func draft(
        _ slug: String, content: LinkContent? = nil, metadata: String? = nil, identity: String? = nil,
        application: String = "shop", host: String = "go.example.com", aliases: [String] = [],
        at time: Timestamp = now
    ) throws -> NewLink {
        var content = try content ?? self.content(web: "https://shop.example.com/\(slug)")
        content.aliases += try aliases.map { try alias($0) }
        return NewLink(
            application: try self.application(application), domain: try self.host(host), slug: try self.slug(slug),
            content: content,
            metadata: metadata.map { Array($0.utf8) }, identity: identity.map { Array($0.utf8) }, createdAt: time)
    }

    static func alias(_ text: String) throws -> LinkAlias {
        try require(LinkAlias(text, of: host()))
    }

    static func stored(
        _ id: String = "shop", domains: [String] = [], otherHosts: [String] = [], document: String = "{}"
    ) throws -> StoredApplication {
        StoredApplication(
            id: try application(id), domains: try domains.map { try host($0) },
            otherHosts: try otherHosts.map { try host($0) }, document: Array(document.utf8))
    }

    /// A link on which `limit` redeems of metadata are left.
    static func redeemable(_ slug: String, limit: Int, metadata: String? = #"{"coupon":"20"}"#) throws -> NewLink {
        var draft = try draft(slug, metadata: metadata)
        draft.content.redeemLimit = limit
        return draft
    }

    static func write(
        by writer: [UInt8] = (0..<16).map { _ in .random(in: 0...255) }, batch: Int64 = 1,
        until: Timestamp = after(604_800)
    ) -> WriteID {
        WriteID(writer: writer, batch: batch, expiresAt: until)
    }

    static func redeemKey(_ scope: String, body: String = "body", until: Timestamp = after(86_400))
        -> RedeemIdempotency
    {
        RedeemIdempotency(scope: Array(scope.utf8), fingerprint: Array(body.utf8), expiresAt: until)
    }
}

extension LinkStore {
    func addApplication(_ id: String = "shop", domains: [String] = []) async throws {
        _ = try await put(try Sample.stored(id, domains: domains), expecting: nil) { _ in true }
    }

    func create(_ draft: NewLink) async throws -> CreationOutcome {
        guard case .done(let outcomes) = try await create([draft], idempotency: nil) else {
            throw ContractViolation(description: "a creation without idempotency key was a replay")
        }
        try expect(outcomes.count, is: 1)
        return outcomes[0]
    }

    /// Creates a link that must be new.
    func added(_ draft: NewLink, line: UInt = #line) async throws -> Link {
        guard case .created(let link) = try await create(draft) else {
            throw ContractViolation(description: "line \(line): the link was not created")
        }
        return link
    }

    func redeem(
        _ id: LinkID, at now: Timestamp = Sample.now, taking: Bool = true, ignoringMaxClicks: Bool = false,
        key: RedeemIdempotency? = nil
    ) async throws -> RedeemOutcome {
        try await redeem(id, at: now, taking: taking, ignoringMaxClicks: ignoringMaxClicks, idempotency: key)
    }
}

extension RedeemOutcome {
    /// What was answered; nil for everything but an answer.
    var answer: (metadata: [UInt8]?, redeem: Redeem, isReplay: Bool)? {
        if case .answered(_, let metadata, let redeem, let isReplay) = self { return (metadata, redeem, isReplay) }
        return nil
    }
}

/// Writes of which no answer is ever lost, each of a writer of its own.
extension LinkStore {
    package func addClicks(_ counts: ClickCounts) async throws(StoreError) {
        try await addClicks(counts, as: Sample.write())
    }

    package func reserveClicks(_ id: LinkID, upTo count: Int) async throws(StoreError) -> Int {
        try await reserveClicks(id, upTo: count, as: Sample.write())
    }

    package func releaseClicks(_ id: LinkID, count: Int) async throws(StoreError) {
        try await releaseClicks(id, count: count, as: Sample.write())
    }

    package func addActivity(_ days: [DailyActivity]) async throws(StoreError) {
        try await addActivity(days, as: Sample.write())
    }
}

extension LinkStore {
    /// `delete` at `Sample.now`.
    package func delete(_ id: LinkID, expecting: Int?) async throws(StoreError) -> LinkDeletion {
        try await delete(id, expecting: expecting, at: Sample.now)
    }
}
