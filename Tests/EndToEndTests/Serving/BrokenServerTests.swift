import Foundation
import Testing

#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

extension EndToEnd {
    /// Commands that ask a server which does not answer as a server should.
    @Suite struct BrokenServerTests {
        /// Says the same to everybody, and closes.
        private final class OneLiner: Sendable {
            let port: Int
            private let descriptor: Int32

            init(_ answer: [UInt8]) throws {
                let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
                var address = sockaddr_in()
                address.sin_family = sa_family_t(AF_INET)
                address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
                var length = socklen_t(MemoryLayout<sockaddr_in>.size)
                withUnsafeMutablePointer(to: &address) {
                    $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                        _ = bind(descriptor, $0, length)
                        _ = listen(descriptor, 16)
                        _ = getsockname(descriptor, $0, &length)
                    }
                }
                try #require(address.sin_port != 0)
                port = Int(UInt16(bigEndian: address.sin_port))
                self.descriptor = descriptor
                Thread.detachNewThread {
                    while true {
                        let client = accept(descriptor, nil, nil)
                        guard client >= 0 else { return }
                        var request = [UInt8](repeating: 0, count: 65_536)
                        _ = recv(client, &request, request.count, 0)
                        _ = send(client, answer, answer.count, Int32(MSG_NOSIGNAL))
                        shutdown(client, Int32(SHUT_WR))
                        while recv(client, &request, request.count, 0) > 0 {}
                        close(client)
                    }
                }
            }

            deinit {
                shutdown(descriptor, Int32(SHUT_RDWR))
                close(descriptor)
            }
        }

        private static let commands: [[String]] = [
            ["links", "list"], ["apps", "list"], ["explain", "http://127.0.0.1/x"],
            ["association", "lint", "--app", "shop"],
        ]

        @Test(arguments: [
            "HTTP/1.1 200 OK\r\nX", "", "HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\n{", "SSH-2.0-OpenSSH_9.2\r\n",
        ])
        func endWithOneLineWhereTheAnswerBreaksOff(answer: String) throws {
            let server = try OneLiner(Array(answer.utf8))
            let installation = try Installation()
            let url = "http://127.0.0.1:\(server.port)"
            for command in Self.commands {
                let run = try installation.run(command + ["--url", url, "--key", Installation.adminKey])
                #expect(run.end == .exit(2), "\(command) \(run)")
                #expect(run.errorLines.count == 1, "\(command) \(run)")
            }
            let run = try installation.run(["association", "lint", url + "/.well-known/assetlinks.json"])
            #expect(run.end == .exit(2), "\(run)")
            #expect(run.errorLines.count == 1, "\(run)")
        }

        @Test(arguments: [
            "", "SSH-2.0-OpenSSH_9.2\r\n", "HTTP/1.1 302 Found\r\nContent-Length: 10\r\n\r\nx",
            "HTTP/1.1 302 Found\r\nContent-Length: x\r\n\r\n",
            "HTTP/1.1 302 Found\r\nContent-Length: 99999999999\r\n\r\n",
            "HTTP/1.1 302 Found\r\nX: " + String(repeating: "x", count: 70_000),
        ])
        func verifyEndsWithOneLine(answer: String) throws {
            let server = try OneLiner(Array(answer.utf8))
            let run = try Installation().run(
                ["links", "verify", "-", "--from", "csv", "--against", "http://127.0.0.1:\(server.port)"],
                input: "slug,urls.web\n" + (0..<20).map { "a\($0),https://a.example/\n" }.joined())
            #expect(run.end == .exit(2) && run.errorLines.count == 1, "\(run)")
        }

        @Test func verifyFollowsNoRedirectAndReconnects() throws {
            let server = try OneLiner(
                Array("HTTP/1.1 302 Found\r\nLocation: http://127.0.0.1:1/\r\nContent-Length: 0\r\n\r\n".utf8))
            let run = try Installation().run(
                [
                    "links", "verify", "-", "--from", "csv", "--against", "http://127.0.0.1:\(server.port)",
                    "--connections", "1",
                ],
                input: "slug,urls.web\na,http://127.0.0.1:1\nb,http://127.0.0.1:1\n")
            #expect(run.end == .exit(0), "\(run)")
        }

        @Test func takesLatin1InFields() throws {
            let body = #"{"links": [], "cursor": null}"#
            let head =
                "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: \(body.utf8.count)\r\nX: Gr"
            let server = try OneLiner(Array(head.utf8) + [0xFC] + Array("n\r\n\r\n\(body)".utf8))
            let run = try Installation().run(
                ["links", "list", "--url", "http://127.0.0.1:\(server.port)", "--key", Installation.adminKey])
            #expect(run.end == .exit(0), "\(run)")
        }

        @Test func sendsTheKeyToNobodyElse() throws {
            let other = try OneLiner(Array("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{}".utf8))
            let server = try OneLiner(
                Array(
                    "HTTP/1.1 307 Temporary Redirect\r\nLocation: http://127.0.0.1:\(other.port)/\r\nContent-Length: 0\r\n\r\n"
                        .utf8))
            let run = try Installation().run(
                ["links", "list", "--url", "http://127.0.0.1:\(server.port)", "--key", Installation.adminKey])
            #expect(run.end == .exit(2), "\(run)")
            #expect(run.errorLines.count == 1 && run.errors.contains("redirects"), "\(run)")
        }
    }
}
