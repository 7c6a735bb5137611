import Foundation
import Synchronization
import Testing
import WaymarkJSON

#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

extension EndToEnd {
    /// Stopping and reloading while clients ask as fast as they can: what the server has done, somebody was told.
    @Suite struct UnderLoadTests {
        private static let clients = 12

        /// What the clients of one run were told.
        private final class Tally: Sendable {
            let isOver = Atomic<Bool>(false)
            let redirects = Atomic<Int>(0)
            let creations = Atomic<Int>(0)
            let unexpected = Mutex<[String]>([])
            private let cutOff = Atomic<Int>(0)

            /// Connections that ended between two answers.
            var ends: Int { cutOff.load(ordering: .relaxed) }

            /// Asks until it is over or the server closes.
            func ask(_ connection: Connection, client: Int) {
                var number = 0
                while !isOver.load(ordering: .relaxed) {
                    number += 1
                    // Every fourth client writes, the others visit; both are counted in the store.
                    let creates = client % 4 == 0
                    let request: Request =
                        creates
                        ? .create(#"{"slug": "c\#(client)-\#(number)", "urls": {"web": "https://shop.example.com/"}}"#)
                        : .get("/gift", userAgent: Browser.desktop)
                    do {
                        let answer = try connection.exchange(request)
                        switch (creates, answer.status) {
                        case (true, 201): creations.add(1, ordering: .relaxed)
                        case (false, 302): redirects.add(1, ordering: .relaxed)
                        default: unexpected.withLock { $0.append("\(answer)") }
                        }
                        if answer["Connection"] == "close" { return }
                    } catch Connection.Failure.closed {
                        cutOff.add(1, ordering: .relaxed)
                        return
                    } catch {
                        return unexpected.withLock { $0.append("\(error)") }
                    }
                }
            }
        }

        /// Runs `body` while the clients ask; returns when the last of them has ended.
        private func underLoad(_ server: RunningServer, _ body: (Tally) throws -> Void) async throws -> Tally {
            let tally = Tally()
            let connections = try (0..<Self.clients).map { _ in try server.connect() }
            // Every client's connection is in use when the body begins.
            for connection in connections { #expect(try connection.exchange(.get("/healthz")).status == 200) }
            try await withThrowingTaskGroup { group in
                for (client, connection) in connections.enumerated() {
                    nonisolated(unsafe) let connection = connection
                    group.addTask { tally.ask(connection, client: client) }
                }
                try eventually("the load is on", within: 60, holds: { tally.redirects.load(ordering: .relaxed) > 500 })
                try body(tally)
                tally.isOver.store(true, ordering: .relaxed)
                try await group.waitForAll()
            }
            return tally
        }

        /// The store holds exactly what clients were told: nothing was done for a request that nobody has an answer to.
        private func expectStored(_ tally: Tally, by server: RunningServer) throws {
            #expect(tally.unexpected.withLock { $0 } == [])
            let client = try server.connect()
            let redirects = tally.redirects.load(ordering: .relaxed)
            try eventually("\(redirects) clicks are counted") {
                try client.exchange(.api("GET", "/links/go.example.com/gift")).json["clicks"] == JSONValue(redirects)
                    ? () : nil
            }
            var created = -1
            var cursor: String?
            repeat {
                let location = cursor.map { "&cursor=\($0)" } ?? ""
                let page = try client.exchange(.api("GET", "/links?limit=200\(location)")).json
                created += page["links"]?.array?.count ?? 0
                cursor = page["cursor"]?.string
            } while cursor != nil
            #expect(created == tally.creations.load(ordering: .relaxed))
        }

        @Test(arguments: EventLoops.all)
        func aStopLosesNoRequestThatWasAccepted(eventLoop: String) async throws {
            let installation = try Installation()
            let server = try installation.start(["--event-loop", eventLoop])
            #expect(try server.exchange(.create(Shop.gift())).status == 201)
            let tally = try await underLoad(server) { _ in
                server.program.send(signal: SIGTERM)
                let end = try server.program.wait()
                #expect(end == .exit(0))
            }
            try expectStored(tally, by: installation.start())
        }

        @Test(arguments: EventLoops.all)
        func reloadsDropNoConnectionAndNoRequest(eventLoop: String) async throws {
            let installation = try Installation()
            let server = try installation.start(["--event-loop", eventLoop])
            #expect(try server.exchange(.create(Shop.gift())).status == 201)
            func reloads() -> Int { server.program.errorLines.count { $0.contains("configuration read again") } }
            let tally = try await underLoad(server) { _ in
                for round in 1...5 {
                    let path = round % 2 == 0 ? "products" : "p"
                    try installation.write(
                        applications: Shop.applications.replacing(
                            "\"https://shop.example.com/products/:product_id\"",
                            with: "\"https://shop.example.com/\(path)/:product_id\""))
                    server.program.send(signal: SIGHUP)
                    try eventually("reload \(round) is done", within: 60, holds: { reloads() == round })
                }
            }
            #expect(tally.ends == 0, "a reload has closed connections")
            try expectStored(tally, by: server)
            #expect(try server.stop() == .exit(0))
        }
    }
}
