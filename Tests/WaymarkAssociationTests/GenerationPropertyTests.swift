import Testing
import WaymarkAssociation
import WaymarkJSON

/// Whatever an application's templates are: its generated files lint clean, every template's URL opens the app, and
/// nothing that is this service's own does.
@Suite struct GenerationPropertyTests {
    private struct Generator: RandomNumberGenerator {
        var state: UInt64
        mutating func next() -> UInt64 {
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return state ^ state >> 29
        }
    }

    private static let words = [
        "products", "shop", "a", "b", "caf\u{E9}", "x y", "100%", "star*", "why?", "cash$", "c++", "a=b", "api", "v1",
        "_",
        "qr.png", "#top", "not", "NOT x",
    ]

    private static func route(_ random: inout Generator) -> String {
        (0..<Int.random(in: 1...4, using: &random)).map { location in
            Bool.random(using: &random) ? ":v\(location)" : words.randomElement(using: &random) ?? "a"
        }.joined(separator: "/")
    }

    private static func path(_ route: String) -> String {
        let safe = Set("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~*$=+".utf8)
        return "/"
            + route.split(separator: "/").map { segment in
                let text = segment.hasPrefix(":") ? "value-\(segment.dropFirst())" : String(segment)
                return text.utf8.map { byte in
                    safe.contains(byte)
                        ? String(Unicode.Scalar(byte))
                        : "%" + (byte < 16 ? "0" : "") + String(byte, radix: 16, uppercase: true)
                }.joined()
            }.joined(separator: "/")
    }

    private static let ownPaths = [
        "/_/", "/_/x", "/api/v1/links", "/v1/x", "/v2/x/y", "/abc+", "/abc/qr.png", "/abc/qr.svg",
    ]

    @Test(arguments: 1...40 as ClosedRange<UInt64>)
    func generatesWhatLintAndSimulatorAgreeWith(seed: UInt64) throws {
        var random = Generator(state: seed)
        let routes = (0..<Int.random(in: 0...12, using: &random)).map { _ in Self.route(&random) }
        let templates = JSONValue(routes.map { JSONValue(["route": JSONValue($0)] as JSONObject) }).text()
        let given = try #require(
            try read(
                #"{"templates": \#(templates), "ios": {"appIDs": ["ABCDE12345.com.example.app"], "#
                    + #""webCredentials": ["ABCDE12345.com.example.app"], "appClips": ["ABCDE12345.com.example.app.Clip"]}, "#
                    + #""android": {"package": "com.example.app", "sha256CertFingerprints": ["\#(fingerprint("AB"))"]}}"#
            ).source)
        let files = AssociationFiles(given)
        let apple = try #require(files.apple)
        let report = AssociationLint.lint(apple, kind: .apple, isServedHere: true)
        #expect(report.findings.isEmpty, "\(routes) \(report.text(name: "file"))")
        let links = try #require(files.assetLinks)
        #expect(AssociationLint.lint(links, kind: .assetLinks, isServedHere: true).findings.isEmpty)

        for path in Self.ownPaths {
            #expect(try answer(apple, path).excluded, "\(path) \(routes)")
        }
        let isOwn: (String) -> Bool = { path in
            ["/_/", "/api/", "/v1/", "/v2/"].contains { (path + "/").hasPrefix($0) } || path.hasSuffix("+")
                || path.contains("/qr.")
        }
        for route in routes where !isOwn(Self.path(route)) {
            let answer = try answer(apple, Self.path(route))
            #expect(answer.opens, "\(route) \(answer.text)")
            #expect(answer.documented)
        }
        if routes.isEmpty { #expect(try answer(apple, "/Ab3dE9x").opens) }
    }

    @Test func putsTheNarrowerOfTwoRoutesFirst() throws {
        let files = try #require(
            try files(
                #"{"templates": [{"route": ":any"}, {"route": "a/:b"}, {"route": "a/:b/c"}, {"route": "api/x"}, {"route": "z"}], "#
                    + #""ios": {"appIDs": ["ABCDE12345.com.example.app"]}}"#))
        let apple = try JSONValue(parsing: try #require(files.apple))
        let components = apple["applinks"]?["details"]?.array?.first?["components"]?.array ?? []
        #expect(
            components.filter { $0["exclude"] == nil }.compactMap { $0["/"]?.string } == ["/a/*/c", "/a/*", "/z", "/*"])
    }

    private func answer(_ file: [UInt8], _ path: String) throws -> SimulationResult {
        let outcome = AssociationSimulation.simulate(file: file, url: "https://go.example.com\(path)")
        guard case .answer(let answer) = outcome else {
            Issue.record("\(outcome)")
            return SimulationResult()
        }
        return answer
    }
}

extension AssociationSource.Reading {
    fileprivate var source: AssociationSource? {
        if case .source(let source) = self { source } else { nil }
    }
}
