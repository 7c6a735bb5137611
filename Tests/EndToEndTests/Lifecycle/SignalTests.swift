import Foundation
import Testing
import WaymarkJSON

#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

extension EndToEnd {
    /// The end in order: SIGTERM and SIGINT.
    @Suite struct SignalTests {
        private static let endings: [(signal: Int32, eventLoop: String)] = EventLoops.all.flatMap {
            [(SIGTERM, $0), (SIGINT, $0)]
        }

        @Test(arguments: endings)
        func aRequestInFlightIsFinishedAndNewConnectionsAreRefused(
            ending: (signal: Int32, eventLoop: String)
        ) throws {
            let server = try Installation().start(["--event-loop", ending.eventLoop])
            let idle = try server.connect()
            #expect(try idle.exchange(.get("/healthz")).status == 200)

            // The interim answer shows that the server waits for the body of this request.
            var request = Request.create(Shop.gift())
            request.fields.append(("Expect", "100-continue"))
            let body = try #require(request.body)
            let busy = try server.connect()
            try busy.send(request.head)
            #expect(try busy.receive().status == 100)
            try busy.send(Array(body.prefix(20)))

            server.program.send(signal: ending.signal)
            try eventually(
                "new connections are refused",
                holds: {
                    do throws(Connection.Failure) {
                        _ = try Connection(port: server.port)
                        return false
                    } catch {
                        return error == .refused
                    }
                })
            #expect(try idle.isClosed(), "an idle connection keeps the server from ending")

            try busy.send(Array(body.dropFirst(20)))
            let answer = try busy.receive()
            #expect(answer.status == 201, "\(answer)")
            #expect(answer["Connection"] == "close")
            #expect(try busy.isClosed())
            #expect(try server.program.wait() == .exit(0))
        }

        @Test func manyAnswersUnderWayAreAllGiven() throws {
            let installation = try Installation()
            let server = try installation.start()
            // Each connection has been answered once, so the server knows it; then all of them write at once.
            let connections = try (0..<50).map { _ in try server.connect() }
            for connection in connections { #expect(try connection.exchange(.get("/healthz")).status == 200) }
            let halves = (0..<50).map { Request.create(Shop.gift(slug: "gift-\($0)")) }
            for (connection, request) in zip(connections, halves) {
                var expecting = request
                expecting.fields.append(("Expect", "100-continue"))
                try connection.send(expecting.head)
                #expect(try connection.receive().status == 100)
            }
            server.program.send(signal: SIGTERM)
            for (connection, request) in zip(connections, halves) { try connection.send(request.body ?? []) }
            let answers = try connections.map { try $0.receive() }
            #expect(answers.allSatisfy { $0.status == 201 })
            #expect(try server.program.wait() == .exit(0))

            let next = try installation.start().connect()
            for number in 0..<50 {
                #expect(try next.exchange(.api("GET", "/links/go.example.com/gift-\(number)")).status == 200)
            }
        }

        @Test func aSecondSignalWhileDrainingDoesNoHarm() throws {
            let server = try Installation().start()
            var request = Request.create(Shop.gift())
            request.fields.append(("Expect", "100-continue"))
            let busy = try server.connect()
            try busy.send(request.head)
            #expect(try busy.receive().status == 100)
            server.program.send(signal: SIGTERM)
            server.program.send(signal: SIGHUP)
            try busy.send(request.body ?? [])
            #expect(try busy.receive().status == 201)
            #expect(try server.program.wait() == .exit(0))
        }

        /// A server with one request in the middle of its body.
        private func busyServer(
            _ eventLoop: String, limits: JSONObject = JSONObject()
        ) throws -> (server: RunningServer, busy: Connection) {
            let installation = try Installation(configuration: ["limits": JSONValue(limits)])
            let server = try installation.start(["--event-loop", eventLoop])
            var request = Request.create(Shop.gift())
            request.fields.append(("Expect", "100-continue"))
            let busy = try server.connect()
            try busy.send(request.head)
            #expect(try busy.receive().status == 100)
            return (server, busy)
        }

        @Test(arguments: endings)
        func aSecondSignalStopsAtOnce(ending: (signal: Int32, eventLoop: String)) throws {
            let (server, busy) = try busyServer(
                ending.eventLoop,
                limits: ["shutdownGraceSeconds": 3_600, "bodyIdleSeconds": 3_600, "bodySeconds": 3_600])
            server.program.send(signal: ending.signal)
            try eventually(
                "it drains",
                holds: {
                    do throws(Connection.Failure) {
                        _ = try Connection(port: server.port)
                        return false
                    } catch {
                        return error == .refused
                    }
                })
            #expect(server.program.isRunning)
            server.program.send(signal: ending.signal)
            #expect(try server.program.wait() == .exit(1))
            #expect(try busy.isClosed())
            let last = try #require(server.program.errorLines.last)
            #expect(last == "waymark: stopped at once: 1 connection was cut off")
        }

        @Test(arguments: EventLoops.all)
        func theGraceIsAsLongAsItIsSetToBe(eventLoop: String) throws {
            let (server, busy) = try busyServer(
                eventLoop,
                limits: [
                    "shutdownGraceSeconds": JSONValue(0.2) ?? 1, "bodyIdleSeconds": 3_600, "bodySeconds": 3_600,
                ])
            server.program.send(signal: SIGTERM)
            // By default it would be granted 15 seconds.
            #expect(try server.program.wait(atMost: 12) == .exit(0))
            #expect(try busy.isClosed())
        }
    }
}
