import Foundation
import Testing
import WaymarkJSON

extension EndToEnd {
    /// The limits of the configuration file, and that they are what `docs/operations/limits.md` says they are.
    @Suite struct LimitSettingTests {
        /// One row of a table in the documentation.
        struct Documented: Sendable, CustomTestStringConvertible {
            let key: String
            let standard: JSONValue
            /// Nil for what is true or false.
            let range: (least: JSONValue, most: JSONValue)?
            let isTime: Bool

            var testDescription: String { key }

            /// A value that is allowed and not the default.
            var other: JSONValue {
                guard let range else { return false }
                return standard == range.most ? range.least : range.most
            }

            /// Values beyond what is allowed, and of other types.
            var wrong: [JSONValue] {
                guard let range else { return ["true", 1, []] }
                let beyond = JSONValue((range.most.integer ?? 0) + 1)
                let below = isTime ? JSONValue(0) : JSONValue((range.least.integer ?? 0) - 1)
                return [beyond, below, JSONValue("\(standard.text())"), true, ["1"]]
                    + (isTime ? [] : [number("2000.5")])
            }
        }

        private static func number(_ text: some StringProtocol) -> JSONValue {
            (try? JSONValue(parsing: String(text))) ?? .null
        }

        private static func documentation() throws -> [Documented] {
            let page = try String(
                contentsOf: Executable.package.appendingPathComponent("docs/operations/limits.md"), encoding: .utf8)
            return page.split(separator: "\n").filter { $0.hasPrefix("| `") }.map { line in
                let cells = line.split(separator: "|").map { $0.trimmingCharacters(in: .whitespaces) }
                let ends = cells[3].split(separator: "–").map { number($0) }
                return Documented(
                    key: cells[0].trimmingCharacters(in: ["`"]), standard: number(cells[1]),
                    range: ends.count == 2 ? (ends[0], ends[1]) : nil, isTime: cells[2] == "seconds")
            }
        }

        private func check(_ limits: JSONValue) throws -> CommandRun {
            let installation = try Installation(configuration: ["limits": limits])
            return try installation.run(["check-config", "--json", "--config", installation.configurationFile.path])
        }

        @Test func theDocumentationHasEveryKeyWithItsDefault() throws {
            let shown = try #require(try check([:]).json["limits"]?.object)
            let documented = try Self.documentation()
            #expect(Set(documented.map(\.key)) == Set(shown.members.map(\.name)))
            #expect(documented.count == shown.members.count)
            for row in documented { #expect(shown[row.key] == row.standard, "\(row.key)") }
        }

        @Test func bothEndsOfEachRangeAreAllowed() throws {
            let rows = try Self.documentation()
            for end in [\Documented.other, \Documented.leastOrOther] {
                var limits = JSONObject()
                for row in rows { limits[row.key] = row[keyPath: end] }
                let run = try check(JSONValue(limits))
                #expect(run.end == .exit(0), "\(run)")
                for row in rows { #expect(run.json["limits"]?[row.key] == row[keyPath: end], "\(row.key)") }
            }
        }

        @Test func whatIsBeyondARangeIsRefusedByName() throws {
            for row in try Self.documentation() {
                for value in row.wrong {
                    let run = try check(JSONValue([row.key: value] as JSONObject))
                    #expect(run.end == .exit(2), "\(row.key): \(value) \(run)")
                    #expect(run.errorLines.count == 1, "\(run)")
                    #expect(run.errors.contains("limits.\(row.key) in "), "\(run)")
                }
            }
        }

        private static let wrong: [(limits: JSONValue, named: [String])] = [
            (["conections": 1], ["limits in ", "\"conections\"", "connectionsPerAddress"]),
            (["Connections": 1], ["\"Connections\""]),
            ([1], ["limits in ", "an array", "an object"]),
            ("10", ["limits in ", "a string", "an object"]),
            (["headerSeconds": 0], ["limits.headerSeconds in ", " 0 ", "0.001"]),
            (["headerSeconds": -1], ["limits.headerSeconds in "]),
            (["connections": "10"], ["limits.connections in ", "a string"]),
        ]

        @Test(arguments: wrong)
        func wrongLimitsAreNamed(wrong: (limits: JSONValue, named: [String])) throws {
            let run = try check(wrong.limits)
            #expect(run.end == .exit(2), "\(run)")
            #expect(run.errorLines.count == 1, "\(run)")
            for name in wrong.named { #expect(run.errors.contains(name), "\(run)") }
        }

        @Test func nullIsTheDefault() throws {
            let run = try check(["connections": .null, "headerSeconds": Self.number("0.25")])
            #expect(run.json["limits"]?["connections"] == 10_000, "\(run)")
            #expect(run.json["limits"]?["headerSeconds"] == Self.number("0.25"), "\(run)")
        }

        @Test(arguments: EventLoops.all)
        func aServerKeepsToWhatItIsToldAlsoAfterAReload(eventLoop: String) throws {
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
    }
}

extension EndToEnd.LimitSettingTests.Documented {
    fileprivate var leastOrOther: JSONValue { range?.least ?? true }
}

extension EndToEnd.LimitSettingTests.Documented {
    fileprivate func number(_ text: String) -> JSONValue { (try? JSONValue(parsing: text)) ?? .null }
}
