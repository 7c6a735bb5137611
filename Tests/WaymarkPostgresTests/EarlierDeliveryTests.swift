#if PostgreSQL
    import Testing
    import WaymarkLinks
    import WaymarkStores
    import WaymarkTestSupport

    @testable import WaymarkPostgres

    /// Deliveries that a server of an earlier version wrote, which knows no lanes, keys and marks.
    @Suite(.enabled(if: PostgresServer.isInstalled, "PostgreSQL's server programs are not installed"), .serialized)
    struct EarlierDeliveryTests {
        private static let now = Timestamp(rawValue: 1_000)

        private let server: PostgresServer
        private let url: String
        private let store: PostgresLinkStore

        init() async throws {
            server = try PostgresServer.shared.get()
            url = try server.database()
            store = try PostgresLinkStore(url: url)
            let webhook = Webhook(
                id: "wh", application: nil, url: "https://example.com/", name: nil, events: ["*"], secrets: [],
                createdAt: Self.now)
            #expect(try await store.webhooks.insert(webhook, limit: 9))
        }

        /// As earlier versions insert messages.
        private func insert(_ number: Int64, _ type: EventType) throws {
            try server.execute(
                "INSERT INTO waymark.message (number, id, type, at, body) VALUES (\(number), 'm', \(type.rawValue), 1, '{}')",
                in: url)
            try server.execute(
                """
                INSERT INTO waymark.webhook_delivery (webhook, message, state, next_attempt, round, attempts)
                SELECT number, \(number), 0, 1, 0, '' FROM waymark.webhook
                """, in: url)
        }

        private func arrange() async throws {
            var place: DeliveryPlace? = .first
            while let last = place {
                place = try await store.webhooks.arrangeDeliveries(to: "wh", after: last, limit: 2)
            }
        }

        private func due(_ lane: DeliveryLane) async throws -> [Int64] {
            try await store.webhooks.dueDeliveries(to: "wh", in: lane, at: Self.now, limit: 9).map(\.number)
        }

        private func held() throws -> [Int64] {
            try server.execute(
                "SELECT message FROM waymark.webhook_delivery WHERE held = 1 ORDER BY message", in: url)
        }

        @Test func `their order holds, and clicks get their lane`() async throws {
            for (number, type) in [
                (1, .linkClicked), (2, .linkCreated), (3, .linkClicked), (4, .linkUpdated), (5, .linkClicked),
                (6, .linkDeleted),
            ] as [(Int64, EventType)] { try insert(number, type) }
            // Before the repair clicks count as changes.
            #expect(try await due(.changes) == [1])
            try await arrange()
            #expect(try await due(.changes) == [2])
            #expect(try await due(.clicks) == [1, 3, 5])
            #expect(try held() == [4, 6])
            try await arrange()
            #expect(try await due(.changes) == [2])
            await store.close()
        }

        @Test func `a hold that they left ends`() async throws {
            for number in [1, 2, 3] as [Int64] { try insert(number, .linkUpdated) }
            try await arrange()
            // An earlier version ends a delivery, and releases none.
            try server.execute("UPDATE waymark.webhook_delivery SET state = 1 WHERE message = 1", in: url)
            #expect(try await due(.changes) == [])
            try await arrange()
            #expect(try await due(.changes) == [2])
            await store.close()
        }
    }
#endif
