extension HostileRequest {
    /// The tools for association files, with files up to their limit. Work beyond a budget is given up there.
    static let tools: [HostileRequest] =
        files.flatMap { file -> [HostileRequest] in
            let document: @Sendable (Int) -> String = { "\"document\":\"\(escaped(file.text($0)))\"" }
            var lint = HostileRequest("lint-" + file.name, "/api/v1/association/lint", file.count, [200, 200]) {
                "{\(document($0))}"
            }
            lint.maximum = .budget
            var simulation = HostileRequest(
                "simulate-" + file.name, "/api/v1/association/simulate", file.count,
                file.isUsable ? [200, 200] : [422, 422]
            ) {
                "{\(document($0)),\"url\":\"https://go.example.com/\(repeated("a", 4_096))?a=b\"}"
            }
            simulation.maximum = .budget
            return [lint, simulation]
        } + subjects

    private struct File: Sendable {
        let name: String
        let count: Int
        var isUsable = true
        let text: @Sendable (Int) -> String
    }

    private static func components(_ elements: String, _ more: String = "") -> String {
        #"{"applinks":{\#(more)"details":[{"appIDs":["ABCDE12345.a.b"],"components":[\#(elements)]}]}}"#
    }

    private static let files: [File] = [
        File(name: "rules", count: 3_000) { count in components(elements(count) { #"{"/":"/\#(100_000 + $0)*x"}"# }) },
        File(name: "middles", count: 2_500) { count in
            components(elements(count) { #"{"/":"/aaaa*\#(100_000 + $0)*aaaa"}"# })
        },
        File(name: "items", count: 3_000) { count in components(elements(count) { #"{"?":{"a":"*\#(100_000 + $0)"}}"# })
        },
        File(name: "defaults", count: 1_000) { count in
            components(list(4 * count, "{}"), "\"defaults\":{\"?\":{\(members(count, "\"\""))}},")
        },
        File(name: "unknown-variables", count: 3_000) { count in
            components(elements(count) { #"{"/":"/$(v\#(100_000 + $0))"}"# })
        },
        File(name: "values", count: 5_000) { count in
            let values = elements(count) { "\"a\(100_000 + $0)\"" }
            return components(
                #"{"/":"/$(v)x$(v)"},{"/":"/$(v)$(v)"}"#, "\"substitutionVariables\":{\"v\":[\(values)]},")
        },
        File(name: "long-value", count: 800) { count in
            let values = elements(40) { _ in "\"\(repeated("a", count))\"" }
            return components(
                elements(count / 20) { #"{"/":"/\#($0)$(v)"}"# }, "\"substitutionVariables\":{\"v\":[\(values)]},")
        },
        File(name: "bracket", count: 5_000, isUsable: false) { "[" + elements($0) { "{\"a\":\(100_000 + $0)}" } },
        File(name: "commas", count: 8_000, isUsable: false) { "[" + elements($0) { "\(100_000 + $0)," } + "]" },
        File(name: "members", count: 3_500) { "{\(members($0, "0", prefix: "applink1"))}" },
        File(name: "depth", count: 30) { repeated("[", $0) + repeated("]", $0) },
    ]

    /// The other members of the bodies.
    private static let subjects: [HostileRequest] = {
        let file = escaped(components(#"{"/":"/a*"}"#))
        func simulate(
            _ name: String, _ count: Int, _ statuses: [Int], _ members: @escaping @Sendable (Int) -> String
        ) -> HostileRequest {
            HostileRequest("simulate-" + name, "/api/v1/association/simulate", count, statuses) {
                "{\"document\":\"\(file)\",\(members($0))}"
            }
        }
        let url = "\"url\":\"https://go.example.com/a\""
        return [
            simulate("url", 8_000, [200, 200]) { "\"url\":\"https://go.example.com/\(repeated("a", $0))\"" },
            simulate("url-items", 490, [200, 200]) { "\"url\":\"https://go.example.com/?" + queryItems($0) + "\"" },
            simulate("url-long", 450_000, [422, 422]) { "\"url\":\"https://go.example.com/\(repeated("a", $0))\"" },
            simulate("domains", 50, [200, 200]) { count in
                url + ",\"domains\":[" + elements(count) { "\"applinks:d\($0).example\"" } + "]"
            },
            simulate("domains-wide", 100_000, [422, 422]) { url + ",\"domains\":\(list($0, "\"\""))" },
            simulate("unknown", 35_000, [422, 422]) { url + "," + members($0, "0") },
            HostileRequest("lint-large", "/api/v1/association/lint", 450_000, [413, 413]) {
                "{\"document\":\"\(repeated(" ", $0))\"}"
            },
        ]
    }()

    private static func escaped(_ text: String) -> String { text.replacing("\"", with: "\\\"") }
}
