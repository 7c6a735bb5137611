import Foundation
import Testing
import WaymarkJSON

extension EndToEnd {
    /// `waymark test`: the files alone, and against a server that has the same links.
    @Suite struct TestCommandTests {
        private static let links = """
            {"links": [
              {"slug": "spring", "route": "products/:product_id", "routeParameters": {"product_id": 42},
               "urls": {"windows": "https://shop.example.com/windows"}, "metadata": {"a": 1},
               "rules": [{"when": {"country": "DE", "platform": "linux"}, "to": "https://de.example/"}],
               "expect": [
                 {"as": "iphone", "leadsTo": "shop://products/42", "opensApp": true},
                 {"as": "android", "leadsTo": "shop://products/42", "opensApp": true},
                 {"as": "windows", "leadsTo": "https://shop.example.com/windows", "opensApp": false},
                 {"as": "linux", "leadsTo": "https://shop.example.com/products/42"},
                 {"as": "linux", "from": "DE", "leadsTo": "https://de.example/"}]},
              {"slug": "summer", "urls": {"web": "https://shop.example.com/summer", "linux": "https://l.example/"},
               "validFrom": "2026-06-01T00:00:00Z", "expiresAt": "2026-09-01T00:00:00Z",
               "rules": [{"when": {"language": "de"}, "to": "https://shop.example.com/sommer"}],
               "expect": [
                 {"as": "ipad", "at": "2026-07-01T00:00:00Z", "leadsTo": "https://shop.example.com/summer"},
                 {"as": "macos", "language": "de", "at": "2026-07-01T00:00:00Z",
                  "leadsTo": "https://shop.example.com/sommer"},
                 {"as": "linux", "at": "2026-09-01T00:00:00Z", "leadsTo": null, "outcome": "gone"}]}]}
            """

        private func write(_ text: String, to name: String, in installation: Installation) throws {
            let folder = installation.folder.appendingPathComponent("code")
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
            try Data(text.utf8).write(to: folder.appendingPathComponent(name))
        }

        @Test func `tests pass with the files and with a server`() throws {
            let installation = try Installation()
            try write("{\"applications\": [\(Shop.application())]}", to: "apps.json", in: installation)
            try write(Self.links, to: "links.json", in: installation)
            let alone = try installation.run(["test", "code"])
            #expect(alone.end == .exit(0), "\(alone)")
            #expect(alone.output == "8 tests passed, 0 failed\n")

            let server = try installation.start()
            for link in try JSONValue(parsing: Self.links)["links"]?.array ?? [] {
                var link = try #require(link.object)
                link["expect"] = nil
                #expect(try server.exchange(.create(JSONValue(link).text())).status == 201)
            }
            let remote = try installation.run(
                ["test", "code", "--url", "http://127.0.0.1:\(server.port)", "--key", Installation.adminKey])
            #expect(remote.end == .exit(0), "\(remote)")
            #expect(remote.output == alone.output)
        }

        @Test(arguments: [("windows", Int32(2)), ("linux", 0)])
        func `a test that chance decides is refused`(visitor: String, status: Int32) throws {
            let installation = try Installation()
            let text = """
                {"applications": [\(Shop.application())], "links": [{"slug": "x", "urls": {"web": "https://a.example/"},
                  "rules": [{"when": {"platform": "windows", "percentage": 50}, "to": "https://b.example/"}],
                  "expect": [{"as": "\(visitor)", "leadsTo": "HTTPS://a.example/"}]}]}
                """
            try write(text, to: "x.json", in: installation)
            // Also whichever of both the visitor falls under.
            for _ in 0..<4 {
                let run = try installation.run(["test", "code"])
                #expect(run.end == .exit(status), "\(run)")
                #expect(run.errors.contains("can't be decided") == (status == 2))
            }
        }

        private static func split(_ expectations: String) -> String {
            """
            {"applications": [\(Shop.application())], "links": [{"slug": "x", "urls": {"web": "https://a.example/"},
              "rules": [{"name": "b", "when": {"platform": "windows", "percentage": 2}, "to": "https://b.example/"},
                        {"name": "c", "when": {"platform": "windows", "percentage": 1}, "to": "https://c.example/"}],
              "expect": [\(expectations)]}]}
            """
        }

        @Test func `a variant decides a test with a chance`() throws {
            let installation = try Installation()
            let text = Self.split(
                """
                {"as": "windows", "variant": "b", "leadsTo": "https://b.example/"},
                {"as": "windows", "variant": "c", "leadsTo": "https://c.example/"},
                {"as": "windows", "variant": null, "leadsTo": "https://a.example/"},
                {"as": "linux", "variant": null, "leadsTo": "https://a.example/"}
                """)
            try write(text, to: "x.json", in: installation)
            let alone = try installation.run(["test", "code"])
            #expect(alone.end == .exit(0) && alone.output == "4 tests passed, 0 failed\n", "\(alone)")
            let server = try installation.start()
            var link = try #require(try JSONValue(parsing: text)["links"]?.array?.first?.object)
            link["expect"] = nil
            #expect(try server.exchange(.create(JSONValue(link).text())).status == 201)
            let remote = try installation.run(
                ["test", "code", "--url", "http://127.0.0.1:\(server.port)", "--key", Installation.adminKey])
            #expect(remote.end == .exit(0) && remote.output == alone.output, "\(remote)")
        }

        @Test(arguments: [
            (#"{"as": "windows", "variant": "b", "leadsTo": "https://c.example/"}"#, Int32(1), "leadsTo is https://b."),
            (#"{"as": "linux", "variant": "b", "leadsTo": "https://a.example/"}"#, 1, "variant is none, not b"),
            (#"{"as": "linux", "variant": "d", "leadsTo": "https://a.example/"}"#, 2, "not the name of a rule with a"),
            (#"{"as": "linux", "variant": "", "leadsTo": "https://a.example/"}"#, 2, "variant must be the name"),
            (#"{"as": "linux", "variant": "b"}"#, 2, "expects nothing"),
        ])
        func `a wrong variant is reported`(expectation: String, status: Int32, message: String) throws {
            let installation = try Installation()
            try write(Self.split(expectation), to: "x.json", in: installation)
            let run = try installation.run(["test", "code"])
            #expect(run.end == .exit(status) && (run.output + run.errors).contains(message), "\(run)")
        }

        @Test func `a server that does not answer exits with 2`() throws {
            let installation = try Installation()
            try write("{\"applications\": [\(Shop.application())]}", to: "apps.json", in: installation)
            try write(Self.links, to: "links.json", in: installation)
            let run = try installation.run(
                ["test", "code", "--url", "http://127.0.0.1:9", "--key", Installation.adminKey])
            #expect(run.end == .exit(2) && !run.errors.isEmpty, "\(run)")
        }

        @Test(arguments: ["text", "json", "junit", "sarif"])
        func `a failing test is reported in each format`(format: String) throws {
            let installation = try Installation()
            let link = """
                {"applications": [\(Shop.application())],
                 "links": [{"slug": "x", "urls": {"web": "https://a.example/?a=1&b=2"}, "expect": [
                   {"as": "linux", "leadsTo": "https://b.example/"}, {"as": "windows", "opensApp": false}]}]}
                """
            try write(link, to: "x.json", in: installation)
            let run = try installation.run(["test", "code/x.json", "--format", format])
            #expect(run.end == .exit(1), "\(run)")
            let line = link.split(separator: "\n").firstIndex { $0.contains("b.example") }.map { $0 + 1 } ?? 0
            switch format {
            case "json":
                #expect(run.json["failed"]?.integer == 1 && run.json["passed"]?.integer == 1)
                let first = run.json["tests"]?.array?.first
                #expect(first?["line"]?.integer == line && first?["passed"]?.bool == false)
                #expect(first?["mismatches"]?.array?.first?["found"]?.string == "https://a.example/?a=1&b=2")
            case "junit":
                #expect(run.output.contains("tests=\"2\" failures=\"1\""))
                #expect(run.output.contains("leadsTo is https://a.example/?a=1&amp;b=2, not https://b.example/"))
            case "sarif":
                let result = run.json["runs"]?.array?.first?["results"]?.array?.first
                #expect(result?["ruleId"] == "leadsTo")
                let place = result?["locations"]?.array?.first?["physicalLocation"]
                #expect(place?["artifactLocation"]?["uri"] == "code/x.json")
                #expect(place?["region"]?["startLine"]?.integer == line)
            default:
                #expect(run.output.hasPrefix("code/x.json:\(line): go.example.com/x as linux\n  leadsTo is "))
                #expect(run.output.hasSuffix("1 test passed, 1 failed\n"))
            }
        }

        @Test(arguments: [
            ("{}", ["nothing.json"], 2), ("{\"links\": 1}", ["code"], 2),
            (#"{"links": [{"slug": "x", "app": "shop", "urls": {"web": "https://a.example/"}}]}"#, ["code"], 2),
            ("{}", ["code", "--format", "xml"], 2), ("{}", ["code"], 0),
        ])
        func `unusable files exit with 2`(text: String, arguments: [String], status: Int32) throws {
            let installation = try Installation()
            try write(text, to: "x.json", in: installation)
            let run = try installation.run(["test"] + arguments)
            #expect(run.end == .exit(status), "\(run)")
            #expect(run.errors.isEmpty == (status == 0))
        }
    }
}
