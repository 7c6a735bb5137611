import Glibc
import Testing
import WaymarkHTTP
import WaymarkServer
import WaymarkSockets

/// Files on their way to clients of all kinds, on both event loops.
@Suite struct FileSendingTests {
    private static let pattern = Array(String(repeating: "0123456789abcdef", count: 400_000).utf8)
    private let tree: ServedTree

    init() throws {
        tree = try ServedTree()
        tree.write("large.bin", Self.pattern)
        tree.write("small.txt", "small")
    }

    private func request(_ path: String, _ fields: String = "") -> String {
        "GET \(path) HTTP/1.1\r\nHost: a\r\n\(fields)\r\n"
    }

    /// Reads all that comes, and gives how much that was and its last bytes.
    private func drain(_ client: RawClient) async -> (count: Int, end: [UInt8]) {
        var count = 0
        var end: [UInt8] = []
        while await client.readMore() {
            let piece = await client.take(client.received.count)
            count += piece.count
            end = (end + piece).suffix(200)
        }
        return (count, end)
    }

    @Test(arguments: EventLoopKind.allCases)
    func sendsLargeFilesWholeToASlowReader(kind: EventLoopKind) async throws {
        try await withFiles(of: tree, kind) { server in
            let client = try RawClient(server.address, receiveBuffer: 32_768)
            await client.send(request("/_/large.bin", "Connection: close\r\n"))
            let (count, end) = await drain(client)
            #expect(count > 6_400_000)
            #expect(count < 6_401_000)
            #expect(end.suffix(16).elementsEqual("0123456789abcdef".utf8))
        }
    }

    @Test(arguments: EventLoopKind.allCases)
    func sendsPartsOfLargeFiles(kind: EventLoopKind) async throws {
        try await withFiles(of: tree, kind) { server in
            let client = try RawClient(server.address, receiveBuffer: 32_768)
            let ranges = [(5, 2_000_004), (3_000_000, 3_000_000), (4_400_001, 6_399_999)]
            for (first, last) in ranges {
                await client.send(request("/_/large.bin", "Range: bytes=\(first)-\(last)\r\n"))
                let response = try await client.readResponse()
                #expect(response.status == 206)
                #expect(response.body == Array(Self.pattern[first...last]))
            }
            let list = ranges.map { "\($0)-\($1)" }.joined(separator: ",")
            await client.send(request("/_/large.bin", "Range: bytes=\(list)\r\n"))
            let response = try await client.readResponse()
            #expect(response.status == 206)
            let boundary = try #require(response.value("Content-Type")?.split(separator: "=").last)
            var expected: [UInt8] = []
            for (first, last) in ranges {
                expected += Array(
                    "--\(boundary)\r\nContent-Type: application/octet-stream\r\nContent-Range: bytes \(first)-\(last)/6400000\r\n\r\n"
                        .utf8)
                expected += Self.pattern[first...last]
                expected += [0x0D, 0x0A]
            }
            #expect(response.body == expected + Array("--\(boundary)--\r\n".utf8))
        }
    }

    @Test(arguments: EventLoopKind.allCases)
    func answersPipelinedRequestsInOrder(kind: EventLoopKind) async throws {
        try await withFiles(of: tree, kind) { server in
            let client = try RawClient(server.address)
            await client.send(
                request("/_/small.txt") + request("/_/large.bin", "Range: bytes=0-99999\r\n")
                    + "HEAD /_/large.bin HTTP/1.1\r\nHost: a\r\n\r\n" + request("/_/missing")
                    + request("/_/large.bin", "Range: bytes=-3\r\n") + request("/_/small.txt", "Connection: close\r\n"))
            #expect(try await client.readResponse().text == "small")
            #expect(try await client.readResponse().body.count == 100_000)
            let head = try await client.readResponse(isHead: true)
            #expect(head.value("Content-Length") == "6400000")
            #expect(try await client.readResponse().status == 404)
            #expect(try await client.readResponse().text == "def")
            #expect(try await client.readResponse().text == "small")
            #expect(await client.readToEnd().isEmpty)
        }
    }

    /// A little more than goes out in one turn, to a client that takes it while the server looks: what is left of the
    /// file then goes out before the server has come to wait for the client.
    @Test(arguments: EventLoopKind.allCases)
    func goesOnToTheNextRequestHoweverFastTheFileGoes(kind: EventLoopKind) async throws {
        try await withFiles(of: tree, kind) { server in
            let client = try RawClient(server.address)
            for round in 0..<300 {
                let last = (1 << 20) + round % 10 * 20_000
                await client.send(request("/_/large.bin", "Range: bytes=0-\(last)\r\n") + request("/_/small.txt"))
                #expect(try await client.readResponse().body.count == last + 1)
                try #require(try await client.readResponse().text == "small")
            }
        }
    }

    @Test(arguments: EventLoopKind.allCases)
    func survivesClientsThatLeaveDuringAFile(kind: EventLoopKind) async throws {
        try await withFiles(of: tree, kind) { server in
            for fields in ["", "Range: bytes=1-5000000\r\n", "Range: bytes=0-1,9-4000000\r\n"] {
                for _ in 0..<5 {
                    let client = try RawClient(server.address, receiveBuffer: 4_096)
                    await client.send(request("/_/large.bin", fields))
                    await client.readMore(atMost: 100)
                    await client.closeAbruptly()
                }
            }
            #expect(try await server.get("/_/small.txt").text == "small")
        }
    }

    @Test(arguments: EventLoopKind.allCases)
    func breaksOffWhereTheFileHasBecomeShorter(kind: EventLoopKind) async throws {
        try await withFiles(of: tree, kind) { server in
            let client = try RawClient(server.address, receiveBuffer: 4_096)
            await client.send(request("/_/large.bin"))
            await client.readMore(atMost: 100)
            try #require(truncate(tree.path("large.bin"), 0) == 0)
            let (count, _) = await drain(client)
            #expect(count < 6_400_000)
            // Nothing fills it up, and nothing is said behind it.
            #expect(try await server.get("/_/large.bin").body.isEmpty)
        }
    }

    @Test(arguments: EventLoopKind.allCases)
    func goesOnWithTheFileThatItHasBegun(kind: EventLoopKind) async throws {
        try await withFiles(of: tree, kind) { server in
            let client = try RawClient(server.address, receiveBuffer: 32_768)
            await client.send(request("/_/large.bin", "Connection: close\r\n"))
            await client.readMore(atMost: 100)
            tree.write("new", String(repeating: "n", count: 100))
            rename(tree.path("new"), tree.path("large.bin"))
            let (count, end) = await drain(client)
            #expect(count > 6_400_000)
            #expect(end.suffix(16).elementsEqual("0123456789abcdef".utf8))
            #expect(try await server.get("/_/large.bin").body.count == 100)
        }
    }
}
