import Testing
import WaymarkServer
import WaymarkSockets

/// What a server holds out against.
@Suite struct LoadTests {
    @Test(arguments: EventLoopKind.allCases)
    func sendsLargeAnswersToSlowReadersWhole(kind: EventLoopKind) async throws {
        try await withServer(kind, limits: ServerLimits().patient) { server, address, board in
            let client = try RawClient(address, receiveBuffer: 8_192)
            await client.send("GET /large HTTP/1.1\r\nHost: a\r\n\r\nGET /later HTTP/1.1\r\nHost: a\r\n\r\n")
            let response = try await client.readResponse()
            #expect(response.body.count == 8 << 20)
            #expect(response.body == [UInt8](repeating: UInt8(ascii: "x"), count: 8 << 20))
            #expect(try await client.readResponse().text == "/later")
        }
    }

    @Test(arguments: EventLoopKind.allCases)
    func readsNoFurtherRequestsFromAClientThatTakesNoAnswers(kind: EventLoopKind) async throws {
        try await withServer(kind, limits: ServerLimits().patient) { server, address, board in
            let client = try RawClient(address, receiveBuffer: 4_096)
            let request = Array("GET /burst HTTP/1.1\r\nHost: a\r\n\r\n".utf8)
            let batch = Array(repeatElement(request, count: 1_000).joined())
            // The sockets' own buffers take some megabytes; a server that went on reading would take all of this.
            var accepted = 0
            while accepted < 64 << 20 {
                let count = await client.sendWithoutWaiting(batch)
                if count == 0, await !client.becomesWritable() { break }
                accepted += count
            }
            #expect(accepted < 64 << 20)
            // And the answers are no more than what the kernel holds and one turn's worth.
            #expect(board.callCount < 5_000)
        }
    }

    @Test(arguments: EventLoopKind.allCases)
    func readsOnlyABoundedAmountAheadOfARunningRequest(kind: EventLoopKind) async throws {
        try await withServer(kind, limits: ServerLimits().patient) { server, address, board in
            let client = try RawClient(address)
            await client.send("GET /gated HTTP/1.1\r\nHost: a\r\n\r\n")
            await board.arrived.wait()
            let filler = Array(repeatElement(Array("GET /a HTTP/1.1\r\nHost: a\r\n\r\n".utf8), count: 4_000).joined())
            var sent = 0
            while true {
                let count = await client.sendWithoutWaiting(Array(filler[(sent % filler.count)...]))
                if count == 0, await !client.becomesWritable() { break }
                sent += count
            }
            #expect(server.statistics.bytesReceived <= 65_536 + 64)
            await board.gate.open()
            #expect(try await client.readResponse().text == "/gated")
            #expect(try await client.readResponse().text == "/a")
        }
    }

    @Test(arguments: EventLoopKind.allCases)
    func servesManyConnectionsOnSeveralLoops(kind: EventLoopKind) async throws {
        try await withServer(kind, threads: 3) { server, address, board in
            try await withThrowingTaskGroup { group in
                for number in 0..<40 {
                    group.addTask {
                        for round in 0..<5 {
                            let client = try RawClient(address)
                            let path = round % 2 == 0 ? "/later/\(number)" : "/now/\(number)"
                            await client.send(String(repeating: "GET \(path) HTTP/1.1\r\nHost: a\r\n\r\n", count: 3))
                            for _ in 0..<3 { #expect(try await client.readResponse().text == path) }
                        }
                    }
                }
                try await group.waitForAll()
            }
            #expect(server.statistics.connectionsAccepted == 200)
            #expect(server.statistics.responses == [0, 600, 0, 0, 0])
        }
    }
}
