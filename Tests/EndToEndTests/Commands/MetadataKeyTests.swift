import Foundation
import Testing
import WaymarkJSON

#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

extension EndToEnd {
    /// `metadataKeys`: what a server does with keys, and what it says of wrong ones.
    @Suite struct MetadataKeyTests {
        private static let first = String(repeating: "0a", count: 32)
        private static let second = String(repeating: "c7", count: 32)
        private static let resolve = #"{"smartlink": "https://go.example.com/gift", "redeem": true}"#

        private static func keys(_ pairs: (String, String)...) -> JSONObject {
            [
                "metadataKeys": JSONValue(
                    pairs.map { JSONValue(["id": JSONValue($0.0), "key": JSONValue($0.1)] as JSONObject) })
            ]
        }

        private func holdsCoupon(_ installation: Installation) throws -> Bool {
            try ["", "-wal"].contains { ending in
                let path = installation.databaseFile.path + ending
                guard FileManager.default.fileExists(atPath: path) else { return false }
                return try Data(contentsOf: URL(fileURLWithPath: path)).range(of: Data(#"{"coupon""#.utf8)) != nil
            }
        }

        /// All that the database holds, sealed as it is.
        private func content(of installation: Installation) throws -> [Substring] {
            let run = try installation.run(
                ["export", "-", "--database", "sqlite:\(installation.databaseFile.path)"])
            #expect(run.end == .exit(0), "\(run)")
            return Array(run.output.split(separator: "\n").dropFirst().dropLast())
        }

        @Test func metadataIsEncryptedInTheFileAndAnsweredAsItWasSent() throws {
            let installation = try Installation(configuration: Self.keys(("2026", Self.first)))
            let server = try installation.start()
            #expect(!server.program.errorText.contains("metadata is stored as it was sent"))
            #expect(try server.exchange(.create(Shop.gift(redeemLimit: 2))).status == 201)
            #expect(try server.exchange(.resolve(Self.resolve)).json["metadata"] == ["coupon": "20"])
            #expect(
                try server.exchange(.api("GET", "/links/go.example.com/gift/metadata")).json == ["coupon": "20"])
            #expect(try !holdsCoupon(installation))
            try server.crash()
            let again = try installation.start()
            #expect(try again.exchange(.resolve(Self.resolve)).json["redeem"]?["used"] == 2)
            #expect(try !holdsCoupon(installation))
        }

        @Test func `a start without keys warns once of plain metadata`() throws {
            let server = try Installation().start()
            try server.stop()
            let lines = server.program.errorLines.filter { $0.contains("metadata is stored as it was sent") }
            #expect(lines.count == 1)
        }

        @Test func aKeyComesFromAFileOrTheEnvironment() throws {
            let installation = try Installation()
            let file = installation.folder.appendingPathComponent("metadata.key")
            try Data((Self.first + "\n").utf8).write(to: file)
            chmod(file.path, 0o644)
            try installation.write(configuration: [
                "metadataKeys": [["id": "f", "keyFile": "metadata.key"], ["id": "e", "environment": "OTHER_KEY"]]
            ])
            let environment = [
                "WAYMARK_ADMIN_KEY": Installation.adminKey,
                "OTHER_KEY": Data(repeating: 0xC7, count: 32).base64EncodedString(),
            ]
            let server = try installation.start(environment: environment)
            try eventually(
                "said", holds: { server.program.errorText.contains("metadata.key can be read by every user") })
            #expect(try server.exchange(.create(Shop.gift())).status == 201)
            try server.stop()
            // The same keys in other words.
            try installation.write(configuration: JSONObject())
            let other = try installation.start(environment: [
                "WAYMARK_ADMIN_KEY": Installation.adminKey,
                "WAYMARK_METADATA_KEYS": "e=\(Self.second), f=\(Self.first)",
            ])
            #expect(try other.exchange(.resolve(Self.resolve)).json["metadata"] == ["coupon": "20"])
            #expect(try !holdsCoupon(installation))
            try other.stop()

            let shown = try installation.run(
                ["check-config", "--json", "--config", installation.configurationFile.path],
                environment: ["WAYMARK_METADATA_KEYS": "e=\(Self.second)"])
            #expect(shown.json["metadataKeys"] == [["id": "e"]], "\(shown)")
            #expect(!shown.output.contains(Self.second))
        }

        @Test(arguments: [(0o644, true, true), (0o604, true, true), (0o640, true, false), (0o644, false, false)])
        func aKeyInAReadableConfigurationFileIsWarnedOf(mode: Int, isInline: Bool, warns: Bool) throws {
            let installation = try Installation(
                configuration: isInline
                    ? Self.keys(("2026", Self.first))
                    : ["metadataKeys": [["id": "2026", "environment": "METADATA_KEY"]]])
            chmod(installation.configurationFile.path, mode_t(mode))
            let server = try installation.start(
                environment: ["WAYMARK_ADMIN_KEY": Installation.adminKey, "METADATA_KEY": Self.first])
            try server.stop()
            let warnings = server.program.errorLines.filter { $0.contains("can be read by every user") }
            #expect(warnings.count == (warns ? 1 : 0), "\(server.program.errorText)")
            for warning in warnings {
                #expect(warning.contains("\"2026\"") && warning.contains(installation.configurationFile.path))
                #expect(!warning.contains(Self.first))
            }
        }

        @Test func aKeyThatIsMissingOrAnotherOneIsNamedAndNothingIsStarted() throws {
            let installation = try Installation(configuration: Self.keys(("2026", Self.first)))
            let server = try installation.start()
            #expect(try server.exchange(.create(Shop.gift())).status == 201)
            try server.stop()
            let before = try content(of: installation)
            for configuration in [JSONObject(), Self.keys(("2027", Self.second)), Self.keys(("2026", Self.second))] {
                try installation.write(configuration: configuration)
                for command in [["serve"], ["keys", "rotate-data-key"], ["links", "list"]] {
                    let run = try installation.run(command + ["--config", installation.configurationFile.path])
                    #expect(run.end == .exit(2), "\(run)")
                    #expect(run.errorLines.count == 1, "\(run)")
                    if command.first != "keys" || !configuration.isEmpty {
                        #expect(run.errors.contains("\"2026\""), "\(run)")
                    }
                }
                #expect(try content(of: installation) == before)
            }
        }

        /// What stands in `metadataKeys`, and a word of what is said of it.
        static let mistakes: [(given: JSONValue, word: String)] = [
            (["a"], "metadataKeys[0]"), ("a", "metadataKeys"), ([["key": JSONValue(first)]], "metadataKeys[0]"),
            ([["id": "", "key": JSONValue(first)]], "id"), ([["id": "a b", "key": JSONValue(first)]], "id"),
            ([["id": "a"]], "\"a\""), ([["id": "a", "key": "short"]], "\"a\""),
            ([["id": "a", "key": JSONValue(first + "00")]], "\"a\""),
            ([["id": "a", "key": JSONValue(String(repeating: "zz", count: 32))]], "\"a\""),
            ([["id": "a", "keyFile": "none.key"]], "none.key"),
            ([["id": "a", "keyFile": "waymark.json"]], "waymark.json"),
            ([["id": "a", "environment": "NOT_THERE"]], "NOT_THERE"),
            ([["id": "a", "key": JSONValue(first), "keyFile": "x"]], "one of"),
            ([["id": "a", "key": JSONValue(first)], ["id": "a", "key": JSONValue(second)]], "twice"),
            ([["id": "a", "key": JSONValue(first)], ["id": "b", "key": JSONValue(first)]], "\"b\""),
            ([["id": "a", "key": JSONValue(first), "more": 1]], "more"), ([["id": 7, "key": JSONValue(first)]], "id"),
        ]

        @Test(arguments: mistakes.indices)
        func aMistakeIsNamedInOneLineAndNoKeyIsShown(mistake: Int) throws {
            let (given, word) = Self.mistakes[mistake]
            let installation = try Installation(configuration: ["metadataKeys": given])
            let run = try installation.run(["check-config", "--config", installation.configurationFile.path])
            #expect(run.end == .exit(2), "\(run)")
            #expect(run.errorLines.count == 1 && run.errors.contains(word), "\(run)")
            #expect(!run.errors.contains(Self.first) && !run.errors.contains("short\""), "\(run)")
        }

        @Test func keysAreChangedWhileTheServerServes() throws {
            let installation = try Installation(configuration: Self.keys(("old", Self.first)))
            let server = try installation.start()
            for number in 0..<40 {
                #expect(try server.exchange(.create(Shop.gift(slug: "gift-\(number)", redeemLimit: 5))).status == 201)
            }
            #expect(try server.exchange(.create(Shop.gift(redeemLimit: 100))).status == 201)

            // A key that no server has read is not used, and a wrong one not taken over.
            let rotate = ["keys", "rotate-data-key", "--config", installation.configurationFile.path]
            try installation.write(configuration: Self.keys(("new", Self.second), ("old", Self.first)))
            let early = try installation.run(rotate)
            #expect(early.end == .exit(1) && early.errors.contains("\"new\""), "\(early)")
            try installation.write(configuration: Self.keys(("new", Self.second)))
            server.program.send(signal: SIGHUP)
            try eventually("refused", holds: { server.program.errorText.contains("the key \"old\" is missing") })
            #expect(try server.exchange(.resolve(Self.resolve)).json["metadata"] == ["coupon": "20"])

            try installation.write(configuration: Self.keys(("new", Self.second), ("old", Self.first)))
            server.program.send(signal: SIGHUP)
            try eventually("read again", holds: { server.program.errorText.contains("configuration read again") })
            let run = try installation.run(rotate)
            #expect(run.end == .exit(0) && run.output.contains("41 of it anew"), "\(run)")
            #expect(run.output.contains("nothing needs the key \"old\""), "\(run)")
            #expect(try server.exchange(.resolve(Self.resolve)).json["metadata"] == ["coupon": "20"])

            try installation.write(configuration: Self.keys(("new", Self.second)))
            try server.crash()
            let again = try installation.start()
            #expect(try again.exchange(.resolve(Self.resolve)).json["metadata"] == ["coupon": "20"])
            #expect(
                try again.exchange(.resolve(#"{"smartlink": "https://go.example.com/gift-7"}"#)).json["metadata"]
                    == ["coupon": "20"])
            let check = try installation.run(["check", "--config", installation.configurationFile.path])
            #expect(check.end == .exit(0), "\(check)")
        }
    }
}
