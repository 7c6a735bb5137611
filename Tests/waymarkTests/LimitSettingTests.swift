import Foundation
import Testing
import WaymarkJSON

@testable import waymark

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

        var leastOrOther: JSONValue { range?.least ?? true }

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
                + (isTime ? [] : [LimitSettingTests.number("2000.5")])
        }
    }

    fileprivate static func number(_ text: some StringProtocol) -> JSONValue {
        (try? JSONValue(parsing: String(text))) ?? .null
    }

    private static func documentation() throws -> [Documented] {
        let page = try String(contentsOfFile: Documentation.path("operations/limits.md"), encoding: .utf8)
        return page.split(separator: "\n").filter { $0.hasPrefix("| `") }.map { line in
            let cells = line.split(separator: "|").map { $0.trimmingCharacters(in: .whitespaces) }
            let ends = cells[3].split(separator: "–").map { number($0) }
            return Documented(
                key: cells[0].trimmingCharacters(in: ["`"]), standard: number(cells[1]),
                range: ends.count == 2 ? (ends[0], ends[1]) : nil, isTime: cells[2] == "seconds")
        }
    }

    private func limits(_ limits: JSONValue) throws -> JSONObject {
        try #require(try Configuration.reading(["limits": limits]).document["limits"]?.object)
    }

    private func message(_ limits: JSONValue) -> String {
        #expect(throws: CommandFailure.self) { try Configuration.reading(["limits": limits]) }?.message ?? ""
    }

    @Test func theDocumentationHasEveryKeyWithItsDefault() throws {
        let shown = try limits([:])
        let documented = try Self.documentation()
        #expect(Set(documented.map(\.key)) == Set(shown.members.map(\.name)))
        #expect(documented.count == shown.members.count)
        for row in documented { #expect(shown[row.key] == row.standard, "\(row.key)") }
    }

    @Test func bothEndsOfEachRangeAreAllowed() throws {
        let rows = try Self.documentation()
        for end in [\Documented.other, \Documented.leastOrOther] {
            let given = rows.reduce(into: JSONObject()) { $0[$1.key] = $1[keyPath: end] }
            let shown = try limits(JSONValue(given))
            for row in rows { #expect(shown[row.key] == row[keyPath: end], "\(row.key)") }
        }
    }

    @Test func `a value beyond its range is refused by name`() throws {
        for row in try Self.documentation() {
            for value in row.wrong {
                let message = message(JSONValue([row.key: value] as JSONObject))
                #expect(message.hasPrefix("limits.\(row.key) in "), "\(row.key): \(value) \(message)")
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
    func `an invalid limit is named`(wrong: (limits: JSONValue, named: [String])) {
        let message = message(wrong.limits)
        for name in wrong.named { #expect(message.contains(name), "\(message)") }
    }

    @Test func nullIsTheDefault() throws {
        let shown = try limits(["connections": .null, "headerSeconds": Self.number("0.25")])
        #expect(shown["connections"] == 10_000)
        #expect(shown["headerSeconds"] == Self.number("0.25"))
    }
}
