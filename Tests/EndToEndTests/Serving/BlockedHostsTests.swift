import Foundation
import Testing
import WaymarkJSON

#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

extension EndToEnd {
    /// `blockedHostsFile`: read at the start and on SIGHUP.
    @Suite struct BlockedHostsTests {
        private static func installation(list: String) throws -> Installation {
            let installation = try Installation(configuration: ["blockedHostsFile": "blocked.txt"])
            try write(list, in: installation)
            return installation
        }

        private static func write(_ list: String, in installation: Installation) throws {
            try Data(list.utf8).write(to: installation.folder.appendingPathComponent("blocked.txt"))
        }

        private static func link(_ slug: String, to url: String) -> String {
            "{\"slug\": \"\(slug)\", \"urls\": {\"web\": \"\(url)\"}}"
        }

        @Test func aListIsReadAtTheStartAndAgainOnSIGHUP() throws {
            let installation = try Self.installation(list: "# none yet\n0.0.0.0 bad.example\n*.worse.example\n")
            let server = try installation.start()
            let client = try server.connect()
            let refused = try client.exchange(.create(Self.link("a", to: "https://BAD.example./x")))
            #expect(refused.status == 422)
            #expect(refused.text.contains("this service blocks"))
            #expect(try client.exchange(.create(Self.link("b", to: "https://a.worse.example/"))).status == 422)
            #expect(try client.exchange(.create(Self.link("late", to: "https://late.example/"))).status == 201)
            for _ in 0..<3 {
                let visit = try client.exchange(.get("/late", userAgent: Browser.desktop))
                #expect(visit["Location"] == "https://late.example/")
            }

            try Self.write("late.example\nshop.example.com", in: installation)
            server.program.send(signal: SIGHUP)
            try eventually(
                "the link falls down to nothing",
                holds: {
                    try client.exchange(.get("/late", userAgent: Browser.desktop)).status == 404
                })
            #expect(try client.exchange(.create(Self.link("a", to: "https://bad.example/x"))).status == 201)
            // The file's own application leads to what is blocked now, and the service goes on.
            try eventually(
                "the application is named",
                holds: {
                    server.program.errorText.contains(
                        "web.baseURL leads to shop.example.com, which this service blocks")
                })

            // A bad list changes nothing.
            try Self.write("late.example\n\nno host\n", in: installation)
            server.program.send(signal: SIGHUP)
            try eventually(
                "the line is named", holds: { server.program.errorText.contains("blocked.txt: line 3: \"no\"") })
            #expect(try client.exchange(.get("/late", userAgent: Browser.desktop)).status == 404)

            try Self.write("", in: installation)
            server.program.send(signal: SIGHUP)
            try eventually(
                "the link leads on",
                holds: {
                    try client.exchange(.get("/late", userAgent: Browser.desktop))["Location"]
                        == "https://late.example/"
                })
        }

        @Test(arguments: ["serve", "check-config"])
        func aBadLineStartsNothing(command: String) throws {
            let installation = try Self.installation(list: "good.example\nhttps://bad.example/\n")
            let run = try installation.run([command, "--config", installation.configurationFile.path])
            #expect(run.end == .exit(2))
            #expect(run.errorLines.count == 1)
            #expect(run.errors.contains("blocked.txt: line 2: \"https://bad.example/\""), "\(run)")
        }

        @Test func anApplicationsFileWithACircleStartsNothing() throws {
            let installation = try Installation(
                applications: Shop.applications.replacing(
                    "\"id\": \"shop\"",
                    with: "\"id\": \"shop\", \"onExpired\": \"https://go.example.com/late\""))
            let run = try installation.run(["check-config", "--config", installation.configurationFile.path])
            #expect(run.end == .exit(2))
            #expect(
                run.errors.contains("application shop: onExpired leads back to a smart link of this service"), "\(run)")
        }
    }
}
