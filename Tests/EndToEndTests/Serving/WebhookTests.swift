import Foundation
import Testing
import WaymarkJSON
import WaymarkTestSupport

#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

extension EndToEnd {
    /// Webhooks of a real server, and the commands that manage them.
    @Suite struct WebhookTests {
        private let installation: Installation
        private let receiver: FakeService

        init() throws {
            installation = try Installation(configuration: ["webhooks": ["allowedNetworks": ["127.0.0.0/8"]]])
            receiver = try FakeService { target, _ in
                target == "/moved"
                    ? .json("", status: 302, fields: ["Location: /elsewhere"]) : .json(#"{"thanks": true}"#)
            }
        }

        private func run(_ server: RunningServer, _ arguments: [String]) throws -> CommandRun {
            try installation.run(
                ["webhooks"] + arguments + ["--url", "http://127.0.0.1:\(server.port)"],
                environment: ["WAYMARK_KEY": Installation.adminKey])
        }

        @Test func `commands make, try and delete a webhook`() throws {
            let server = try installation.start()
            let made = try run(server, ["create", receiver.url + "/hook", "--event", "link.*", "--name", "Billing"])
            #expect(made.end == .exit(0), "\(made)")
            let lines = made.output.split(separator: "\n").map(String.init)
            try #require(lines.count == 2)
            #expect(lines[1].hasPrefix("whsec_"))
            let id = lines[0]
            _ = try server.exchange(.create(#"{"slug": "a", "urls": {"web": "https://shop.example.com/"}}"#))
            try eventually("the event") { receiver.requests.contains { $0.contains(#""type":"link.created""#) } }
            let request = try #require(receiver.requests.first)
            for field in ["webhook-id: msg_", "webhook-timestamp: ", "webhook-signature: v1,", "User-Agent: waymark/"] {
                #expect(request.contains("\r\n" + field))
            }
            #expect(!request.contains("whsec_"))
            #expect(try run(server, ["list"]).output.contains("enabled"))
            let test = try run(server, ["test", id])
            let message = test.output.trimmingCharacters(in: .whitespacesAndNewlines)
            try eventually("the test") { receiver.requests.contains { $0.contains("webhook-id: \(message)\r\n") } }
            try eventually("its delivery") {
                try run(server, ["deliveries", id, "--state", "delivered"]).output.contains(message)
            }
            let count = receiver.requests.count
            #expect(try run(server, ["replay", id, message]).output == "sent again: 1 message\n")
            try eventually("the replay") { receiver.requests.count > count }
            #expect(try run(server, ["rotate", id]).output.hasPrefix("whsec_"))
            #expect(try run(server, ["disable", id]).end == .exit(0))
            #expect(try run(server, ["list"]).output.contains("disabled (manual)"))
            #expect(try run(server, ["delete", id]).end == .exit(0))
            #expect(try run(server, ["delete", id]).end == .exit(1))
        }

        @Test func `listen prints events and deletes its webhook`() throws {
            let server = try installation.start()
            let listening = try Program(
                ["webhooks", "listen", "--event", "link.created", "--url", "http://127.0.0.1:\(server.port)"],
                in: installation.folder, environment: ["WAYMARK_KEY": Installation.adminKey])
            try eventually("its webhook") { listening.errorText.contains("printed until Ctrl-C") }
            _ = try server.exchange(.create(#"{"slug": "a", "urls": {"web": "https://shop.example.com/"}}"#))
            try eventually("the event") { listening.outputText.contains(#""slug":"a""#) }
            listening.send(signal: SIGINT)
            #expect(try listening.wait() == .exit(0))
            #expect(try server.exchange(.api("GET", "/webhooks")).json == ["webhooks": []])
        }

        @Test func `the last click exhausts a link`() throws {
            let server = try installation.start()
            #expect(try run(server, ["create", receiver.url + "/hook", "--event", "link.exhausted"]).end == .exit(0))
            _ = try server.exchange(
                .create(#"{"slug": "last", "maxClicks": 1, "urls": {"web": "https://shop.example.com/"}}"#))
            #expect(try server.exchange(.get("/last", userAgent: Browser.desktop)).status == 302)
            try eventually("the event") {
                receiver.requests.contains {
                    $0.contains(#""type":"link.exhausted""#) && $0.contains(#""slug":"last""#)
                }
            }
        }

        @Test func `a redirect is a failure and is not followed`() throws {
            let server = try installation.start()
            _ = try run(server, ["create", receiver.url + "/moved", "--event", "*"])
            _ = try server.exchange(.create(#"{"slug": "a", "urls": {"web": "https://shop.example.com/"}}"#))
            let webhook = try server.exchange(.api("GET", "/webhooks")).json["webhooks"]?.array?.first
            let id = try #require(webhook?["id"]?.string)
            let attempt = try eventually("an attempt") {
                try server.exchange(.api("GET", "/webhooks/\(id)/deliveries")).json["deliveries"]?.array?.first?[
                    "attempts"]?
                    .array?.first
            }
            #expect(attempt["status"]?.integer == 302)
            #expect(attempt["error"]?.string == "answered 302; redirects are not followed")
            #expect(!receiver.targets.contains("/elsewhere"))
        }

        /// What people who want to reach the server's own network try.
        static let privateHosts = [
            "127.0.0.1", "127.1", "2130706433", "0x7f000001", "0177.0.0.1", "0", "0.0.0.0", "10.0.0.1",
            "10.255.255.255", "172.16.0.1", "172.31.255.255", "192.168.0.1", "169.254.169.254", "100.64.0.1",
            "100.127.255.254", "198.18.0.1", "192.0.0.8", "192.0.2.1", "198.51.100.1", "203.0.113.1", "224.0.0.1",
            "255.255.255.255", "[::1]", "[::]", "[::ffff:127.0.0.1]", "[::ffff:10.0.0.1]", "[fc00::1]", "[fe80::1]",
            "[64:ff9b::7f00:1]", "[2002:7f00:1::]", "[2001:db8::1]", "[ff02::1]", "localhost",
        ]

        @Test func `no endpoint is on a private network`() throws {
            let server = try Installation().start()
            for host in Self.privateHosts {
                for scheme in ["https", "http"] {
                    let answer = try server.exchange(
                        .api("POST", "/webhooks", #"{"url": "\#(scheme)://\#(host)/hook", "events": ["*"]}"#))
                    #expect(answer.status == 422, "\(scheme)://\(host): \(answer.text)")
                }
            }
            #expect(try server.exchange(.api("GET", "/webhooks")).json == ["webhooks": []])
        }

        @Test(.enabled(if: TemporaryMount.isPossible, "needs the right to mount"))
        func `a name that leads elsewhere later is refused`() throws {
            let names = installation.folder.appendingPathComponent("hosts")
            try Data("93.184.216.34 receiver.example.com\n".utf8).write(to: names)
            // Only localhost may be reached, as in most installations.
            let server = try Installation().start(wrapper: [
                "/usr/bin/unshare", "-m", "/bin/sh", "-c", "mount --bind \"$0\" /etc/hosts && exec \"$@\"", names.path,
            ])
            let url = "https://receiver.example.com:\(receiver.port)/hook"
            let made = try server.exchange(.api("POST", "/webhooks", #"{"url": "\#(url)", "events": ["*"]}"#))
            try #require(made.status == 201, "\(made.text)")
            let id = try #require(made.json["id"]?.string)
            // In place, because the file is mounted.
            let file = try FileHandle(forWritingTo: names)
            try file.truncate(atOffset: 0)
            try file.write(contentsOf: Data("127.0.0.1 receiver.example.com\n".utf8))
            try file.close()
            _ = try server.exchange(.api("POST", "/webhooks/\(id):test"))
            let error = try eventually("an attempt") {
                try server.exchange(.api("GET", "/webhooks/\(id)/deliveries")).json["deliveries"]?.array?.first?[
                    "attempts"]?
                    .array?.first?["error"]?.string
            }
            #expect(error.contains("not public"), "\(error)")
            #expect(receiver.requests.isEmpty)
        }
    }
}
