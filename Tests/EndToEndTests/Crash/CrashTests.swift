#if PostgreSQL
    import Foundation
    import WaymarkTestSupport
    import Synchronization
    import Testing
    import WaymarkJSON

    extension EndToEnd {
        /// Two servers on one database, clients that never stop, and somebody who kills servers, database and the receiver of
        /// webhooks at random. What the clients and the receiver were told is held against what is there:
        /// `Scripts/crash-test` does it for longer.
        @Suite(.enabled(if: PostgresServer.isInstalled, "PostgreSQL's server programs are not installed"))
        struct CrashTests {
            @Test func `acknowledged writes survive every crash`() throws {
                let environment = ProcessInfo.processInfo.environment
                let seconds = environment["WAYMARK_CRASH_SECONDS"].flatMap { Double($0) } ?? 8
                let seed = environment["WAYMARK_CRASH_SEED"].flatMap { UInt64($0) } ?? .random(in: 0 ... .max)
                let receiver = try Receiver()
                let fleet = try Fleet(configuration: ["webhooks": ["allowedNetworks": ["127.0.0.0/8"]]])
                try receiver.subscribe(on: fleet)
                let board = LoggingClient.Board()
                let clients = (0..<8).map { LoggingClient($0, fleet: fleet, board: board, seed: seed) }
                let isOver = Mutex(false)
                let helpers =
                    clients.map { client in
                        let client = Handed(client)
                        return RunningThread { client.value.work { isOver.withLock { $0 } } }
                    } + [RunningThread { fleet.watchStalls { isOver.withLock { $0 } } }]

                let end = fleet.now + seconds
                var random = SplitMix(state: seed)
                var kills = 0
                var failure: (any Error)?
                do {
                    while fleet.now < end || kills < 2 {
                        Thread.sleep(forTimeInterval: 0.3 + Double(random.below(1_200)) / 1_000)
                        try strike(fleet, receiver, &random)
                        kills += 1
                    }
                } catch {
                    failure = error
                }
                isOver.withLock { $0 = true }
                for helper in helpers { helper.join() }
                if let failure { throw failure }

                var history = History(outages: fleet.outages)
                let links = board.links.withLock { $0 }
                history.limits = links.limits
                for client in clients { history.events += client.events }
                history.events += try verdicts(fleet, links, history)
                let told = try receiver.everything(from: fleet)
                let violations =
                    HistoryChecker().violations(in: history) + HistoryChecker().violations(in: history, told: told)
                #expect(violations.isEmpty, "seed \(seed):\n\(violations.prefix(20).joined(separator: "\n"))")
                let summary = Self.summary(of: history, kills: kills, seconds: seconds)
                #expect(summary.acknowledged > 0 && summary.redeems > 0 && summary.looks > 0, "\(summary)")
                print("crash test, seed \(seed): \(summary), \(told.messages.count) messages")
            }

            /// One thing goes wrong, or two at once.
            private func strike(_ fleet: Fleet, _ receiver: Receiver, _ random: inout SplitMix) throws {
                let pause = Double(random.below(800)) / 1_000
                let victim = random.below(fleet.count)
                switch random.below(5) {
                case 0, 1:
                    try fleet.killServer(victim)
                    Thread.sleep(forTimeInterval: pause)
                    try fleet.startServer(victim)
                case 2: try fleet.bounceDatabase { Thread.sleep(forTimeInterval: pause) }
                case 3: receiver.fail { Thread.sleep(forTimeInterval: pause) }
                default:
                    // A server that starts while there is no database.
                    try fleet.killServer(victim)
                    try fleet.startServer(victim) {
                        try fleet.bounceDatabase { Thread.sleep(forTimeInterval: pause) }
                    }
                }
            }

            /// What both servers say when everything is calm.
            private func verdicts(
                _ fleet: Fleet, _ links: LoggingClient.Board.Links, _ history: History
            ) throws -> [History.Event] {
                try eventually("a calm database") {
                    for location in 0..<fleet.count {
                        guard let port = fleet.port(of: location),
                            try Connection(port: port).exchange(.get("/readyz")).status == 200
                        else { return false }
                    }
                    return true
                }
                var events: [History.Event] = []
                let redeemed = Set(
                    history.events.compactMap { event -> String? in
                        if case .redeem = event.action { event.link } else { nil }
                    })
                for location in 0..<fleet.count {
                    let judge = LoggingClient(location, fleet: fleet, board: LoggingClient.Board(), seed: 0)
                    for slug in links.written { judge.look(at: slug) }
                    for slug in redeemed { judge.total(of: slug) }
                    #expect(judge.events.count == links.written.count + redeemed.count)
                    events += judge.events
                }
                return events
            }

            private struct Summary: CustomStringConvertible {
                var seconds = 0.0
                var kills = 0
                var acknowledged = 0
                var unknown = 0
                var looks = 0
                var redeems = 0
                var clicks = 0

                var description: String {
                    """
                    \(seconds) s, \(kills) kills, \(acknowledged) changes acknowledged, \(unknown) unknown, \
                    \(looks) looks, \(redeems) redeems, \(clicks) limited clicks
                    """
                }
            }

            private static func summary(of history: History, kills: Int, seconds: Double) -> Summary {
                var summary = Summary(seconds: seconds, kills: kills)
                for event in history.events {
                    switch event.action {
                    case .write(_, .acknowledged), .delete(.acknowledged): summary.acknowledged += 1
                    case .write(_, .unknown), .delete(.unknown): summary.unknown += 1
                    case .visit, .read: summary.looks += 1
                    case .redeem(_, .taken): summary.redeems += 1
                    case .click(wasAdmitted: true): summary.clicks += 1
                    case .redeem, .click, .total: break
                    }
                }
                return summary
            }
        }
    }

    /// A receiver of webhooks that dies at times: it then has the message, and gives no answer.
    private final class Receiver: Sendable {
        private final class Outage: Sendable {
            let isOn = Mutex(false)
        }

        private let service: FakeService
        private let outage = Outage()

        init() throws {
            service = try FakeService { [outage] _, _ in outage.isOn.withLock { $0 } ? .text("") : .json("{}") }
        }

        func subscribe(on fleet: Fleet) throws {
            let answer = try call(fleet, "POST", "/webhooks", #"{"url": "\#(service.url)/hook", "events": ["link.*"]}"#)
            #expect(answer.status == 201, "\(answer.text)")
        }

        func fail(meanwhile: () -> Void) {
            outage.isOn.withLock { $0 = true }
            meanwhile()
            outage.isOn.withLock { $0 = false }
        }

        /// All messages, once none is left.
        func everything(from fleet: Fleet) throws -> ToldEvents {
            let webhook = try call(fleet, "GET", "/webhooks").json["webhooks"]?.array?.first?["id"]?.string ?? ""
            // The outbox is sent in its order: what was committed before is under way once this is told.
            let created = try call(
                fleet, "POST", "/links", #"{"slug": "last", "urls": {"web": "https://example.com/0"}}"#)
            #expect(created.status == 201, "\(created.text)")
            try eventually("the last message") { self.service.requests.contains { $0.contains(#""slug":"last""#) } }
            try eventually("no waiting delivery") {
                let waiting = try self.call(fleet, "GET", "/webhooks/\(webhook)/deliveries?state=waiting&limit=200")
                    .json
                let ids = (waiting["deliveries"]?.array ?? []).compactMap { $0["id"] }
                guard !ids.isEmpty else { return true }
                let body = JSONValue(["ids": JSONValue(ids)] as JSONObject)
                _ = try self.call(
                    fleet, "POST", "/webhooks/\(webhook)/deliveries:replay",
                    String(decoding: body.bytes(), as: UTF8.self))
                return false
            }
            return ToldEvents(requests: service.requests)
        }

        private func call(_ fleet: Fleet, _ method: String, _ path: String, _ body: String? = nil) throws -> Answer {
            guard let port = fleet.port(of: 0) else { throw Connection.Failure.refused }
            return try Connection(port: port).exchange(.api(method, path, body))
        }
    }

    /// A thread that can be waited for.
    private final class RunningThread: Sendable {
        private let end = DispatchSemaphore(value: 0)

        init(_ body: @escaping @Sendable () -> Void) {
            let thread = Thread { [end] in
                body()
                end.signal()
            }
            thread.stackSize = 1 << 20
            thread.start()
        }

        func join() { end.wait() }
    }

    /// A value that one thread hands to another and does not touch until that has ended; unchecked because the compiler
    /// can't see that.
    private struct Handed<Value>: @unchecked Sendable {
        let value: Value
        init(_ value: Value) { self.value = value }
    }
#endif
