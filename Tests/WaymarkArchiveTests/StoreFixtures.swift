import Foundation
import SealingTestSupport
import Testing
import WaymarkAPI
import WaymarkArchive
import WaymarkBytes
import WaymarkLinks
import WaymarkSQLite
import WaymarkService
import WaymarkStores
import WaymarkTLS

/// A folder with databases, deleted with it, and links of every kind to put into them.
final class StoreFixtures: Sendable {
    static let now = Timestamp(rawValue: 1_763_000_000_000)
    let folder: String

    init() throws {
        folder = NSTemporaryDirectory() + "/waymark-archive-" + UUID().uuidString
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    }

    deinit { try? FileManager.default.removeItem(atPath: folder) }

    func path(_ name: String) -> String { folder + "/" + name }

    static func digest(_ bytes: [UInt8]) -> [UInt8] { SHA256.digest(of: bytes) }

    static func host(_ text: String = "go.example.com") throws -> HostName { try #require(HostName(text)) }
    static func slug(_ text: String) throws -> Slug { try #require(Slug(text)) }
    static func shop() throws -> ApplicationID { try #require(ApplicationID("shop")) }

    static func write(_ batch: Int64) -> WriteID { WriteID(writer: [1], batch: batch, expiresAt: now) }

    static func draft(_ slug: String, metadata: String? = nil, redeemLimit: Int = 0, tags: [String] = []) throws
        -> NewLink
    {
        var content = LinkContent()
        content.urls[.web] = URLEntry(
            link: try #require(URLPattern("https://shop.example.com/\(slug)")), fallback: nil)
        content.redeemLimit = redeemLimit
        content.tags = tags
        return NewLink(
            application: try shop(), domain: try host(), slug: try #require(Slug(slug)), content: content,
            metadata: metadata.map { Array($0.utf8) }, createdAt: now)
    }

    /// People with all that they can have: a key, a session and an invitation too.
    private func addPeople(to store: SQLiteLinkStore) async throws {
        let ana = Person(
            id: "p1", name: "Ana \u{1F600}\u{0}", email: "ana@example.com",
            memberships: [
                Membership(application: nil, role: .viewer), Membership(application: try Self.shop(), role: .admin),
            ],
            identities: [
                PersonIdentity(issuer: "https://id.example.com", subject: "ana\u{0}"),
                PersonIdentity(issuer: PersonIdentity.proxyIssuer, subject: "ana"),
            ],
            passkeys: [
                Passkey(id: [0, 255], publicKey: [1, 2], signCount: .max, createdAt: Self.now, usedAt: Self.now),
                Passkey(id: [1], publicKey: [3], signCount: 0, createdAt: Self.now),
            ], createdAt: Self.now, signedInAt: Self.now.advanced(byMilliseconds: 7))
        let invitation = StoredKey(
            id: "session-p1-x.invitation", name: "", digest: Self.digest([3]), application: nil, scopes: [],
            createdAt: Self.now)
        #expect(try await store.people.insert(ana, inviting: invitation))
        let bo = Person(id: "p2", name: "Bo", isDisabled: true, createdAt: Self.now)
        #expect(try await store.people.insert(bo, inviting: nil))
        let call = AuditCall(
            AuditActor(.session, person: AuditActor.Party(id: ana.id, name: "Ana \u{2028}\"")), from: .private,
            at: Self.now)
        for object in [AuditObject(.person, bo.id), AuditObject(.links, nil)] {
            try await store.audit.record(
                AuditEntry(.personCreated, object, of: try Self.shop(), by: call, after: bo.auditValues.json))
        }
        for (id, digest) in [("k3", 4), ("session-p1-y", 5)] as [(String, UInt8)] {
            try await store.insert(
                StoredKey(
                    id: id, name: "", digest: Self.digest([digest]), application: nil,
                    scopes: id == "k3" ? [.links] : [], createdAt: Self.now, person: id == "k3" ? "p1" : nil))
        }
    }

    /// A store in which everything is given that a store can keep, and a link was deleted last.
    func fill(
        _ name: String, keys: MetadataKeys = .none, links: Int = 3, clicks: Int = 12, activity: Int = 3
    ) async throws {
        let store = try SQLiteLinkStore(path: path(name))
        #expect(try await store.use(keys) == nil)
        let document = #"{"id":"shop","domains":["go.example.com","links.example.com"], "name": "Sh\u00f6p\u0000"}"#
        _ = try await store.put(
            StoredApplication(
                id: try Self.shop(), domains: [try Self.host(), try Self.host("links.example.com")],
                document: Array(document.utf8), slugRules: .ignoreCase), expecting: nil
        ) { _ in true }
        try await store.insert(
            StoredKey(
                id: "k1", name: "Ana \u{1F600}\n", digest: Self.digest([1]), application: try Self.shop(),
                scopes: [.create, .resolve], createdAt: Self.now, expiresAt: Self.now.advanced(byMilliseconds: 5)))
        try await store.insert(
            StoredKey(
                id: "k2", name: "", digest: Self.digest([2]), application: nil, scopes: [.admin], createdAt: Self.now,
                platform: .android))
        try await addPeople(to: store)
        _ = try await store.register(
            RegisteredRoute(
                path: try #require(Route("products/:id")), platform: .ios, device: "iPhone \u{1F4F1}", build: "7",
                version: "1.0", urlSchemes: ["shop", "shop-beta"], registeredAt: Self.now),
            of: try Self.shop(), limit: 9)
        let extra = try await store.extras.changeExtra("logo", of: Self.shop(), to: [0, 255], expecting: nil)
        #expect(extra == .changed(version: 2))
        _ = try await store.secret("click-id") { [1, 2, 3] }

        var drafts = [try Self.full("full")]
        drafts.append(
            try Self.draft("gift", metadata: "{\n \"coupon\" : 1.50e1, \"\u{1F600}\": \"\\u0000\"}", redeemLimit: 3))
        for number in 0..<links {
            drafts.append(try Self.draft("fill\(number)", metadata: number % 2 == 0 ? "{\"n\":\(number)}" : nil))
        }
        var templated = try Self.draft("templated")
        templated.content.urls = [:]
        templated.content.route = Route("products/:product_id")
        templated.content.aliases = [
            LinkAlias(try Self.slug("Near")), LinkAlias(try Self.slug("far"), on: try Self.host("links.example.com")),
        ]
        drafts.append(templated)
        drafts.append(try Self.draft("gone"))
        let created = try await store.create(
            drafts,
            idempotency: Idempotency(
                scope: [9, 9], fingerprint: [8], now: Self.now, expiresAt: Self.now.advanced(byMilliseconds: 86_400_000)
            ) { _ in [0, 1, 255] })
        guard case .done(let outcomes) = created else { throw SealingKeys.Missing() }
        let ids = outcomes.compactMap { outcome -> LinkID? in
            if case .created(let link) = outcome { link.id } else { nil }
        }
        #expect(ids.count == drafts.count)
        _ = try await store.redeem(
            ids[1], at: Self.now, taking: true, ignoringMaxClicks: false,
            idempotency: RedeemIdempotency(
                scope: [7], fingerprint: [6], expiresAt: Self.now.advanced(byMilliseconds: 86_400_000)))
        try await store.addClicks(
            ClickCounts(rising: [(ids[0], 41), (ids[1], 1)], free: [ids[0]: 3]), as: Self.write(1))
        _ = try await store.reserveClicks(ids[0], upTo: 100, as: Self.write(2))
        _ = try await store.record(
            [
                AppEvent(
                    digest: [5], kind: .install, link: ids[1], application: nil,
                    expiresAt: Self.now.advanced(byMilliseconds: 9))
            ],
            at: Self.now)
        _ = try await store.claim(
            [
                ClaimCandidate(
                    scope: [4], installation: [3], application: try Self.shop(), link: ids[1], isCounted: true,
                    method: .clipboard, platform: .ipad, opened: "a=b",
                    answersUntil: Self.now.advanced(byMilliseconds: 1_000),
                    expiresAt: Self.now.advanced(byMilliseconds: 9_000))
            ], at: Self.now, idempotency: nil)
        try await store.append(
            (0..<clicks).map { Self.clicks(of: ids[$0 % 4], day: 20_700 + $0 % 3, number: Int64($0)) })
        try await store.append([Self.clicks(of: ids[ids.count - 1], day: 20_700, number: 1)])
        try await store.addActivity(
            (0..<activity).map { Self.activity(of: ids[$0 % 2], day: 20_700 + $0) }, as: Self.write(3))
        try await store.addActivity([Self.activity(of: ids[ids.count - 1], day: 20_700)], as: Self.write(4))
        var changed = try Self.draft("x").content
        changed.disabled = true
        _ = try await store.update(
            ids[2], expecting: nil, to: LinkChange(content: changed), at: Self.now.advanced(byMilliseconds: 7))
        let author = ChangeAuthor(id: "k1", name: "Ana \u{1F600}\n")
        _ = try await store.rename(
            ids[ids.count - 2], expecting: nil, to: Self.slug("spring/renamed"), by: author, at: Self.now)
        #expect(try await store.delete(ids[ids.count - 1], expecting: nil, at: Self.now) == .deleted)
        try await addConversions(of: ids, store)
        for webhook in try Self.webhooks(sealedWith: keys) { #expect(try await store.insert(webhook, limit: 9)) }
        await store.close()
    }

    /// Clicks on long links of the application `shop`, which is added if it is missing.
    func addLongLinkClicks(_ name: String) async throws {
        let store = try SQLiteLinkStore(path: path(name))
        let domains = [try Self.host(), try Self.host("links.example.com")]
        if try await store.applications().isEmpty {
            _ = try await store.put(
                StoredApplication(id: try Self.shop(), domains: domains, document: Array("{}".utf8)), expecting: nil
            ) { _ in true }
        }
        let numbers = try await store.longLinkNumbers(of: Self.shop(), on: [domains[0]])
        try await store.append([Self.clicks(of: try #require(numbers[domains[0]]), day: 20_701, number: 1_000)])
        await store.close()
    }

    private func addConversions(of links: [LinkID], _ store: SQLiteLinkStore) async throws {
        let values = ["12.50", "-0.000001", nil, "999999999999"]
        let conversions = try values.enumerated().map { index, amount in
            Conversion(
                digest: [2, UInt8(index)], id: "c\(index)", name: "sale \u{1F600}\(index % 2)",
                at: Self.now.advanced(byMilliseconds: Int64(index) * 86_400_000), link: links[index % 2],
                application: nil, value: try amount.map { (try #require(Money($0)), "EUR") },
                expiresAt: Self.now.advanced(byMilliseconds: 9))
        }
        #expect(try await store.record(conversions, at: Self.now).count == values.count)
    }

    /// One of all applications and one that is disabled and has two secrets.
    static func webhooks(sealedWith keys: MetadataKeys) throws -> [Webhook] {
        let later = now.advanced(byMilliseconds: 86_400_000)
        let secrets = [1, 2].map { byte in
            Webhook.Secret(key: [UInt8](repeating: byte, count: 32), of: "wh_2", sealedWith: keys)
        }
        return [
            Webhook(
                id: "wh_1", application: nil, url: "https://receiver.example.com/\u{1F600}", name: nil, events: ["*"],
                secrets: [Webhook.Secret(key: [UInt8](repeating: 0, count: 32), of: "wh_1", sealedWith: keys)],
                createdAt: now, failingSince: later),
            Webhook(
                id: "wh_2", application: try shop(), url: "https://receiver.example.com/", name: "A \"name\"",
                events: ["link.*", "key.created"],
                secrets: [secrets[0], Webhook.Secret(stored: secrets[1].stored, expiresAt: later)], createdAt: now,
                disabled: .gone, managedBy: "links"),
        ]
    }

    /// Counts that differ from each other and from day to day; one is nothing, one the most that fits.
    static func activity(of link: LinkID, day: Int) -> DailyActivity {
        DailyActivity(
            link: link, day: day,
            counts: LinkActivity(
                opens: day, resolves: day + 1, redeems: 7, claims: .max, androidInstallEvents: 2,
                androidInstalls: day + 2))
    }

    /// Two clicks of one day.
    static func clicks(of link: LinkID, day: Int, number: Int64) -> ClickBlock {
        let morning = Timestamp(seconds: Int64(day) * Timestamp.secondsOfDay + 8 * 3_600 + number % 3_600)
        let clicks = ["facebookexternalhit/1.1", "Mozilla/5.0 (Windows NT 10.0; Win64; x64)"].map { agent in
            Click(
                link: link, time: morning, kind: UserAgent.classify(agent), destination: .web,
                campaign: Click.Name("autumn \u{1F342}"), subscriber: 1)
        }
        let salt = SipHash(key: [UInt8](0..<16))
        return ClickBatch(clicks).blocks(salts: salt.map { [day: $0] } ?? [:]) { number }[0].block
    }

    /// A link of which everything is given.
    static func full(_ slug: String) throws -> NewLink {
        var draft = try draft(slug, metadata: "{}", tags: ["autumn", "\u{1F342}", "a\u{0}b"])
        draft.domain = try host("links.example.com")
        draft.identity = [0, 1, 2, 254]
        draft.content.route = Route("products/:product_id")
        draft.content.routeParameters = ["product_id": "4.20e1"]
        draft.content.queryParameters = ["referrer": "ana & \u{1F600}", "gift": "true", "empty": ""]
        draft.content.urls[.ios] = URLEntry(
            link: try #require(URLPattern("shop://products/:product_id")),
            fallback: .url(try #require(WebURL("https://shop.example.com/app"))))
        draft.content.urls[.android] = URLEntry(
            link: try #require(URLPattern("shop://products/:product_id")), fallback: .store)
        draft.content.urls[.macos] = URLEntry(
            link: try #require(URLPattern("shop://products/:product_id")), fallback: .web)
        draft.content.redeemLimit = 7
        draft.content.validFrom = now.advanced(byMilliseconds: -60_123)
        draft.content.expiresAt = now.advanced(byMilliseconds: 3_600_000)
        draft.content.maxClicks = 1_000
        draft.content.clickDetail = .noVisitors
        draft.content.social = SocialCard(
            title: "Shoes \"x\"", description: nil, imageURL: WebURL("https://shop.example.com/a.png"))
        draft.content.campaign = CampaignRequest(source: "mail", medium: nil, name: "autumn", term: nil, content: "")
        for label in LinkLabel.all { draft.content.labels[label] = "\(label.text)\n\u{1F342}" }
        draft.content.firebase = FirebaseParameters([.link: "https://shop.example.com/", .efr: "1"])
        draft.content.forwardQuery = false
        draft.content.queryOverride = true
        draft.content.redirectStatus = 307
        draft.content.onExpired = WebURL("https://shop.example.com/late")
        draft.content.password = LinkPassword(
            salt: Array(repeating: 7, count: LinkPassword.saltCount),
            key: Array(repeating: 9, count: LinkPassword.keyCount))
        draft.content.minimumVersions = MinimumVersions(ios: AppVersion("4.2.0"), android: AppVersion("412"))
        draft.content.rules = try RuleSamples.all()
        return draft
    }

    // MARK: Exports

    /// The lines of an export of the database.
    func export(_ name: String, opening keys: MetadataKeys? = nil) throws -> [[UInt8]] {
        let archive = try SQLiteArchive(path: path(name), mode: .reading)
        defer { archive.close() }
        try archive.beginReading()
        var lines: [[UInt8]] = []
        var writer = ExportWriter(sha256: Self.digest)
        try writer.run(archive, header: Self.header, opening: keys) { lines.append($0) }
        return lines
    }

    static let header = ArchiveHeader(id: "0123", createdAt: "2026-11-21T10:00:00Z", links: 5)

    static func entries(_ lines: [[UInt8]]) throws -> () throws -> ArchiveEntry? {
        var rest = lines[...]
        var reader = try ExportReader(sha256: digest) { rest.popFirst() }
        return { try reader.next() }
    }

    /// The lines as a program of another format wrote them: with its header, and an end that fits.
    static func sealed(_ lines: some Sequence<[UInt8]>, format: Int) -> [[UInt8]] {
        var lines = Array(lines)
        lines[0] = Array(#"{"waymark":"export","format":\#(format),"id":"0123","createdAt":"","links":5}"#.utf8)
        var value: [UInt8] = []
        for line in lines { value = digest(value + line) }
        let links = lines.count { $0.starts(with: Array(#"{"link":"#.utf8)) }
        return lines + [
            Array(
                #"{"end":{"lines":\#(lines.count),"links":\#(links),"digest":"\#(Hexadecimal.text(value))"}}"#.utf8)
        ]
    }

    func importing(_ lines: [[UInt8]], into name: String, keys: MetadataKeys = .none) throws {
        let archive = try SQLiteArchive(path: path(name), mode: .alone)
        defer { archive.close() }
        let work = StoreImport(into: archive, keys: keys, source: "export 0123")
        try work.run(from: Self.entries(lines)) { _ in }
        try work.verify(from: Self.entries(lines)) { _ in }
    }

    func check(_ name: String, keys: MetadataKeys = .none) throws -> StoreCheck.Report {
        let archive = try SQLiteArchive(path: path(name), mode: .reading)
        defer { archive.close() }
        return try StoreCheck(archive, keys: keys) { _ in
            [HostName("go.example.com"), HostName("links.example.com")].compactMap(\.self)
        } isObject: {
            $0.contains(UInt8(ascii: "{"))
        }.run { _ in }
    }
}
