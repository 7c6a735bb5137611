import Foundation
import Testing
import WaymarkJSON

extension EndToEnd {
    /// A wrong flag, value, key or file: one line that names it, status 2, and nothing is started. `ConfigurationTests` has
    /// every setting.
    @Suite struct ConfigurationErrorTests {
        private static let wrongFlags: [(arguments: [String], named: [String])] = [
            (["--lissten", "127.0.0.1:0"], ["--lissten"]),
            (["surplus"], ["surplus"]),
            (["--threads"], ["--threads"]),
            (["--threads", "two"], ["--threads", "\"two\"", "1", "256"]),
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
            (["threads": 0], ["threads", "256"]),
            (["applications": "nowhere.json"], ["nowhere.json"]),
        ]

        @Test(arguments: wrongMembers)
        func aWrongMemberOfTheFileIsNamed(wrong: (members: JSONObject, named: [String])) throws {
            let installation = try Installation(configuration: wrong.members)
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
            ("WAYMARK_THREADS", "many"), ("WAYMARK_ADMIN_KEY", "wm_tooshort"),
        ]

        @Test(arguments: wrongVariables)
        func aWrongVariableIsNamed(wrong: (name: String, value: String)) throws {
            let installation = try Installation()
            let run = try installation.run(
                ["serve", "--config", installation.configurationFile.path], environment: [wrong.name: wrong.value])
            try expectRefusal(run, naming: [wrong.name], in: installation)
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
