import Glibc
import Testing
import WaymarkServer
import WaymarkSockets
import WaymarkTestSupport

/// Starting and stopping.
@Suite struct DrainTests {
    @Test(arguments: EventLoopKind.allCases)
    func finishesRequestsInFlightAndClosesIdleConnections(kind: EventLoopKind) async throws {
        try await withServer(kind, threads: 2) { server, address, board in
            let idle = try RawClient(address)
            await idle.send("GET /a HTTP/1.1\r\nHost: a\r\n\r\n")
            #expect(try await idle.readResponse().text == "/a")
            let busy = try RawClient(address)
            await busy.send("GET /gated HTTP/1.1\r\nHost: a\r\n\r\n")
            await board.arrived.wait()

            async let drained: Void = server.drain()
            #expect(await idle.readToEnd() == "")
            await board.gate.open()
            let response = try await busy.readResponse()
            #expect(response.text == "/gated")
            #expect(response.value("Connection") == "close")
            #expect(await busy.readToEnd() == "")
            await drained
            #expect(server.statistics.connectionsOpen == 0)
            #expect(throws: SocketFailure(code: ECONNREFUSED)) { try RawClient(address) }
        }
    }

    @Test(arguments: EventLoopKind.allCases)
    func cutsOffWhatDoesNotFinishInTime(kind: EventLoopKind) async throws {
        var limits = ServerLimits()
        limits.shutdownGrace = .milliseconds(100)
        try await withServer(kind, limits: limits) { server, address, board in
            let busy = try RawClient(address)
            await busy.send("GET /gated HTTP/1.1\r\nHost: a\r\n\r\n")
            await board.arrived.wait()
            await server.drain()
            #expect(await busy.readToEnd() == "")
            #expect(server.statistics.connectionsOpen == 0)
        }
    }

    @Test(arguments: EventLoopKind.allCases, [1, 3])
    func saysThatAPortIsInUse(kind: EventLoopKind, threads: Int) async throws {
        try await withServer(kind, threads: threads) { server, address, board in
            var second = ServerConfiguration(listeners: [.init(HostAndPort(host: "127.0.0.1", port: address.port))])
            second.threads = threads
            second.eventLoop = kind
            do throws(ServerError) {
                _ = try await Server.start(second) { TestHandler(board) }
                Issue.record("a second server joined the first")
            } catch {
                #expect(
                    error.description
                        == "cannot listen on 127.0.0.1:\(address.port): the address is already in use")
            }
        }
    }

    @Test(arguments: EventLoopKind.allCases)
    func tellsTheHandlerWhichListenerAndWhoAsks(kind: EventLoopKind) async throws {
        try await withServer(
            kind,
            configure: {
                $0.listeners.append(.init(HostAndPort(host: "127.0.0.1", port: 0), role: .admin))
            }
        ) { server, address, board in
            for listener in server.listeners {
                let client = try RawClient(listener.address)
                await client.send("GET /peer HTTP/1.1\r\nHost: a\r\n\r\n")
                #expect(try await client.readResponse().text == "127.0.0.1 \(listener.role)")
            }
            #expect(server.listeners.map(\.role) == [.public, .admin])
        }
    }
}
