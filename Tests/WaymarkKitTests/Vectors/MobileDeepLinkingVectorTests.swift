import Testing
import WaymarkBytes
import WaymarkJSON

@testable import WaymarkKit
@testable import WaymarkKitCompatibility

/// The shared cases of MobileDeepLinking's libraries and its specification.
@MainActor
@Suite struct MobileDeepLinkingVectorTests {
    /// Without those of the way to the parent, which the matcher does not take step by step.
    nonisolated static let vectors = Vector.all(of: "mobiledeeplinking").filter { $0.area != "trim" }

    @Test(.enabled(if: !vectors.isEmpty, "the shared vectors are not here"), arguments: vectors)
    func playsAsTheOriginal(vector: Vector) throws {
        switch vector.platform {
        case "ios": try play(vector, dialect: .ios)
        case "android": try play(vector, dialect: .android)
        case "both":
            try play(vector, dialect: .ios)
            try play(vector, dialect: .android)
            try play(vector, dialect: .specification)
        default: try play(vector, dialect: .specification)
        }
    }

    private func play(_ vector: Vector, dialect: MobileDeepLinkingDialect) throws {
        let (input, expected) = (vector.input, vector.expected)
        switch vector.area {
        case "match-path":
            let url = MobileDeepLinkingURL(DeepLinkURL(try #require(input["url"]?.string)), dialect: dialect)
            expect(try route(input, dialect).pathValues(in: url), expected)
        case "match-query":
            let url = DeepLinkURL("x:?" + (input["query"]?.string ?? ""))
            let items = MobileDeepLinkingURL.items(of: url, dialect: dialect)
            expect(try route(input, dialect).queryValues(in: items), expected)
        case "match":
            let url = MobileDeepLinkingURL(DeepLinkURL(try #require(input["url"]?.string)), dialect: dialect)
            expect(try route(input, dialect).values(in: url), expected)
        case "validate":
            let isValid = try route(input, dialect).accepts(
                try #require(input["value"]?.string), for: try #require(input["name"]?.string))
            #expect(isValid == expected["valid"]?.bool)
        case "required":
            #expect(try route(input, dialect).requiredNames == expected["required"]?.strings)
        case "handlers": try handlers(input, expected, dialect)
        case "route": try routing(input, expected, dialect)
        default: Issue.record("nothing plays the area \(vector.area)")
        }
    }

    private func expect(_ values: [String: String]?, _ expected: JSONValue) {
        #expect((values != nil) == expected["matches"]?.bool)
        if let values { #expect(values == expected["params"]?.texts) }
    }

    private func configuration(
        _ value: JSONValue, _ dialect: MobileDeepLinkingDialect
    ) throws -> MobileDeepLinkingConfiguration {
        try MobileDeepLinkingConfiguration(json: value.bytes(), dialect: dialect, ignoresUnknownKeys: true)
    }

    private func route(_ input: JSONValue, _ dialect: MobileDeepLinkingDialect) throws -> MobileDeepLinkingRoute {
        var routes = JSONObject()
        routes[input["route"]?.string ?? "any"] = input["routeOptions"] ?? JSONValue(JSONObject())
        var root = JSONObject()
        root["routes"] = JSONValue(routes)
        return try #require(try configuration(JSONValue(root), dialect).matcher.routes.first)
    }

    private func handlers(_ input: JSONValue, _ expected: JSONValue, _ dialect: MobileDeepLinkingDialect) throws {
        var route = JSONObject()
        route["handlers"] = input["routeHandlers"]
        var parameters = JSONObject()
        for (name, _) in input["params"]?.texts ?? [:] { parameters[name] = JSONValue(JSONObject()) }
        route["routeParameters"] = JSONValue(parameters)
        var routes = JSONObject()
        routes["any"] = JSONValue(route)
        var root = JSONObject()
        root["routes"] = JSONValue(routes)
        let routing = MobileDeepLinking(configuration: try configuration(JSONValue(root), dialect))
        for member in input["handlers"]?.object?.members ?? [] {
            let changes = member.value["set"]?.texts ?? [:]
            routing.registerHandler(named: member.name) { parameters in
                for (name, value) in changes { parameters[name] = value }
            }
        }
        let query = (input["params"]?.texts ?? [:]).map { "\($0)=\(PercentEncoding.encode($1 ?? ""))" }
        let outcome = routing.route("x://any?" + query.joined(separator: "&"))
        if let values = expected["params"] {
            #expect(outcome.parameters.compactMapValues { $0 as? String } == values.texts)
        }
    }

    private func routing(_ input: JSONValue, _ expected: JSONValue, _ dialect: MobileDeepLinkingDialect) throws {
        let configuration = try configuration(try #require(input["config"]), dialect)
        let routing = MobileDeepLinking(configuration: configuration)
        for route in configuration.routes + [configuration.defaultRoute].compactMap({ $0 }) {
            for name in route.handlers { routing.registerHandler(named: name) { _ in } }
        }
        let outcome = routing.route(try #require(input["url"]?.string))
        if let route = expected["route"] {
            let taken: String? = if case .route(let pattern) = outcome.destination { pattern } else { nil }
            #expect(taken == route.string)
        }
        if expected["default"]?.bool == true {
            #expect(outcome.destination == (configuration.defaultRoute == nil ? .none : .defaultRoute))
        }
        if let values = expected["params"] {
            #expect(outcome.parameters.compactMapValues { $0 as? String } == values.texts)
        }
        if let names = expected["handlers"]?.strings { #expect(outcome.handlers == names) }
        if let name = expected["class"]?.string { #expect(outcome.view?.className == name) }
        if expected["shown"]?.isNull == true { #expect(outcome.view == nil) }
    }
}
