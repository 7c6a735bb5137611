import Foundation
import Testing
import WaymarkJSON

extension EndToEnd {
    /// Links that leave a server, and the check that they arrived.
    @Suite struct LinksMovingTests {
        private static let links = """
            slug,urls.web,urls.ios,title,tags,createdAt,importedClicks,expiresAt
            a,https://shop.example.com/a,,=1+1,"x,y",2021-03-04,7,
            b,https://shop.example.com/b?q=1,shop://b,,,2021-03-05,,
            spring/sale,https://shop.example.com/c,,,,2021-03-06,,2022-01-01

            """

        private func imported(_ text: String, from source: String) throws -> Installation {
            let installation = try Installation()
            let run = try installation.run(
                [
                    "links", "import", "--from", source, "-", "--app", "shop", "--config",
                    installation.configurationFile.path,
                ], input: text)
            #expect(run.end == .exit(0), "\(run)")
            return installation
        }

        private func export(_ format: String, of installation: Installation) throws -> String {
            let run = try installation.run([
                "links", "export", "--format", format, "--config", installation.configurationFile.path,
            ])
            #expect(run.end == .exit(0), "\(run)")
            return run.output
        }

        @Test(arguments: ["csv", "jsonl"]) func anExportImportedIsTheSameExport(format: String) throws {
            let first = try export(format, of: imported(Self.links, from: "csv"))
            #expect(first.contains("spring/sale"))
            #expect(try export(format, of: imported(first, from: "waymark")) == first)
        }

        @Test(arguments: ["csv", "jsonl"]) func anExportIntoItsOwnDatabaseIsTheSame(format: String) throws {
            let installation = try imported(Self.links, from: "csv")
            let run = try installation.run(
                [
                    "links", "import", "--from", "waymark", "-", "--app", "shop", "--json", "--config",
                    installation.configurationFile.path,
                ], input: export(format, of: installation))
            #expect(run.end == .exit(0) && run.json["same"] == 3 && run.json["created"] == 0, "\(run)")
            #expect(run.json["notes"] == [], "\(run)")
        }

        @Test func shlinkGetsTheWebURLOfARoute() throws {
            let link = #"""
                {"slug": "p", "route": "products/:product_id", "routeParameters": {"product_id": "4/2"},
                "queryParameters": {"from": "a b"}, "tags": ["x", "y"], "title": "P"}
                """#.replacingOccurrences(of: "\n", with: " ")
            #expect(
                try export("shlink", of: imported(link + "\n", from: "waymark")) == """
                    Short Code,Short URL,Long URL,Domain,Title,Tags
                    p,https://go.example.com/p,https://shop.example.com/products/4%2F2?from=a%20b,go.example.com,P,x|y

                    """)
        }

        @Test func aServerExportsWhatItsDatabaseDoes() throws {
            let installation = try imported(Self.links, from: "csv")
            let local = try export("csv", of: installation)
            let server = try installation.start()
            let run = try installation.run(
                [
                    "links", "export", "--format", "csv", "--domain", Shop.host, "--url",
                    "http://127.0.0.1:\(server.port)",
                ],
                environment: ["WAYMARK_KEY": Installation.adminKey])
            #expect(run.end == .exit(0) && run.output == local, "\(run)")
        }

        @Test func oneChangedLinkIsOneDifferencePerDevice() throws {
            let installation = try imported(Self.links, from: "csv")
            let server = try installation.start()
            func verify(_ text: String) throws -> CommandRun {
                try installation.run(
                    [
                        "links", "verify", "-", "--from", "csv", "--against", "http://\(Shop.host):\(server.port)",
                        "--resolve", "\(Shop.host)=127.0.0.1",
                    ], input: text)
            }
            let same = try verify(Self.links)
            #expect(same.end == .exit(0), "\(same)")
            #expect(same.output == "row,platform,smartlink,expected,answered,reason\n")
            let changed = try verify(Self.links.replacingOccurrences(of: "com/a,", with: "com/z,"))
            let base = "http://\(Shop.host):\(server.port)/a,https://shop.example.com/z,https://shop.example.com/a"
            #expect(changed.end == .exit(1), "\(changed)")
            #expect(
                changed.output.split(separator: "\n").dropFirst().map(String.init)
                    == ["iphone", "ipad", "android", "desktop"].map { "1,\($0),\(base),it leads to another URL" })
            let link = try installation.run(
                ["links", "show", "\(Shop.host)/a", "--url", "http://127.0.0.1:\(server.port)", "--json"],
                environment: ["WAYMARK_KEY": Installation.adminKey])
            #expect(link.json["clicks"] == 0, "\(link)")
        }

        @Test func aFullDiskEndsAnExportWithOneLine() throws {
            let installation = try imported(Self.links, from: "csv")
            let run = try Program(
                ["links", "export", "--format", "csv", "--config", installation.configurationFile.path],
                in: installation.folder,
                wrapper: ["/bin/sh", "-c", "exec \"$@\" > /dev/full", "sh"])
            #expect(try run.wait() == .exit(1))
            #expect(run.errorLines == ["waymark: standard output: the disk is full"])
        }

        @Test(arguments: [
            ["--against", "ftp://go.example.com"], ["--against", "http://127.0.0.1:1"],
            ["--against", "http://go.example.com", "--resolve", "other=127.0.0.1"],
        ])
        func `an invalid or unreachable server ends with status 2`(arguments: [String]) throws {
            let run = try Installation().run(["links", "verify", "-", "--from", "csv"] + arguments, input: Self.links)
            #expect(run.end == .exit(2) && run.errorLines.count == 1, "\(run)")
        }
    }
}
