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
    }
}
