import Synchronization
import Testing
import WaymarkServer
import WaymarkSockets

@Suite struct AccessLogTests {
    private final class Records: Sendable {
        let lines = Mutex<[String]>([])
    }

    private final class Log: AccessLog {
        let scope: AccessLogScope
        private let records: Records

        init(_ scope: AccessLogScope, _ records: Records) {
            self.scope = scope
            self.records = records
        }

        func record(_ entry: AccessLogEntry) {
            let words = [
                entry.peer.addressText, entry.method, String(decoding: entry.target, as: UTF8.self),
                String(decoding: entry.userAgent, as: UTF8.self), "\(entry.status)",
            ]
            records.lines.withLock { $0.append(words.joined(separator: " ")) }
        }
    }

    @Test(
        arguments: EventLoopKind.allCases,
        [
            (
                AccessLogScope.all,
                ["127.0.0.1 GET /now?q me 200", "127.0.0.1 HEAD /later me 200", "127.0.0.1    400"]
            ),
            (.waiting, ["127.0.0.1 HEAD /later me 200", "127.0.0.1    400"]),
        ])
    func hearsOfEachRequestInItsScope(kind: EventLoopKind, example: (scope: AccessLogScope, lines: [String]))
        async throws
    {
        let records = Records()
        try await withServer(
            kind,
            configure: {
                $0.accessLog = { _ in Log(example.scope, records) }
            }
        ) { server, address, board in
            let client = try RawClient(address)
            await client.send("GET /now?q HTTP/1.1\r\nHost: a\r\nUser-Agent: me\r\n\r\n")
            await client.send("HEAD /later HTTP/1.1\r\nHost: a\r\nUser-Agent: me\r\n\r\n")
            await client.send("nonsense\r\n\r\n")
            _ = await client.readToEnd()
        }
        let lines = records.lines.withLock { $0 }
        #expect(lines == example.lines)
    }
}
