import Foundation
import Testing
import WaymarkJSON

extension EndToEnd {
    /// `waymark plan` and `waymark apply` against a running server.
    @Suite struct ApplyCommandTests {
        let installation: Installation
        let server: RunningServer

        init() throws {
            installation = try Installation(configuration: ["webhooks": ["allowedNetworks": ["127.0.0.0/8"]]])
            server = try installation.start()
        }

        func write(_ text: String, to name: String = "links.json", folder: String = "code") throws {
            let folder = installation.folder.appendingPathComponent(folder)
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
            try Data(text.utf8).write(to: folder.appendingPathComponent(name))
        }

        func run(_ arguments: String..., folder: String = "code") throws -> CommandRun {
            let remote = ["--url", "http://127.0.0.1:\(server.port)", "--key", Installation.adminKey]
            return try installation.run([arguments[0], folder] + arguments.dropFirst() + remote)
        }

        /// The names in each part of a plan.
        func plan(_ arguments: String...) throws -> [String: [String]] {
            let remote = ["--url", "http://127.0.0.1:\(server.port)", "--key", Installation.adminKey]
            let run = try installation.run(["plan", "code", "--json"] + arguments + remote)
            try #require(run.end == .exit(0), "\(run)")
            var names: [String: [String]] = [:]
            for part in ["create", "change", "delete"] {
                names[part] = try #require(run.json[part]?.array).compactMap { $0["name"]?.string }
            }
            return names
        }

        static let nothing: [String: [String]] = ["create": [], "change": [], "delete": []]

        private static let link = """
            {"slug": "spring", "app": "shop", "route": "products/:product_id", "routeParameters": {"product_id": 42},
             "urls": {"windows": "HTTPS://Shop.example.com/w"}, "metadata": {"coupon": "20"}, "redeemLimit": 3,
             "tags": ["b", "a"], "expiresAt": "2027-01-31T01:00:00+01:00", "social": {"title": "Hello"},
             "rules": [{"name": "german", "when": {"country": "DE"}, "to": "https://de.example/"}],
             "forwardQuery": false, "campaign": {"source": "mail"}}
            """
        static let plain = #"{"slug": "x", "app": "shop", "urls": {"web": "https://a.example/"}}"#

        @Test func `a plan after an apply is empty`() throws {
            try write(#"{"links": [\#(Self.link), \#(Self.plain)]}"#)
            #expect(try plan()["create"] == ["go.example.com/spring", "go.example.com/x"])
            let applied = try run("apply")
            #expect(applied.end == .exit(0) && applied.output.contains("2 created, 0 changed, 0 deleted"), "\(applied)")
            #expect(try plan() == Self.nothing)
            let again = try run("apply")
            #expect(again.end == .exit(0) && again.output == "nothing to do\n", "\(again)")
            let link = try server.exchange(.api("GET", "/links/go.example.com/spring")).json
            #expect(link["managedBy"]?.string == "code" && link["version"]?.integer == 1)
            let listed = try server.exchange(.api("GET", "/links?managedBy=code")).json
            #expect(listed["links"]?.array?.count == 2)
        }

        @Test func `edits elsewhere are drift and are undone`() throws {
            try write(#"{"links": [\#(Self.link), \#(Self.plain)]}"#)
            #expect(try run("apply").end == .exit(0))
            let patch = #"{"tags": ["z"], "urls": {"web": "https://b.example/"}, "metadata": {"coupon": "90"}}"#
            #expect(try server.exchange(.api("PATCH", "/links/go.example.com/spring", patch)).status == 200)
            let text = try run("plan")
            #expect(
                text.output.contains("~ link go.example.com/spring: urls, metadata, tags (drift"), "\(text)")
            #expect(!text.output.contains("90"))
            #expect(try run("apply").end == .exit(0))
            #expect(try plan() == Self.nothing)
            let link = try server.exchange(.api("GET", "/links/go.example.com/spring")).json
            #expect(link["urls"]?["web"] == nil && link["tags"] == ["b", "a"])

            // A change of the files is none.
            try write(#"{"links": [\#(Self.link.replacing("\"mail\"", with: "\"post\"")), \#(Self.plain)]}"#)
            let change = try run("plan", "--json")
            let step = change.json["change"]?.array?.first
            #expect(step?["drift"]?.bool == false, "\(change)")
            #expect(step?["fields"]?.array?.first?["to"]?["source"]?.string == "post")
        }

        @Test(arguments: [plain, plain.replacing("\"slug\"", with: "\"tags\": [\"t\"], \"slug\"")])
        func `a link that was renamed elsewhere gets its slug back`(link: String) throws {
            try write(#"{"links": [\#(Self.link), \#(Self.plain)]}"#)
            #expect(try run("apply").end == .exit(0))
            try rename("x", to: "y")
            try write(#"{"links": [\#(Self.link), \#(link)]}"#)
            #expect(try plan("--prune") == ["create": [], "change": ["go.example.com/x"], "delete": []])
            let step = try run("plan", "--json").json["change"]?.array?.first
            let field = step?["fields"]?.array?.first { $0["field"] == "slug" }
            #expect(step?["drift"] == true && field?["from"] == "y" && field?["to"] == "x")
            let applied = try run("apply", "--prune")
            #expect(applied.output.hasSuffix("0 created, 1 changed, 0 deleted\n"), "\(applied)")
            let stored = try server.exchange(.api("GET", "/links/go.example.com/y")).json
            #expect(stored["slug"] == "x" && stored["aliases"] == ["y"])
            #expect(try plan() == Self.nothing)
            // The apply's own change is no drift.
            try write(#"{"links": [\#(Self.link), \#(link.replacing("a.example", with: "b.example"))]}"#)
            #expect(try run("plan", "--json").json["change"]?.array?.first?["drift"] == false)
        }

        @Test func `an alias that begins like a domain is found`() throws {
            let plain = Self.plain.replacing("\"x\"", with: "\"sale.de/tv\"")
            try write(#"{"links": [\#(plain)]}"#)
            #expect(try run("apply").end == .exit(0))
            try rename("sale.de%2Ftv", to: "y")
            #expect(try run("apply", "--prune").output.hasSuffix("0 created, 1 changed, 0 deleted\n"))
            #expect(try plan() == Self.nothing)
        }

        @Test func `two names of one link are refused`() throws {
            try write(#"{"links": [\#(Self.plain)]}"#)
            #expect(try run("apply").end == .exit(0))
            try rename("x", to: "y")
            try write(#"{"links": [\#(Self.plain), \#(Self.plain.replacing("\"x\"", with: "\"y\""))]}"#)
            let refused = try run("apply")
            #expect(refused.end == .exit(1), "\(refused)")
            #expect(
                refused.errors.contains(
                    "go.example.com/x is an alias of go.example.com/y: write that name here, or remove the link"))
            #expect(refused.errors.contains("waymark links rename go.example.com/y x"))
        }

        private func rename(_ slug: String, to other: String) throws {
            let answer = try server.exchange(
                .api("POST", "/links/go.example.com/\(slug):rename", #"{"slug": "\#(other)"}"#))
            #expect(answer.status == 200)
        }

        @Test func `links are deleted with --prune only`() throws {
            try write(#"{"links": [\#(Self.link), \#(Self.plain)]}"#)
            #expect(try run("apply").end == .exit(0))
            try write(#"{"links": [\#(Self.link)]}"#)
            #expect(try plan() == Self.nothing)
            #expect(try run("plan").output.contains("1 link of the owner not in the files"))
            #expect(try plan("--prune")["delete"] == ["go.example.com/x"])
            #expect(try run("apply", "--prune").end == .exit(0))
            #expect(try server.exchange(.api("GET", "/links/go.example.com/x")).status == 404)
            #expect(try plan("--prune") == Self.nothing)
        }

        @Test func `links of others are left alone`() throws {
            #expect(try server.exchange(.create(Self.plain)).status == 201)
            try write(#"{"links": [\#(Self.plain)]}"#)
            for command in ["plan", "apply"] {
                let refused = try run(command)
                #expect(refused.end == .exit(1) && refused.errors.contains("--adopt takes it over"), "\(refused)")
            }
            #expect(try plan("--adopt")["change"] == ["go.example.com/x"])
            #expect(try run("apply", "--adopt").end == .exit(0))
            #expect(try plan() == Self.nothing)
            let other = try run("plan", "--owner", "others")
            #expect(other.end == .exit(1) && other.errors.contains("is managed by code"), "\(other)")
        }

        @Test func `one apply runs at a time`() throws {
            try write(#"{"links": [\#(Self.plain)]}"#)
            let lock = try server.exchange(.api("POST", "/links:lock", #"{"owner": "others"}"#)).json
            let token = try #require(lock["token"]?.string)
            let refused = try run("apply")
            #expect(refused.end == .exit(1) && refused.errors.contains("another apply is running, of others"))
            // A plan needs no lock.
            #expect(try plan()["create"] == ["go.example.com/x"])
            let freed = try server.exchange(
                .api("POST", "/links:lock", #"{"owner": "others", "token": "\#(token)", "release": true}"#))
            #expect(freed.json["released"]?.bool == true)
            #expect(try run("apply").end == .exit(0))
        }

        @Test func `applications and webhooks are applied`() throws {
            let app = Shop.application().replacing("\"shop\", \"name\"", with: "\"news\", \"name\"")
                .replacing("go.example.com", with: "news.example.com").replacing("ABCDE12345", with: "ABCDE12346")
            let hook = #"{"url": "http://127.0.0.1:9/hook", "events": ["link.*"], "app": "news"}"#
            try write(#"{"applications": [\#(app)], "webhooks": [\#(hook)]}"#, to: "apps.json")
            try write(#"{"links": [\#(Self.plain.replacing("\"shop\"", with: "\"news\""))]}"#)
            let refused = try run("apply")
            #expect(refused.end == .exit(1) && refused.errors.contains("give --secrets"), "\(refused)")
            let applied = try run("apply", "--secrets", "secrets.json")
            #expect(applied.end == .exit(0), "\(applied)")
            let file = installation.folder.appendingPathComponent("secrets.json")
            let attributes = try FileManager.default.attributesOfItem(atPath: file.path)
            #expect(attributes[.posixPermissions] as? Int == 0o600)
            let secret = try JSONValue(parsing: Array(Data(contentsOf: file)))["webhooks"]?.array?.first?["secret"]
            #expect(secret?.string?.hasPrefix("whsec_") == true)
            #expect(!applied.output.contains("whsec_") && !applied.errors.contains("whsec_"))
            #expect(try plan() == Self.nothing)
            #expect(try server.exchange(.api("GET", "/links/news.example.com/x")).status == 200)
        }

        @Test func `pruning with one file needs an owner`() throws {
            try write(#"{"links": [\#(Self.link)]}"#)
            try write(#"{"links": [\#(Self.plain)]}"#, to: "two.json")
            #expect(try run("apply").end == .exit(0))
            let refused = try run("plan", "--prune", folder: "code/two.json")
            #expect(refused.end == .exit(2) && refused.errors.contains("--owner"), "\(refused)")
            let named = try run("plan", "--prune", "--owner", "code", folder: "code/two.json")
            #expect(named.output.contains("- link go.example.com/spring"), "\(named)")
        }

        @Test func `a plan needs a key that reads`() throws {
            try write("{\"applications\": [\(Shop.application())], \"links\": [\(Self.plain)]}")
            let key = try server.exchange(.api("POST", "/keys", #"{"name": "plan", "scopes": ["read"]}"#)).json
            let secret = try #require(key["key"]?.string)
            let run = try installation.run(
                ["plan", "code", "--url", "http://127.0.0.1:\(server.port)", "--key", secret])
            #expect(run.end == .exit(0) && run.output.contains("+ link go.example.com/x"), "\(run)")
            #expect(run.errors.contains("application shop is not compared"))
        }

        @Test func `large links are sent in several batches`() throws {
            let text = String(repeating: "m", count: 12_000)
            let links = (0..<800).map {
                #"{"slug": "s\#($0)", "app": "shop", "urls": {"web": "https://a.example/"}, "metadata": {"a": "\#(text)"}}"#
            }
            try write(#"{"links": [\#(links.joined(separator: ",\n"))]}"#)
            let run = try run("apply")
            #expect(run.output.hasSuffix("800 created, 0 changed, 0 deleted\n"), "\(run.errors)")
        }

        @Test func `aliases are refused among many links`() throws {
            #expect(try server.exchange(.create(Self.plain)).status == 201)
            try rename("x", to: "y")
            let others = (0..<150).map { #"{"slug": "s\#($0)", "app": "shop", "urls": {"web": "https://a.example/"}}"# }
            try write(#"{"links": [\#(([Self.plain] + others).joined(separator: ",\n"))]}"#)
            let refused = try run("plan")
            #expect(refused.end == .exit(1) && refused.errors.contains("go.example.com/x is an alias of"), "\(refused)")
        }

        @Test func `an application that is nowhere is named`() throws {
            try write(#"{"links": [\#(Self.plain.replacing("\"shop\"", with: "\"none\""))]}"#)
            for command in ["plan", "apply", "test"] {
                let refused = try run(command)
                #expect(refused.end == .exit(2), "\(refused)")
                #expect(refused.errors.contains("app none is neither in the files nor on the server"))
            }
        }

        @Test(arguments: [("{\"links\": [{}]}", Int32(2)), ("{\"links\": []}", 0), ("nonsense", 2)])
        func `unusable files exit with 2`(text: String, status: Int32) throws {
            try write(text)
            for command in ["plan", "apply"] { #expect(try run(command).end == .exit(status)) }
        }

        @Test func `thousands of links are planned and applied`() throws {
            let links = (0..<2_100).map {
                #"{"slug": "s\#($0)", "app": "shop", "urls": {"web": "https://a.example/\#($0)"}, "tags": ["t"]}"#
            }
            try write(#"{"links": [\#(links.joined(separator: ",\n"))]}"#)
            #expect(try run("apply").output.hasSuffix("2100 created, 0 changed, 0 deleted\n"))
            #expect(try plan() == Self.nothing)
            try write(#"{"links": [\#(links.joined(separator: ",\n").replacing("\"t\"", with: "\"u\""))]}"#)
            #expect(try run("apply").output.hasSuffix("0 created, 2100 changed, 0 deleted\n"))
            #expect(try plan() == Self.nothing)
        }
    }
}
