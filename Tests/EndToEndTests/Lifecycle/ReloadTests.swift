import Foundation
import Testing
import WaymarkJSON

#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

extension EndToEnd {
    /// SIGHUP: a good configuration takes effect, a bad one changes nothing; no connection is dropped either way.
    @Suite struct ReloadTests {
        private static let inCollection = """
            {"slug": "spring", "route": "collections/:collection", "routeParameters": {"collection": "spring"}}
            """

        @Test(arguments: EventLoops.all)
        func aNewTemplateTakesEffectOnAConnectionThatStays(eventLoop: String) throws {
            let installation = try Installation()
            let server = try installation.start(["--event-loop", eventLoop])
            let client = try server.connect()
            #expect(try client.exchange(.create(Self.inCollection)).status == 422)

            try installation.write(applications: "[\(Shop.application(templates: Shop.collection))]")
            server.program.send(signal: SIGHUP)
            try eventually(
                "the template is there",
                holds: {
                    try client.exchange(.create(Self.inCollection)).status == 201
                })
            let visit = try client.exchange(.get("/spring", userAgent: Browser.desktop))
            #expect(visit["Location"] == "https://shop.example.com/collections/spring")
        }

        @Test func anEditOfATemplateAppliesToLinksThatExist() throws {
            let installation = try Installation()
            let server = try installation.start()
            let client = try server.connect()
            #expect(try client.exchange(.create(Shop.gift())).status == 201)
            #expect(
                try client.exchange(.get("/gift", userAgent: Browser.desktop))["Location"]
                    == "https://shop.example.com/products/42?referrer=ana")

            let edited = Shop.applications.replacing(
                "\"https://shop.example.com/products/:product_id\"", with: "\"https://shop.example.com/p/:product_id\"")
            try installation.write(applications: edited)
            server.program.send(signal: SIGHUP)
            try eventually(
                "the redirect follows the template",
                holds: {
                    try client.exchange(.get("/gift", userAgent: Browser.desktop))["Location"]
                        == "https://shop.example.com/p/42?referrer=ana"
                })
        }

        /// What the applications file then holds, and what the logged line names.
        private static let badApplications: [(text: String, named: String)] = [
            ("[{\"id\": \"shop\",", "applications.json"),
            ("{\"id\": \"shop\"}", "applications.json"),
            (Shop.applications.replacing("\"urlScheme\": \"shop\"", with: "\"urlScheme\": 7"), "urlScheme"),
            (Shop.applications.replacing("\"templates\"", with: "\"tmplates\""), "tmplates"),
            (
                Shop.applications.replacing("https://shop.example.com/products", with: "javascript:alert/products"),
                "urls.web"
            ),
        ]

        @Test(arguments: badApplications)
        func aBadApplicationsFileIsRefusedInOneLine(bad: (text: String, named: String)) throws {
            let installation = try Installation()
            let server = try installation.start()
            try expectRefusal(naming: bad.named, by: server) { try installation.write(applications: bad.text) }
        }

        @Test func aFileThatDropsAnApplicationWithLinksIsRefused() throws {
            let installation = try Installation()
            let server = try installation.start()
            try expectRefusal(naming: "shop", by: server) { try installation.write(applications: "[]") }
        }

        @Test(arguments: EventLoops.all)
        func newLimitsHoldAndWrongOnesAreRefused(eventLoop: String) throws {
            let installation = try Installation(configuration: ["limits": ["headerLines": 16]])
            let server = try installation.start(["--event-loop", eventLoop])
            var request = Request.get("/healthz")
            for number in 0..<20 { request.fields.append(("X-\(number)", "y")) }
            #expect(try server.exchange(request).status == 431)

            try installation.write(configuration: ["limits": ["headerLines": 30]])
            server.program.send(signal: SIGHUP)
            try eventually("the new limit holds", holds: { try server.exchange(request).status == 200 })
            #expect(!server.program.errorText.contains("limits"), "\(server.program.errorText)")

            try installation.write(configuration: ["limits": ["headerLines": 3]])
            server.program.send(signal: SIGHUP)
            try eventually("the refusal is logged", holds: { server.program.errorText.contains("limits.headerLines") })
            #expect(try server.exchange(request).status == 200)
        }

        private static let badConfigurations: [(members: JSONObject, named: String)] = [
            (["thread": 2], "thread"),
            (["threads": "two"], "threads"),
            (["logLevel": "loud"], "logLevel"),
            (["applications": "nowhere.json"], "nowhere.json"),
        ]

        @Test(arguments: badConfigurations)
        func aBadConfigurationIsRefusedInOneLine(bad: (members: JSONObject, named: String)) throws {
            let installation = try Installation()
            let server = try installation.start()
            try expectRefusal(naming: bad.named, by: server) { try installation.write(configuration: bad.members) }
        }

        /// Makes the change and has the server read it: one line is logged, and everything goes on as before.
        private func expectRefusal(
            naming word: String, by server: RunningServer, _ change: () throws -> Void
        ) throws {
            let client = try server.connect()
            #expect(try client.exchange(.create(Shop.gift())).status == 201)
            // The last line of a start: the warning that metadata is not encrypted.
            try eventually("the start is logged", holds: { server.program.errorText.contains("metadata") })
            let before = server.program.errorLines.count
            try change()
            server.program.send(signal: SIGHUP)
            try eventually("a line is logged", holds: { server.program.errorLines.count > before })

            let visit = try client.exchange(.get("/gift", userAgent: Browser.desktop))
            #expect(visit["Location"] == "https://shop.example.com/products/42?referrer=ana")
            #expect(try client.exchange(.create(Shop.gift(slug: "another"))).status == 201)
            let lines = server.program.errorLines.dropFirst(before)
            #expect(lines.count == 1, "\(lines)")
            #expect(lines.first?.contains(word) == true, "\(lines)")
            #expect(server.program.isRunning)
        }

        @Test func aReloadIsComparedWithWhatRuns() throws {
            let installation = try Installation()
            let server = try installation.start()
            let original = try String(contentsOf: installation.configurationFile, encoding: .utf8)
            func reload(_ text: String, _ count: Int) throws -> [String] {
                try Data(text.utf8).write(to: installation.configurationFile)
                let before = server.program.errorLines.count
                server.program.send(signal: SIGHUP)
                try eventually(
                    "it is read again",
                    holds: { server.program.errorLines.count { $0.contains("configuration read again") } == count })
                // One that is refused follows, so that all lines of this one are there.
                try Data("{".utf8).write(to: installation.configurationFile)
                server.program.send(signal: SIGHUP)
                try eventually(
                    "the next one is refused",
                    holds: {
                        server.program.errorLines.dropFirst(before).contains { $0.contains("configuration rejected") }
                    })
                return server.program.errorLines.dropFirst(before)
                    .filter { $0.contains("takes effect after a restart") }
            }
            let changed = original.replacing("\"threads\":2", with: "\"threads\":1")
            try #require(changed != original)
            #expect(try reload(changed, 1).count == 1)
            #expect(try reload(changed, 2).count == 1)
            #expect(try reload(original, 3).isEmpty)
        }

        @Test func aRefusedReloadReopensTheAccessLog() throws {
            let installation = try Installation(configuration: ["accessLog": true, "accessLogFile": "access.log"])
            let server = try installation.start()
            let client = try server.connect()
            let file = installation.folder.appendingPathComponent("access.log")
            try FileManager.default.moveItem(at: file, to: file.appendingPathExtension("1"))
            try Data("{".utf8).write(to: installation.configurationFile)
            server.program.send(signal: SIGHUP)
            try eventually("it is refused", holds: { server.program.errorText.contains("configuration rejected") })
            #expect(try client.exchange(.get("/nobody")).status == 404)
            try eventually(
                "the line is in the new file",
                holds: { try String(contentsOf: file, encoding: .utf8).contains("/nobody") })
        }
    }
}
