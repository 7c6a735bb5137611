import Testing
import WaymarkHTTP
import WaymarkServer
import WaymarkSockets

/// What happens when there is no room: clients are told so, and those who have a place notice nothing.
@Suite struct OverloadTests {
    private static func limits(_ change: (inout ServerLimits) -> Void) -> ServerLimits {
        var limits = ServerLimits()
        limits.exemptsLoopback = false
        // Whoever has a place keeps it, however slow the machine is.
        limits = limits.patient
        change(&limits)
        return limits
    }

    private static func expectTurnedAway(_ client: RawClient) async throws {
        let answer = try await client.readResponse()
        #expect(answer.status == 503)
        #expect(answer.value("Retry-After") == "5")
        #expect(answer.value("Connection") == "close")
        #expect(answer.value("Date")?.hasSuffix(" GMT") == true)
        #expect(!answer.body.isEmpty)
        #expect(await client.readToEnd() == "")
        #expect(await client.isAtEnd)
    }

    @Test(arguments: EventLoopKind.allCases)
    func tellsConnectionsBeyondTheLimitThatTheServerIsFull(kind: EventLoopKind) async throws {
        try await withServer(kind, threads: 2, limits: Self.limits { $0.connections = 2 }) { server, address, board in
            var clients: [RawClient] = []
            for _ in 0..<2 {
                let client = try RawClient(address)
                await client.send("GET /a HTTP/1.1\r\nHost: a\r\n\r\n")
                #expect(try await client.readResponse().text == "/a")
                clients.append(client)
            }
            // One that waits for the server to speak, one whose request is on its way when it is refused.
            let silent = try RawClient(address)
            try await Self.expectTurnedAway(silent)
            let eager = try RawClient(address)
            await eager.send("POST /body HTTP/1.1\r\nHost: a\r\nContent-Length: 60000\r\n\r\n")
            await eager.send([UInt8](repeating: UInt8(ascii: "x"), count: 60_000))
            try await Self.expectTurnedAway(eager)
            #expect(server.statistics.connectionsRefused == 2)
            #expect(server.statistics.connectionsRefusedByAddress == 0)
            #expect(server.statistics.connectionsOpen == 2)
            #expect(board.callCount == 2)
            for client in clients {
                await client.send("GET /b HTTP/1.1\r\nHost: a\r\n\r\n")
                #expect(try await client.readResponse().text == "/b")
            }
        }
    }

    @Test(arguments: EventLoopKind.allCases)
    func endsConnectionsThatWereTurnedAwayAndDoNotLeave(kind: EventLoopKind) async throws {
        let limits = Self.limits {
            $0.connections = 1
            $0.lingerIdle = .milliseconds(50)
        }
        try await withServer(kind, limits: limits) { server, address, board in
            let first = try RawClient(address)
            await first.send("GET /a HTTP/1.1\r\nHost: a\r\n\r\n")
            #expect(try await first.readResponse().text == "/a")
            let stubborn = try RawClient(address)
            try await Self.expectTurnedAway(stubborn)
            await stubborn.waitForReset()
        }
    }

    @Test(arguments: EventLoopKind.allCases)
    func givesEachAddressItsShare(kind: EventLoopKind) async throws {
        try await withServer(kind, threads: 2, limits: Self.limits { $0.connectionsPerAddress = 2 }) {
            server, address, board in
            var greedy: [RawClient] = []
            for _ in 0..<2 {
                let client = try RawClient(address, from: "127.0.0.2")
                await client.send("GET /a HTTP/1.1\r\nHost: a\r\n\r\n")
                #expect(try await client.readResponse().text == "/a")
                greedy.append(client)
            }
            try await Self.expectTurnedAway(RawClient(address, from: "127.0.0.2"))
            #expect(server.statistics.connectionsRefusedByAddress == 1)

            let other = try RawClient(address, from: "127.0.0.3")
            await other.send("GET /b HTTP/1.1\r\nHost: a\r\n\r\n")
            #expect(try await other.readResponse().text == "/b")

            // A place that was given back is there for the next.
            await greedy[0].send("GET /c HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n")
            #expect(await greedy[0].readToEnd().hasSuffix("/c"))
            let next = try RawClient(address, from: "127.0.0.2")
            await next.send("GET /d HTTP/1.1\r\nHost: a\r\n\r\n")
            #expect(try await next.readResponse().text == "/d")
        }
    }

    /// All of them come from one address, the proxy's.
    @Test(arguments: EventLoopKind.allCases)
    func givesEachClientOfAProxyItsShare(kind: EventLoopKind) async throws {
        try await withServer(
            kind, threads: 2, limits: Self.limits { $0.connectionsPerAddress = 2 },
            configure: {
                $0.listeners[0].expectsProxyHeader = true
                $0.trustedProxies = TrustedProxies(networks: [NetworkPrefix("127.0.0.1/32")].compactMap(\.self))
            }
        ) { server, address, board in
            func connect(_ client: String) async throws -> RawClient {
                let connection = try RawClient(address)
                await connection.send("PROXY TCP4 \(client) 10.0.0.1 40000 80\r\nGET /a HTTP/1.1\r\nHost: a\r\n\r\n")
                return connection
            }
            var held: [RawClient] = []
            for client in ["192.0.2.1", "192.0.2.1", "192.0.2.2", "192.0.2.2", "192.0.2.3"] {
                held.append(try await connect(client))
                #expect(try await held[held.count - 1].readResponse().text == "/a")
            }
            try await Self.expectTurnedAway(connect("192.0.2.1"))
            #expect(server.statistics.connectionsRefusedByAddress == 1)

            await held[0].send("GET /b HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n")
            #expect(await held[0].readToEnd().hasSuffix("/b"))
            #expect(try await connect("192.0.2.1").readResponse().text == "/a")
            try await Self.expectTurnedAway(connect("192.0.2.2"))
        }
    }

    @Test(arguments: EventLoopKind.allCases)
    func grantsLoopbackAndOperatorsAnyNumber(kind: EventLoopKind) async throws {
        let limits = Self.limits {
            $0.connections = 3
            $0.connectionsPerAddress = 1
            $0.exemptsLoopback = true
        }
        try await withServer(
            kind, limits: limits,
            configure: { $0.listeners.append(.init(HostAndPort(host: "127.0.0.1", port: 0), role: .admin)) }
        ) { server, address, board in
            var clients: [RawClient] = []
            for _ in 0..<3 {
                let client = try RawClient(address)
                await client.send("GET /a HTTP/1.1\r\nHost: a\r\n\r\n")
                #expect(try await client.readResponse().text == "/a")
                clients.append(client)
            }
            try await Self.expectTurnedAway(RawClient(address))
            // Where everybody else's places are taken, operators still look what is going on.
            for _ in 0..<3 {
                let client = try RawClient(server.listeners[1].address)
                await client.send("GET /b HTTP/1.1\r\nHost: a\r\n\r\n")
                #expect(try await client.readResponse().text == "/b")
                clients.append(client)
            }
        }
    }

    @Test(arguments: EventLoopKind.allCases)
    func closesAConnectionThatHasBeenIdleForANewcomer(kind: EventLoopKind) async throws {
        let limits = Self.limits {
            $0.connections = 3
            $0.keepAliveIdle = .seconds(600)
            $0.keepAliveIdleWhenCrowded = .zero
        }
        try await withServer(kind, limits: limits) { server, address, board in
            let within = try RawClient(address)
            await within.send("GET /gated HTTP/1.1\r\nHost: a\r\n\r\n")
            await board.arrived.wait()
            let new = try RawClient(address)
            let idle = try RawClient(address)
            await idle.send("GET /a HTTP/1.1\r\nHost: a\r\n\r\n")
            #expect(try await idle.readResponse().text == "/a")

            let newcomer = try RawClient(address)
            await newcomer.send("GET /b HTTP/1.1\r\nHost: a\r\n\r\n")
            #expect(try await newcomer.readResponse().text == "/b")
            #expect(await idle.readToEnd() == "")
            #expect(server.statistics.connectionsEvicted == 1)
            #expect(server.statistics.connectionsRefused == 0)

            // Neither one in the middle of a request nor one that has not asked yet had to go.
            await new.send("GET /c HTTP/1.1\r\nHost: a\r\n\r\n")
            #expect(try await new.readResponse().text == "/c")
            await board.gate.open()
            #expect(try await within.readResponse().text == "/gated")
        }
    }

    @Test(arguments: EventLoopKind.allCases)
    func shedsRequestsThatWouldWaitWhileTheFastLaneGoesOn(kind: EventLoopKind) async throws {
        try await withServer(kind, threads: 2, limits: Self.limits { $0.waitingRequests = 3 }) {
            server, address, board in
            var waiting: [RawClient] = []
            for _ in 0..<3 {
                let client = try RawClient(address)
                await client.send("GET /gated HTTP/1.1\r\nHost: a\r\n\r\n")
                waiting.append(client)
            }
            try await eventually { await server.connectionStates().answering == 3 }

            let client = try RawClient(address)
            await client.send("GET /later/x HTTP/1.1\r\nHost: a\r\n\r\nGET /fast HTTP/1.1\r\nHost: a\r\n\r\n")
            let shed = try await client.readResponse()
            #expect(shed.status == 503)
            #expect(shed.value("Retry-After") == "1")
            #expect(shed.value("Connection") == nil)
            #expect(try await client.readResponse().text == "/fast")
            // With a body: it is dropped, and the connection goes on; one that waits for leave is not given it.
            await client.send(
                "POST /body HTTP/1.1\r\nHost: a\r\nContent-Length: 3\r\n\r\nabcGET /fast HTTP/1.1\r\nHost: a\r\n\r\n")
            #expect(try await client.readResponse().status == 503)
            #expect(try await client.readResponse().text == "/fast")
            await client.send("POST /body HTTP/1.1\r\nHost: a\r\nContent-Length: 3\r\nExpect: 100-continue\r\n\r\n")
            #expect(try await client.readResponse().status == 503)
            #expect(board.bodyCount == 0)
            #expect(server.statistics.requestsShed == 3)

            await board.gate.open()
            for client in waiting { #expect(try await client.readResponse().text == "/gated") }
            let after = try RawClient(address)
            await after.send("GET /later/y HTTP/1.1\r\nHost: a\r\n\r\n")
            #expect(try await after.readResponse().text == "/later/y")
        }
    }

    @Test(arguments: EventLoopKind.allCases)
    func countsWorkUntilItEndsAlsoWhereItsClientHasGone(kind: EventLoopKind) async throws {
        try await withServer(kind, limits: Self.limits { $0.waitingRequests = 1 }) { server, address, board in
            func comeAndVanish() async throws {
                let client = try RawClient(address)
                await client.send("GET /gated HTTP/1.1\r\nHost: a\r\n\r\n")
                await board.arrived.wait()
                await client.resetWhenClosed()
            }
            try await comeAndVanish()
            try await eventually { server.statistics.connectionsOpen == 0 }
            let client = try RawClient(address)
            await client.send("GET /later/x HTTP/1.1\r\nHost: a\r\n\r\n")
            #expect(try await client.readResponse().status == 503)
            await board.gate.open()
            try await eventually {
                await client.send("GET /later/x HTTP/1.1\r\nHost: a\r\n\r\n")
                return try await client.readResponse().status == 200
            }
        }
    }

    @Test(arguments: EventLoopKind.allCases)
    func boundsTheMemoryOfAllBodiesTogether(kind: EventLoopKind) async throws {
        try await withServer(kind, threads: 2, limits: Self.limits { $0.bodyMemory = 2_000 }) {
            server, address, board in
            let body = [UInt8](repeating: UInt8(ascii: "x"), count: 999)
            var holders: [RawClient] = []
            for _ in 0..<2 {
                let client = try RawClient(address)
                await client.send("POST /body HTTP/1.1\r\nHost: a\r\nContent-Length: 1000\r\n\r\n")
                await client.send(body)
                holders.append(client)
            }
            try await eventually { await server.connectionStates().heldBytes >= 1_998 }
            let third = try RawClient(address)
            await third.send("POST /body HTTP/1.1\r\nHost: a\r\nContent-Length: 10\r\n\r\n0123456789")
            let shed = try await third.readResponse()
            #expect(shed.status == 503)
            #expect(shed.value("Retry-After") == "1")

            for client in holders {
                await client.send("y")
                #expect(try await client.readResponse().body.count == 1_000)
            }
            let fourth = try RawClient(address)
            await fourth.send("POST /body HTTP/1.1\r\nHost: a\r\nContent-Length: 1000\r\n\r\n")
            await fourth.send(body + [0x79])
            #expect(try await fourth.readResponse().status == 200)
        }
    }

    @Test(arguments: EventLoopKind.allCases)
    func letsAnOperatorLowerWhatAnyBodyMayHave(kind: EventLoopKind) async throws {
        try await withServer(kind, limits: Self.limits { $0.body = 100 }) { server, address, board in
            for (size, status) in [(100, 200), (101, 413)] {
                let client = try RawClient(address)
                await client.send("POST /body HTTP/1.1\r\nHost: a\r\nContent-Length: \(size)\r\n\r\n")
                await client.send([UInt8](repeating: 0, count: size))
                #expect(try await client.readResponse().status == status)
            }
        }
    }

    @Test(arguments: EventLoopKind.allCases, ["1;a=b", "00001"])
    func boundsThePaddingOfChunks(kind: EventLoopKind, size: String) async throws {
        try await withServer(kind, limits: Self.limits { $0.chunkOverhead = 40 }) { server, address, board in
            for (chunks, status) in [(10, 200), (11, 400)] {
                let client = try RawClient(address)
                await client.send("POST /body HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n")
                await client.send(String(repeating: "\(size)\r\nx\r\n", count: chunks) + "0\r\n\r\n")
                #expect(try await client.readResponse().status == status, "\(chunks) chunks")
            }
        }
    }

    @Test(arguments: EventLoopKind.allCases)
    func goesOnWithOtherLimits(kind: EventLoopKind) async throws {
        try await withServer(kind, threads: 2) { server, address, board in
            let before = try RawClient(address)
            await before.send("GET /a HTTP/1.1\r\nHost: a\r\n\r\n")
            #expect(try await before.readResponse().text == "/a")

            var limits = ServerLimits()
            limits.head.section = 200_000
            limits.head.field = 150_000
            limits.head.fieldCount = 500
            limits.connections = 2
            server.use(limits)
            _ = await server.connectionStates()
            // A connection from now on may send larger heads than the buffers were made for.
            let after = try RawClient(address)
            let fields = (0..<400).map { "X-\($0): y\r\n" }.joined()
            await after.send(
                "GET /b HTTP/1.1\r\nHost: a\r\n\(fields)X: \(String(repeating: "z", count: 140_000))\r\n\r\n")
            #expect(try await after.readResponse().text == "/b")
            // One that was there before keeps the sizes that it was accepted with.
            await before.send("GET /b HTTP/1.1\r\nHost: a\r\n\(fields)\r\n")
            #expect(try await before.readResponse().status == 431)
            #expect(await before.readToEnd() == "")
            await after.send("GET /c HTTP/1.1\r\nHost: a\r\n\r\n")
            #expect(try await after.readResponse().text == "/c")

            limits.connections = 1
            server.use(limits)
            _ = await server.connectionStates()
            try await Self.expectTurnedAway(RawClient(address))
        }
    }
}

/// Asks until it holds; what a test waits for this way happens by itself, and the limit only ends a broken server.
func eventually(_ holds: () async throws -> Bool) async throws {
    for _ in 0..<20_000 {
        if try await holds() { return }
        await Task.yield()
        try await Task.sleep(for: .milliseconds(1))
    }
    Issue.record("it did not come about")
}
