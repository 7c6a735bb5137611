import ConformanceCases
import Foundation
import Testing

/// `docs/reference/http.md` says which test holds which rule; here it is held to that.
@Suite struct ConformancePageTests {
    private struct Row {
        let line: String
        let tests: [String]
    }

    private static let package = String(#filePath.components(separatedBy: "/Tests/")[0])

    private static let rows: [Row] = {
        let data = FileManager.default.contents(atPath: package + "/docs/reference/http.md") ?? Data()
        return String(decoding: data, as: UTF8.self).split(separator: "\n").compactMap { line in
            let cells = line.split(separator: "|").map { String($0).trimmingBlanks }
            guard line.hasPrefix("| "), cells.count == 4, cells[0] != "Rule" else { return nil }
            return Row(line: String(line), tests: cells[3].split(separator: " ").map { $0.filter { $0 != "`" } })
        }
    }()

    /// The functions of all suites, as `Suite.name`.
    private static let functions: Set<String> = {
        var names: Set<String> = []
        let targets = (try? FileManager.default.contentsOfDirectory(atPath: package + "/Tests")) ?? []
        for target in targets where target.hasSuffix("Tests") {
            let folder = "\(package)/Tests/\(target)"
            for file in (try? FileManager.default.subpathsOfDirectory(atPath: folder)) ?? []
            where file.hasSuffix(".swift") {
                let data = FileManager.default.contents(atPath: "\(folder)/\(file)") ?? Data()
                var suite = ""
                for line in String(decoding: data, as: UTF8.self).split(separator: "\n") {
                    if let match = line.firstMatch(of: /@Suite.* (?:struct|enum) (\w+)/) {
                        suite = String(match.output.1)
                    }
                    if let match = line.firstMatch(of: /func (\w+)\(/) { names.insert("\(suite).\(match.output.1)") }
                }
            }
        }
        return names
    }()

    private static let examples: Set<String> = {
        let accepted = Fixture.all(in: "accept").map { "accept/\($0.name)" }
        return Set(accepted + (ConformanceCase.all + ConformanceCase.refusals).map(\.name))
    }()

    @Test func `the page has a row for every rule`() {
        #expect(Self.rows.count >= 150)
        for row in Self.rows { #expect(row.tests.count >= 1, "\(row.line)") }
    }

    @Test func namesTestsThatExist() {
        for row in Self.rows {
            for test in row.tests {
                let exists =
                    test.hasSuffix("*")
                    ? Self.examples.contains { $0.hasPrefix(test.dropLast()) }
                    : Self.examples.contains(test) || Self.functions.contains(test)
                #expect(exists, "\(test)")
            }
        }
    }

    @Test func leavesNoConversationAndNoFixtureOut() {
        let named = Self.rows.flatMap(\.tests)
        let prefixes = named.filter { $0.hasSuffix("*") }.map { $0.dropLast() }
        let left = Self.examples.subtracting(named).filter { name in !prefixes.contains { name.hasPrefix($0) } }
        #expect(left.isEmpty, "\(left.sorted())")
    }
}

extension String {
    fileprivate var trimmingBlanks: String {
        String(drop { $0 == " " }.reversed().drop { $0 == " " }.reversed())
    }
}
