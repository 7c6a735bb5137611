import Testing
import WaymarkServer
import WaymarkSockets

/// Connections hold memory only while they have something to keep.
@Suite struct HeldMemoryTests {
    @Test(arguments: EventLoopKind.allCases)
    func keepsNothingForIdleConnections(kind: EventLoopKind) async throws {
        try await withServer(kind, threads: 2, limits: ServerLimits().patient) { server, address, board in
            var clients: [RawClient] = []
            for number in 0..<20 {
                let client = try RawClient(address)
                await client.send("GET /\(number) HTTP/1.1\r\nHost: a\r\nX: \(String(repeating: "y", count: 2_000))")
                clients.append(client)
            }
            try await eventually { await server.connectionStates().readingHead == 20 }
            let reading = await server.connectionStates()
            // Arrays may take some more than they were asked for, but not several times as much.
            #expect(reading.heldBytes >= 20 * 2_000)
            #expect(reading.heldBytes <= 20 * 8_192)

            for (number, client) in clients.enumerated() {
                await client.send("\r\n\r\n")
                #expect(try await client.readResponse().text == "/\(number)")
            }
            var idle = ConnectionStateCounts()
            idle.idle = 20
            #expect(await server.connectionStates() == idle)
        }
    }

    @Test(arguments: EventLoopKind.allCases)
    func givesBackWhatABodyTook(kind: EventLoopKind) async throws {
        try await withServer(kind, limits: ServerLimits().patient) { server, address, board in
            let client = try RawClient(address)
            await client.send("POST /body HTTP/1.1\r\nHost: a\r\nContent-Length: 900\r\n\r\n")
            await client.send([UInt8](repeating: 1, count: 899))
            try await eventually { await server.connectionStates().heldBytes >= 899 }
            #expect(await server.connectionStates().readingBody == 1)
            await client.send([1])
            #expect(try await client.readResponse().status == 200)
            var idle = ConnectionStateCounts()
            idle.idle = 1
            #expect(await server.connectionStates() == idle)
        }
    }

    @Test(arguments: EventLoopKind.allCases)
    func holdsABoundedAmountForSlowReadersAndNothingAfterwards(kind: EventLoopKind) async throws {
        try await withServer(kind, limits: ServerLimits().patient) { server, address, board in
            let client = try RawClient(address, receiveBuffer: 65_536)
            // Small answers, so that what pends is copied from the loop's buffer and not shared with the handler.
            let request = "GET /\(String(repeating: "a", count: 1_000)) HTTP/1.1\r\nHost: a\r\n\r\n"
            let batch = Array(String(repeating: request, count: 64).utf8)
            var sent = 0
            while true {
                let count = await client.sendWithoutWaiting(Array(batch[(sent % batch.count)...]))
                sent += count
                // Both ways are full once the server waits for the client to read.
                if count == 0, await server.connectionStates().writing == 1 { break }
            }
            let connectionStates = await server.connectionStates()
            #expect(connectionStates.writing == 1)
            #expect(connectionStates.heldBytes > 0)
            // What one read brought, what was held over before it, and one turn's answers.
            #expect(connectionStates.heldBytes <= 4 * 65_536, "\(connectionStates.heldBytes)")

            // Nor does the kernel: by itself it would have taken four megabytes.
            #expect(server.statistics.bytesSent < 1 << 20, "\(server.statistics.bytesSent)")

            let requests = sent / request.utf8.count
            for _ in 0..<requests { #expect(try await client.readResponse().body.count == 1_001) }
            let rest = sent % request.utf8.count
            await client.send(Array(request.utf8.dropFirst(rest)))
            #expect(try await client.readResponse().body.count == 1_001)
            var idle = ConnectionStateCounts()
            idle.idle = 1
            #expect(await server.connectionStates() == idle)
        }
    }

    @Test(arguments: EventLoopKind.allCases)
    func `no connection is left after a drain`(kind: EventLoopKind) async throws {
        try await withServer(kind, threads: 2, limits: ServerLimits().patient) { server, address, board in
            await server.drain()
            #expect(await server.connectionStates() == ConnectionStateCounts())
            #expect(await server.closeAll() == 0)
        }
    }
}
