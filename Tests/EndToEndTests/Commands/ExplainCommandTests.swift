import Foundation
import Testing
import WaymarkJSON

extension EndToEnd {
    /// `waymark explain`, at a running server and straight at the database.
    @Suite struct ExplainCommandTests {
        private static let iphone =
            "Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605.1.15 Version/18.0 Mobile/15E148 Safari/604.1"

        @Test func saysTheSameAtAServerAndAtTheDatabase() throws {
            let installation = try Installation()
            let server = try installation.start()
            let created = try server.exchange(
                .create(#"{"slug": "x", "urls": {"web": "https://a.example/", "ios": "https://i.example/"}}"#))
            #expect(created.status == 201)
            let command = ["explain", "https://\(Shop.host)/x?a=b", "--user-agent", Self.iphone]
            let remote = ["--url", "http://127.0.0.1:\(server.port)", "--key", Installation.adminKey]
            let atServer = try installation.run(command + ["--json"] + remote)
            #expect(atServer.end == .exit(0), "\(atServer)")
            #expect(atServer.json["outcome"]?.string == "redirect")
            #expect(atServer.json["visitor"]?["platform"]?.string == "iphone")
            #expect(atServer.json["response"]?["headers"]?["Location"]?.string == "https://i.example/?a=b")
            let visited = try server.exchange(.get("/x?a=b", userAgent: Self.iphone))
            #expect(visited["Location"] == "https://i.example/?a=b")
            let text = try installation.run(command + ["--header", "Accept-Language: de"] + remote)
            #expect(text.end == .exit(0), "\(text)")
            for line in [
                "leads on", "iphone, phone, safari, language de", "* link.urls.ios: https://i.example/?a=b", "302",
            ] {
                #expect(text.output.contains(line), "\(text.output)")
            }
            #expect(try server.stop() == .exit(0))

            let local = ["--config", installation.configurationFile.path]
            let atDatabase = try installation.run(command + ["--json"] + local)
            #expect(atDatabase.json == atServer.json)
            let nothing = try installation.run(["explain", "https://\(Shop.host)/nothing", "--json"] + local)
            #expect(nothing.end == .exit(0), "\(nothing)")
            #expect(nothing.json["link"]?.isNull == true)
            let wrong = try installation.run(["explain", "shop://x"] + local)
            #expect(wrong.end != .exit(0))
            #expect(wrong.errors.contains("url"))
            let header = try installation.run(["explain", "https://\(Shop.host)/x", "--header", "nonsense"] + local)
            #expect(header.end == .exit(2), "\(header)")
        }
    }
}
