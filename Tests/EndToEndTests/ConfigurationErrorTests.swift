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
            (["--database", "mysql://localhost"], ["--database", "mysql://localhost", "sqlite:"]),
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
            (["listen": "127.0.0.1:0"], ["listen", "array"]),
            (["listen": []], ["listen"]),
            (["listen": ["127.0.0.1:0", 80]], ["listen"]),
            (["listen": ["127.0.0.1"]], ["listen", "127.0.0.1"]),
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

        private static let wrongApplications: [(text: String, named: [String])] = [
            ("", ["applications.json"]),
            ("[{", ["applications.json"]),
            ("{\"id\": \"shop\"}", ["applications.json", "array"]),
            ("[7]", ["applications.json"]),
            ("[{\"name\": \"Shop\"}]", ["applications.json", "id"]),
            ("[\(Shop.application()), \(Shop.application())]", ["applications.json", "shop"]),
            (
                "[\(Shop.application()), {\"id\": \"other\", \"name\": \"Other\", \"domains\": [\"GO.example.com\"]}]",
                ["applications.json", "go.example.com"]
            ),
            (
                Shop.applications.replacing("\"appStoreID\"", with: "\"appStoreId\""),
                ["applications.json", "appStoreId"]
            ),
            (
                Shop.applications.replacing("\"domains\": [\"go.example.com\"]", with: "\"domains\": [\"go example\"]"),
                ["applications.json", "domains"]
            ),
            (
                Shop.applications.replacing("\"id\": \"shop\"", with: "\"id\": \"shop\", \"redirectStatus\": 303"),
                ["applications.json", "redirectStatus"]
            ),
            (
                Shop.applications.replacing(
                    "https://shop.example.com/products/:product_id", with: "data:text/html,:product_id"),
                ["applications.json", "urls.web"]
            ),
        ]

        @Test(arguments: wrongApplications)
        func aBadApplicationsFileIsNamed(wrong: (text: String, named: [String])) throws {
            let installation = try Installation(applications: wrong.text)
            for command in ["serve", "check-config"] {
                try expectRefusal(
                    try installation.run([command, "--config", installation.configurationFile.path]),
                    naming: wrong.named, in: installation)
            }
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
