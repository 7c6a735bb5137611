import Foundation
import Synchronization
import Testing
import WaymarkAPI
import WaymarkJSON
import WaymarkKit

extension EndToEnd {
    /// The client library against the executable, as an app uses it.
    @MainActor
    @Suite struct KitTests {
        /// Passes requests on, and loses the answers that it is told to: the service has acted, and the app does not know.
        private final class LossyTransport: HTTPTransport {
            private let inner = URLSessionTransport()
            private let isLosing = Mutex(false)
            private let answers = Mutex<[(url: String, body: [UInt8])]>([])

            func loseAnswers(_ isLosing: Bool) { self.isLosing.withLock { $0 = isLosing } }

            /// What the service has said of events, also where the answer was lost.
            var eventAnswers: [EventsResponse] {
                answers.withLock { $0 }.filter { $0.url.hasSuffix(Endpoint.events) }.compactMap {
                    EventsResponse(json: $0.body)
                }
            }

            func send(_ request: TransportRequest) async throws(TransportError) -> TransportResponse {
                let answer = try await inner.send(request)
                answers.withLock { $0.append((request.url, answer.body)) }
                if isLosing.withLock({ $0 }) { throw .timedOut }
                return answer
            }
        }

        /// One life of the app on the device whose storage that is.
        private static func app(
            _ server: RunningServer, _ storage: any ClientStorage, key: String, _ transport: LossyTransport
        ) throws -> (client: WaymarkClient, deeplinking: Deeplinking) {
            let client = try WaymarkClient(
                service: "http://127.0.0.1:\(server.port)", key: key,
                options: ClientOptions(
                    app: "shop", platform: .iOS, domains: ["go.example.com"], retry: .never, sendsEvents: false,
                    allowsPlainLoopback: true),
                storage: storage, transport: transport)
            let deeplinking = Deeplinking(
                urlSchemes: ["shop"], domains: ["go.example.com"], resolver: client, creator: client, recorder: client,
                openingTimeLimit: .seconds(60))
            try deeplinking.map("products/:product_id") { _ in }
            return (client, deeplinking)
        }

        /// The key that ships with an app.
        private static func key(_ server: RunningServer) throws -> String {
            let body = #"{"name": "app", "app": "shop", "scopes": ["resolve", "create"]}"#
            return try #require(try server.exchange(.api("POST", "/keys", body)).json["key"]?.string)
        }

        @Test func generatesResolvesRedeemsAndExhausts() async throws {
            let server = try Installation().start()
            let key = try Self.key(server)
            let ana = try Self.app(server, MemoryStorage(), key: key, LossyTransport())
            let smartlink = try await ana.deeplinking.generateSmartlink(
                for: Deeplink(
                    route: "products/:product_id", routeParameters: ["product_id": 42],
                    queryParameters: ["referrer": "ana"], metadata: ["coupon": "20"], redeemLimit: 1))
            #expect(smartlink.hasPrefix("https://go.example.com/"))

            let first = try await ana.client.resolve(.smartlink(smartlink), redeem: false)
            #expect(first.deeplink == "shop://products/42?referrer=ana")
            #expect(first.redeem.status == "skipped")

            let ben = try Self.app(server, MemoryStorage(), key: key, LossyTransport())
            guard case .opened(let deeplink) = await ben.deeplinking.open(smartlink: smartlink) else {
                Issue.record("the link did not open")
                return
            }
            #expect(deeplink.route == "products/:product_id")
            #expect(deeplink.routeParameters == ["product_id": "42"])
            #expect(deeplink.queryParameters["referrer"] == "ana")
            #expect(deeplink.metadata?["coupon"]?.string == "20")

            let cleo = try Self.app(server, MemoryStorage(), key: key, LossyTransport())
            let late = await cleo.deeplinking.open(smartlink: smartlink)
            #expect(late.deeplink?.routeParameters == ["product_id": "42"])
            #expect(late.deeplink?.metadata == nil)
            let answer = try await cleo.client.resolve(.smartlink(smartlink))
            #expect(answer.redeem == RedeemCount(limit: 1, used: 1, status: "exhausted"))
        }

        @Test func takesOneRedeemThoughTheServerIsKilledBeforeTheAnswerArrives() async throws {
            let installation = try Installation()
            let first = try installation.start()
            let key = try Self.key(first)
            #expect(try first.exchange(.create(Shop.gift())).status == 201)
            let (storage, transport) = (MemoryStorage(), LossyTransport())
            transport.loseAnswers(true)
            let app = try Self.app(first, storage, key: key, transport)
            await #expect(throws: WaymarkClientError.timedOut) {
                try await app.client.resolve(.smartlink("https://go.example.com/gift"))
            }
            try first.crash()

            let second = try installation.start()
            transport.loseAnswers(false)
            let again = try Self.app(second, storage, key: key, transport)
            let answer = try await again.client.resolve(.smartlink("https://go.example.com/gift"))
            #expect(answer.redeem == RedeemCount(limit: 1, used: 1, status: "redeemed"))
            #expect(answer.metadata != nil)
        }

        @Test func deliversEveryEventOnceThoughTheServerIsKilledInTheMiddle() async throws {
            let installation = try Installation()
            let first = try installation.start()
            let key = try Self.key(first)
            #expect(try first.exchange(.create(Shop.gift(redeemLimit: 0))).status == 201)
            let (storage, transport) = (MemoryStorage(), LossyTransport())
            let app = try Self.app(first, storage, key: key, transport)
            func open(_ deeplinking: Deeplinking, _ count: Int) async {
                for _ in 0..<count {
                    guard case .opened = await deeplinking.open(smartlink: "https://go.example.com/gift") else {
                        Issue.record("the link did not open")
                        return
                    }
                }
            }
            await open(app.deeplinking, 3)
            try await app.client.flushEvents()
            // Two that arrive, while the app hears nothing of it; one more after the server is gone.
            await open(app.deeplinking, 2)
            transport.loseAnswers(true)
            await #expect(throws: WaymarkClientError.timedOut) { try await app.client.flushEvents() }
            try first.crash()
            app.client.recordInstallation()
            await #expect(throws: WaymarkClientError.self) { try await app.client.flushEvents() }
            #expect(app.client.eventCounts.waiting == 3)

            let second = try installation.start()
            transport.loseAnswers(false)
            let again = try Self.app(second, storage, key: key, transport)
            #expect(again.client.eventCounts.waiting == 3)
            try await again.client.flushEvents()
            #expect(again.client.eventCounts.waiting == 0)
            #expect(
                transport.eventAnswers == [
                    EventsResponse(counted: 3, unattributed: 0, duplicates: 0),
                    EventsResponse(counted: 2, unattributed: 0, duplicates: 0),
                    EventsResponse(counted: 0, unattributed: 1, duplicates: 2),
                ])
        }
    }
}
