import Foundation
import Testing

extension EndToEnd {
    /// The order of system calls: what is answered was on disk before.
    @Suite(.enabled(if: Strace.isInstalled, "strace is not installed"))
    struct SyncTests {
        private static let changes: [(name: String, request: Request, status: Int)] = [
            ("a creation", .create(Shop.gift(slug: "second")), 201),
            ("a redeem", .resolve(#"{"smartlink": "https://go.example.com/gift"}"#), 200),
            ("a patch", .api("PATCH", "/links/go.example.com/gift", #"{"tags": ["a"]}"#), 200),
            ("a key", .api("POST", "/keys", #"{"name": "app", "scopes": ["resolve"]}"#), 201),
            ("a deletion", .api("DELETE", "/links/go.example.com/gift"), 204),
        ]

        @Test func everyChangeIsSyncedBeforeItIsAnswered() throws {
            let installation = try Installation()
            let trace = installation.folder.appendingPathComponent("trace")
            // -D: the tracer is in the background, and the process that is started becomes waymark itself.
            let server = try installation.start(wrapper: [
                Strace.program, "-D", "-f", "-qq", "-s", "64", "-o", trace.path,
                "-e", "trace=recvfrom,recvmsg,read,sendto,sendmsg,write,writev,fsync,fdatasync",
            ])
            let client = try server.connect()
            #expect(try client.exchange(.create(Shop.gift())).status == 201)
            for change in Self.changes {
                let answer = try client.exchange(change.request)
                #expect(answer.status == change.status, "\(change.name): \(answer)")
            }
            try server.stop()

            let lines = try String(contentsOf: trace, encoding: .utf8).split(separator: "\n")
            for change in Self.changes {
                let head = "\"\(change.request.method) \(change.request.target) HTTP/1.1"
                let received = try #require(lines.lastIndex { $0.contains(head) }, "\(change.name) was not received")
                let after = lines[received...]
                let answered = try #require(
                    after.firstIndex { $0.contains("\"HTTP/1.1 \(change.status)") }, "\(change.name) was not answered")
                let synced = lines[received..<answered].contains {
                    ($0.contains("fsync") || $0.contains("fdatasync")) && $0.hasSuffix("= 0")
                }
                #expect(synced, "\(change.name) was answered before it was synced")
            }
        }
    }
}
