import Foundation
import Testing
import WaymarkJSON

extension EndToEnd {
    /// A wrong flag, value, key or file: one line that names it, status 2, and nothing is started.
    @Suite struct ConfigurationErrorTests {
        private static let wrongFlags: [(arguments: [String], named: [String])] = [
            (["--lissten", "127.0.0.1:0"], ["--lissten"]),
            (["surplus"], ["surplus"]),
            (["--threads"], ["--threads"]),
            (["--threads", "0"], ["--threads", "\"0\"", "1", "256"]),
            (["--threads", "two"], ["--threads", "\"two\""]),
            (["--threads", "999999999999999999999"], ["--threads"]),
            (["--listen", "8080"], ["--listen", "\"8080\"", "HOST:PORT"]),
            (["--listen", "127.0.0.1:65536"], ["--listen", "65535"]),
            (["--listen", "::1:80"], ["--listen"]),
            (["--listen", ""], ["--listen"]),
            (["--admin-listen", "nowhere"], ["--admin-listen"]),
            (["--listen", "unix:"], ["--listen", "unix:PATH"]),
            (["--listen", "unix:/\(String(repeating: "x", count: 120))"], ["--listen"]),
            (["--listen", "systemd:"], ["--listen", "systemd:NAME"]),
            (["--listen", "127.0.0.1:0,"], ["--listen"]),
            (["--listen", "127.0.0.1:0,prozy"], ["--listen", "prozy", ",proxy"]),
            (["--listen", "127.0.0.1:0,proxy,proxy"], ["--listen"]),
            (["--listen", "127.0.0.1:0,mode=0600"], ["--listen"]),
            (["--listen", "unix:a.sock,mode=0888"], ["--listen"]),
            // Without trusted proxies nobody could connect.
            (["--listen", "127.0.0.1:0,proxy"], ["127.0.0.1:0,proxy", "trustedProxies"]),
            (["--database", "mysql://localhost"], ["--database", "mysql://localhost", "sqlite:"]),
            // A URL with user information may hold a password and is not repeated.
            (["--database", "postgress://ana:secret@db/links"], ["--database: \"…\"", "postgres://"]),
            (["--database", "postgres://ana:secret@db/links?nonsense=1"], ["--database: \"…\"", "postgres://"]),
            (["--event-loop", "kqueue"], ["--event-loop", "kqueue", "epoll", "dispatch"]),
            (["--public", ""], ["--public"]),
            (["--public", "/nowhere/at/all"], ["/nowhere/at/all"]),
        ]

        @Test(arguments: wrongFlags, ["serve", "check-config"])
        func aWrongFlagIsNamed(wrong: (arguments: [String], named: [String]), command: String) throws {
            let installation = try Installation()
            try expectRefusal(
                try installation.run([command, "--config", installation.configurationFile.path] + wrong.arguments),
                naming: wrong.named, in: installation)
        }

        private static let wrongMembers: [(members: JSONObject, named: [String])] = [
            (["lissten": ["127.0.0.1:0"]], ["lissten", "waymark.json", "listen"]),
            (["Threads": 1], ["Threads"]),
            (["clicks": 400], ["clicks", "object"]),
            (["clicks": ["retentionDay": 400]], ["clicks", "retentionDay", "retentionDays"]),
            (["clicks": ["retentionDays": 0]], ["clicks.retentionDays", "0", "1", "3650"]),
            (["clicks": ["retentionDays": 3_651]], ["clicks.retentionDays", "3651"]),
            (["clicks": ["record": 1]], ["clicks.record", "true or false"]),
            (["clicks": ["visitors": "none"]], ["clicks.visitors", "true or false"]),
            (["clicks": ["flushSeconds": 61]], ["clicks.flushSeconds", "61", "1", "60"]),
            (["clicks": ["retentionDays": "400"]], ["clicks.retentionDays", "string"]),
            (["listen": "127.0.0.1:0"], ["listen", "array"]),
            (["listen": []], ["listen"]),
            (["listen": ["127.0.0.1:0", 80]], ["listen"]),
            (["listen": ["127.0.0.1"]], ["listen", "127.0.0.1"]),
            (["listen": [["address": "127.0.0.1:0", "proxy": true]]], ["listen[0]", "proxy", "proxyProtocol"]),
            (["listen": [["proxyProtocol": true]]], ["listen[0].address"]),
            (["listen": [["address": "127.0.0.1:0,proxy"]]], ["listen[0].address"]),
            (["listen": [["address": "127.0.0.1:0", "proxyProtocol": "yes"]]], ["listen[0].proxyProtocol"]),
            (["listen": [["address": "127.0.0.1:0", "mode": "0600"]]], ["listen[0].mode"]),
            (["listen": [["address": "unix:a", "mode": 600]]], ["listen[0].mode"]),
            (["listen": ["127.0.0.1:0,proxy"], "trustedProxies": ["unix"]], ["trustedProxies"]),
            (["listen": ["127.0.0.1:0", "unix:a,proxy"], "trustedProxies": ["::1"]], ["unix:", "trustedProxies"]),
            (["trustedProxies": "127.0.0.1"], ["trustedProxies", "array"]),
            (["trustedProxies": ["127.0.0.1", 7]], ["trustedProxies[1]"]),
            (["trustedProxies": ["10.0.0.1/8"]], ["trustedProxies[0]", "10.0.0.1/8"]),
            (["trustedProxies": ["localhost"]], ["trustedProxies[0]", "localhost"]),
            (["rateLimits": []], ["rateLimits"]),
            (["rateLimits": ["creates": false]], ["rateLimits", "creates", "create"]),
            (["rateLimits": ["create": true]], ["rateLimits.create"]),
            (["rateLimits": ["create": ["perMinute": 1]]], ["rateLimits.create.burst"]),
            (["rateLimits": ["create": ["perMinute": 0, "burst": 1]]], ["rateLimits.create.perMinute", "1000000"]),
            (["rateLimits": ["create": ["perMinute": 1, "burst": 1, "size": 1]]], ["rateLimits.create", "size"]),
            (["rateLimits": ["exemptLoopback": 1]], ["rateLimits.exemptLoopback"]),
            (["threads": "2"], ["threads"]),
            (["threads": 0], ["threads", "256"]),
            (["threads": JSONValue(parsed: "1.5")], ["threads"]),
            (["database": true], ["database"]),
            (["database": "redis://localhost"], ["database", "redis://localhost"]),
            (["eventLoop": "poll"], ["eventLoop", "poll", "epoll"]),
            (["public": 7], ["public"]),
            (["public": "nowhere-at-all"], ["nowhere-at-all"]),
            (["applications": ["apps.json"]], ["applications"]),
            (["applications": "nowhere.json"], ["nowhere.json"]),
        ]

        @Test(arguments: wrongMembers)
        func aWrongMemberOfTheFileIsNamed(wrong: (members: JSONObject, named: [String])) throws {
            let installation = try Installation(configuration: wrong.members)
            try expectRefusal(
                try installation.run(["serve", "--config", installation.configurationFile.path]),
                naming: wrong.named, in: installation)
        }

        private static let wrongFiles: [(text: String, named: [String])] = [
            ("", ["waymark.json"]),
            ("[]", ["waymark.json", "object"]),
            ("{\"threads\": 1,}", ["waymark.json"]),
            ("{\"threads\": 1, \"threads\": 2}", ["waymark.json", "threads"]),
            ("{\"threads\": 1} {}", ["waymark.json"]),
        ]

        @Test(arguments: wrongFiles)
        func aConfigurationFileThatIsNoneIsNamed(wrong: (text: String, named: [String])) throws {
            let installation = try Installation()
            try Data(wrong.text.utf8).write(to: installation.configurationFile)
            try expectRefusal(
                try installation.run(["serve", "--config", installation.configurationFile.path]),
                naming: wrong.named, in: installation)
        }

        @Test func aMissingConfigurationFileIsNamed() throws {
            let installation = try Installation()
            try expectRefusal(
                try installation.run(["serve", "--config", "missing.json"]), naming: ["missing.json"], in: installation)
        }

        struct WrongApplications: Sendable, CustomTestStringConvertible {
            let testDescription: String
            let text: String
            /// Besides the file's own name.
            let named: String

            init(_ description: String, _ text: String, named: String = "") {
                testDescription = description
                self.text = text
                self.named = named
            }

            /// The shop's application with one passage replaced.
            init(_ description: String, replacing passage: String, with other: String, named: String) {
                self.init(description, Shop.applications.replacing(passage, with: other), named: named)
            }
        }

        private static let wrongApplications: [WrongApplications] = [
            .init("an empty file", ""),
            .init("no JSON", "[{"),
            .init("an object", #"{"id": "shop"}"#, named: "array"),
            .init("a number for an application", "[7]"),
            .init("no id", #"[{"name": "Shop"}]"#, named: "id"),
            .init("an id twice", "[\(Shop.application()), \(Shop.application())]", named: "shop"),
            .init(
                "a domain twice",
                #"[\#(Shop.application()), {"id": "other", "name": "Other", "domains": ["go.example.com"]}]"#,
                named: "go.example.com"),
            .init("an unknown key", replacing: #""appStoreID""#, with: #""appStoreId""#, named: "appStoreId"),
            .init(
                "a domain that is none", replacing: #"["go.example.com"]"#, with: #"["go example"]"#, named: "domains"),
            .init(
                "a status that is no redirect", replacing: #""id": "shop""#,
                with: #""id": "shop", "redirectStatus": 303"#, named: "redirectStatus"),
            .init(
                "a destination of another scheme", replacing: "https://shop.example.com/products/:product_id",
                with: "data:text/html,:product_id", named: "urls.web"),
        ]

        @Test(arguments: wrongApplications, ["serve", "check-config"])
        func aBadApplicationsFileIsNamed(wrong: WrongApplications, command: String) throws {
            let installation = try Installation(applications: wrong.text)
            try expectRefusal(
                try installation.run([command, "--config", installation.configurationFile.path]),
                naming: ["applications.json"] + (wrong.named.isEmpty ? [] : [wrong.named]), in: installation)
        }

        private static let wrongVariables: [(name: String, value: String)] = [
            ("WAYMARK_THREADS", "many"), ("WAYMARK_LISTEN", "127.0.0.1:0,nowhere"), ("WAYMARK_LISTEN", ""),
            ("WAYMARK_ADMIN_LISTEN", "nowhere"), ("WAYMARK_DATABASE", "file.sqlite"),
            ("WAYMARK_EVENT_LOOP", "select"), ("WAYMARK_ADMIN_KEY", "wm_tooshort"),
            ("WAYMARK_ADMIN_KEY", "0123456789abcdefghij0123456789abcdefghij"),
            ("WAYMARK_ADMIN_KEY", "wm_0123456789abcdefghij0123456789-_"), ("WAYMARK_ADMIN_KEY", ""),
        ]

        @Test(arguments: wrongVariables)
        func aWrongVariableIsNamed(wrong: (name: String, value: String)) throws {
            let installation = try Installation()
            let run = try installation.run(
                ["serve", "--config", installation.configurationFile.path], environment: [wrong.name: wrong.value])
            try expectRefusal(run, naming: [wrong.name], in: installation)
            if wrong.name == "WAYMARK_ADMIN_KEY", !wrong.value.isEmpty { #expect(!run.errors.contains(wrong.value)) }
        }

        @Test func aFlagBeatsTheEnvironmentWhichBeatsTheFile() throws {
            let installation = try Installation(configuration: ["listen": ["127.0.0.1:7001"]])
            let check = ["check-config", "--json", "--config", installation.configurationFile.path]
            #expect(try installation.run(check).json["listen"] == ["127.0.0.1:7001"])
            let environment = ["WAYMARK_LISTEN": "127.0.0.1:7002,[::1]:7003"]
            #expect(
                try installation.run(check, environment: environment).json["listen"]
                    == ["127.0.0.1:7002", "[::1]:7003"])
            #expect(
                try installation.run(check + ["--listen", "127.0.0.1:7004"], environment: environment).json["listen"]
                    == ["127.0.0.1:7004"])
            try installation.write(configuration: ["trustedProxies": ["::1", "10.0.0.0/8", "unix"]])
            let proxied = ["WAYMARK_LISTEN": "127.0.0.1:7002,proxy,[::1]:7003,unix:/w.sock,mode=0600,proxy,systemd:web"]
            let document = try installation.run(check, environment: proxied).json
            #expect(
                document["listen"]
                    == ["127.0.0.1:7002,proxy", "[::1]:7003", "unix:/w.sock,mode=0600,proxy", "systemd:web"])
            #expect(document["trustedProxies"] == ["::1", "10.0.0.0/8", "unix"])
            #expect(document["rateLimits"]?["create"] == ["perMinute": 600, "burst": 300])
        }

        @Test func aGoodConfigurationIsSaidToBeGood() throws {
            let installation = try Installation()
            let run = try installation.run(["check-config", "--config", installation.configurationFile.path])
            #expect(run.end == .exit(0), "\(run)")
            #expect(run.errorLines.isEmpty)
            #expect(!FileManager.default.fileExists(atPath: installation.databaseFile.path))
        }

        private func expectRefusal(_ run: CommandRun, naming words: [String], in installation: Installation) throws {
            #expect(run.end == .exit(2), "\(run)")
            #expect(run.errorLines.count == 1, "\(run)")
            for word in words { #expect(run.errors.contains(word), "\(run)") }
            #expect(!FileManager.default.fileExists(atPath: installation.databaseFile.path), "something was started")
        }
    }
}

extension JSONValue {
    /// A number as it is written, for what Swift has no literal.
    fileprivate init(parsed text: String) {
        self = (try? JSONValue(parsing: text)) ?? .null
    }
}
