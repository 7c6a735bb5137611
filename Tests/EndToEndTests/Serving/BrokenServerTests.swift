import Testing
import WaymarkTestSupport

extension EndToEnd {
    /// Commands that ask a server which does not answer as a server should.
    @Suite struct BrokenServerTests {
        private static let commands: [[String]] = [
            ["links", "list"], ["apps", "list"], ["explain", "http://127.0.0.1/x"],
            ["association", "lint", "--app", "shop"],
        ]

        @Test(arguments: [
            "HTTP/1.1 200 OK\r\nX", "", "HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\n{", "SSH-2.0-OpenSSH_9.2\r\n",
        ])
        func endWithOneLineWhereTheAnswerBreaksOff(answer: String) throws {
            let server = try FakeService { _, _ in .text(answer) }
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
            let server = try FakeService { _, _ in .text(answer) }
            let run = try Installation().run(
                ["links", "verify", "-", "--from", "csv", "--against", "http://127.0.0.1:\(server.port)"],
                input: "slug,urls.web\n" + (0..<20).map { "a\($0),https://a.example/\n" }.joined())
            #expect(run.end == .exit(2) && run.errorLines.count == 1, "\(run)")
        }

        @Test func verifyFollowsNoRedirectAndReconnects() throws {
            let server = try FakeService { _, _ in
                .text(
                    "HTTP/1.1 302 Found\r\nLocation: http://127.0.0.1:1/\r\nContent-Length: 0\r\n\r\n")
            }
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
            let server = try FakeService { _, _ in
                .bytes(Array(head.utf8) + [0xFC] + Array("n\r\n\r\n\(body)".utf8))
            }
            let run = try Installation().run(
                ["links", "list", "--url", "http://127.0.0.1:\(server.port)", "--key", Installation.adminKey])
            #expect(run.end == .exit(0), "\(run)")
        }

        @Test func sendsTheKeyToNobodyElse() throws {
            let other = try FakeService { _, _ in .json("{}") }
            let server = try FakeService { _, _ in
                .text(
                    "HTTP/1.1 307 Temporary Redirect\r\nLocation: http://127.0.0.1:\(other.port)/\r\nContent-Length: 0\r\n\r\n"
                )
            }
            let run = try Installation().run(
                ["links", "list", "--url", "http://127.0.0.1:\(server.port)", "--key", Installation.adminKey])
            #expect(run.end == .exit(2), "\(run)")
            #expect(run.errorLines.count == 1 && run.errors.contains("redirects"), "\(run)")
        }
    }
}
