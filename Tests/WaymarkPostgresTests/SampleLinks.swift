#if PostgreSQL
    import Testing
    import WaymarkStores
    import WaymarkLinks

    /// What the tests put into stores.
    enum SampleLinks {
        static let now = Timestamp(rawValue: 1_763_000_000_000)
        static func shop() throws -> ApplicationID { try #require(ApplicationID("shop")) }

        static func draft(
            _ slug: String, metadata: String? = nil, redeemLimit: Int = 0, maxClicks: Int? = nil,
            identity: [UInt8]? = nil
        ) throws -> NewLink {
            var content = LinkContent()
            content.urls[.web] = URLEntry(
                link: try #require(URLPattern("https://shop.example.com/products/\(slug)")), fallback: nil)
            content.redeemLimit = redeemLimit
            content.maxClicks = maxClicks
            return NewLink(
                application: try shop(), domain: try #require(HostName("go.example.com")),
                slug: try #require(Slug(slug)),
                content: content, metadata: metadata.map { Array($0.utf8) }, identity: identity, createdAt: now)
        }

        static func application(domains: [String] = []) throws -> StoredApplication {
            StoredApplication(
                id: try shop(), domains: try domains.map { try #require(HostName($0)) }, document: Array("{}".utf8))
        }

        /// All outcomes of the calls, which are made at once.
        static func all<Value: Sendable>(
            _ calls: [@Sendable () async throws -> Value]
        ) async throws -> [Value] {
            try await withThrowingTaskGroup(of: Value.self) { group in
                for call in calls { group.addTask(operation: call) }
                return try await group.reduce(into: []) { $0.append($1) }
            }
        }
    }

    extension LinkStore {
        func addShop(domains: [String] = []) async throws {
            _ = try await put(SampleLinks.application(domains: domains), expecting: nil) { _ in true }
        }

        func create(_ draft: NewLink) async throws -> CreationOutcome {
            guard case .done(let outcomes) = try await create([draft], idempotency: nil) else {
                throw StoreError.corrupt("a creation without key was a replay")
            }
            return try #require(outcomes.first)
        }

        /// Creates a link that must be new.
        func added(_ draft: NewLink) async throws -> Link {
            guard case .created(let link) = try await create(draft) else {
                throw StoreError.corrupt("the link was not created")
            }
            return link
        }

        func redeem(_ id: LinkID, key: String? = nil) async throws -> Redeem? {
            let idempotency = key.map {
                RedeemIdempotency(
                    scope: Array($0.utf8), fingerprint: [1],
                    expiresAt: Timestamp(rawValue: SampleLinks.now.rawValue + 1_000))
            }
            let outcome = try await redeem(
                id, at: SampleLinks.now, taking: true, ignoringMaxClicks: false, idempotency: idempotency)
            guard case .answered(_, _, let redeem, _) = outcome else { return nil }
            return redeem
        }
    }
#endif
