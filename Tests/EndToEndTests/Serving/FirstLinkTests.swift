import Foundation
import Testing
import WaymarkJSON

extension EndToEnd {
    /// What somebody does first: start the service in an empty folder, make a link; look around without a service.
    @Suite struct FirstLinkTests {
        private let installation: Installation

        init() throws { installation = try Installation(configuration: ["applications": nil]) }

        private static let link = #"{"urls": {"web": "https://example.com/"}}"#

        /// As the image starts it: no configuration file, everything in the environment, no folder of the database yet.
        private func startLikeTheImage() throws -> RunningServer {
            try FileManager.default.removeItem(at: installation.configurationFile)
            let program = try Program(
                ["serve"], in: installation.folder,
                environment: [
                    "WAYMARK_LISTEN": "127.0.0.1:0", "WAYMARK_DATABASE": "sqlite:data/waymark.sqlite",
                    "WAYMARK_PUBLIC": Executable.package.appendingPathComponent("Public").path,
                    "WAYMARK_ADMIN_KEY": Installation.adminKey,
                ])
            return try RunningServer(program, in: installation)
        }

        @Test func theFirstLinkOfAnEmptyFolderIsMadeAndFollowed() throws {
            let server = try startLikeTheImage()
            let created = try server.exchange(.create(Self.link))
            #expect(created.status == 201, "\(created)")
            #expect(created.json["app"] == "default")
            let slug = try #require(created.json["slug"]?.string)
            #expect(created.json["smartlink"]?.string == "http://localhost:\(server.port)/\(slug)")
            #expect(try server.exchange(.get("/\(slug)"))["Location"] == "https://example.com/")
        }

        @Test func aDeletedDefaultApplicationStaysDeleted() throws {
            let first = try installation.start()
            #expect(try first.exchange(.api("DELETE", "/apps/default")).status == 204)
            try first.stop()
            let second = try installation.start()
            #expect(try second.exchange(.api("GET", "/apps")).json["apps"] == [])
            #expect(try second.exchange(.create(Self.link)).status == 422)
        }

        @Test func `the default application steps back for good`() throws {
            let first = try installation.start()
            #expect(try first.exchange(.api("PUT", "/apps/shop", #"{"domains": ["go.example.com"]}"#)).status == 201)
            #expect(try first.exchange(.create(Self.link)).json["app"] == "shop")
            try first.stop()
            let second = try installation.start()
            #expect(try second.exchange(.api("GET", "/apps")).json["apps"]?.array?.map { $0["id"] } == ["shop"])
        }

        private static let readers: [[String]] = [
            ["links", "list"], ["links", "show", "sale"], ["links", "delete", "go.example.com/sale"],
            ["links", "resolve", "https://go.example.com/sale"], ["keys", "list"], ["keys", "revoke", "x"],
            ["keys", "create", "--name", "x", "--scope", "links"],
            ["apps", "list"], ["apps", "show", "shop"], ["explain", "https://go.example.com/sale"],
            ["export", "out.jsonl"], ["check"], ["backup", "copy.sqlite"],
        ]

        @Test(arguments: readers)
        func aMissingDatabaseIsNotMadeToBeRead(command: [String]) throws {
            let before = try files()
            let run = try installation.run(command + ["--database", "sqlite:nowhere/links.sqlite"])
            #expect(run.end == .exit(1), "\(run)")
            #expect(run.errorLines.count == 1, "\(run)")
            #expect(run.errors.contains("nowhere/links.sqlite"), "\(run)")
            #expect(run.output.isEmpty, "\(run)")
            #expect(try files() == before)
        }

        /// What stands in the folder, apart from what the runs themselves print.
        private func files() throws -> Set<String> {
            Set(try FileManager.default.contentsOfDirectory(atPath: installation.folder.path))
                .filter { !$0.hasSuffix(".out") && !$0.hasSuffix(".err") }
        }

        @Test func reportsACreatedDatabaseThatWasNotNamed() throws {
            let create = ["links", "create", "--link", "web=https://example.com/"]
            let run = try installation.run(create)
            #expect(run.end == .exit(0), "\(run)")
            #expect(run.errors.contains("created the database sqlite:"), "\(run)")
            let again = try installation.run(create)
            #expect(again.errors.isEmpty, "\(again)")
            let named = try installation.run(create + ["--database", "sqlite:other.sqlite"])
            #expect(named.end == .exit(0) && named.errors.isEmpty, "\(named)")
        }
    }
}
