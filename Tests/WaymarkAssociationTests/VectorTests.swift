import FoundationEssentials
import Testing
import WaymarkAssociation
import WaymarkJSON

/// The published cases of how Apple's and Google's systems match, where they lie beside the package.
@Suite struct VectorTests {
    static let apple = Vectors.read("aasa.json")
    static let android = Vectors.read("android_dynamic.json")
    static let app = "ABCDE12345.com.example.app"

    @Test(.enabled(if: !apple.isNull, "no vectors beside the package"))
    func matchesLikeApple() throws {
        let vectors = try #require(Self.apple["vectors"]?.array)
        #expect(vectors.count > 50)
        for vector in vectors {
            let input = try #require(vector["input"])
            let answer = try Self.simulate(Vectors.appleFile(input), vector, app: input["app"]?.string ?? Self.app)
            Self.check(answer, vector)
            #expect(answer.documented, "\(vector["id"]?.string ?? "")")
        }
    }

    @Test(.enabled(if: !apple.isNull, "no vectors beside the package"))
    func saysWhatIsNotDocumented() throws {
        let questions = try #require(Self.apple["open_questions"]?.array)
        #expect(!questions.isEmpty)
        for question in questions {
            let input = try #require(question["input"])
            let answer = try Self.simulate(Vectors.appleFile(input), question, app: input["app"]?.string ?? Self.app)
            #expect(!answer.documented, "\(question["id"]?.string ?? "")")
            #expect(answer.warnings.contains { $0.hasPrefix("Not documented") })
        }
    }

    @Test(.enabled(if: !apple.isNull, "no vectors beside the package"))
    func choosesTheEntryOfTheEntitlement() throws {
        for vector in try #require(Self.apple["domain_vectors"]?.array) {
            let url = try #require(AssociationURL(vector["url"]?.string ?? ""))
            let entries = (vector["entitlements"]?.array ?? []).compactMap(\.string)
            let entry = AssociatedDomain.entry(for: url, among: entries)
            #expect(entry?.text == vector["entry"]?.string, "\(vector["id"]?.string ?? "")")
            #expect(entry?.fileHost == vector["file_host"]?.string, "\(vector["id"]?.string ?? "")")
        }
    }

    @Test(.enabled(if: !apple.isNull, "no vectors beside the package"))
    func knowsWhatTheWayToALinkDecides() throws {
        let contexts: [String: NavigationContext] = [
            "ctx-001": .tapInApp, "ctx-003": .sameDomain, "ctx-004": .otherDomain, "ctx-005": .ownApp,
            "ctx-006": .redirect, "ctx-007": .choseBrowser,
        ]
        for vector in try #require(Self.apple["context_vectors"]?.array) {
            guard let context = contexts[vector["id"]?.string ?? ""] else { continue }
            #expect(context.opensApp == vector["opens_app"]?.bool, "\(context)")
        }
    }

    @Test(.enabled(if: !android.isNull, "no vectors beside the package"))
    func matchesLikeAndroid() throws {
        let vectors = try #require(Self.android["vectors"]?.array)
        #expect(vectors.count > 10)
        for vector in vectors {
            let answer = try Self.simulate(
                Vectors.androidFile(vector["rules"] ?? .null), vector, app: "com.example.app")
            Self.check(answer, vector)
            #expect(answer.documented, "\(vector["id"]?.string ?? "")")
        }
    }

    private static func simulate(_ file: JSONValue, _ vector: JSONValue, app: String) throws -> SimulationResult {
        let url = try #require(vector["url"]?.string)
        switch AssociationSimulation.simulate(file: file.bytes(), url: url, app: app) {
        case .answer(let answer): return answer
        case .unusable(let reason):
            Issue.record("\(vector["id"]?.string ?? ""): \(reason)")
            return SimulationResult()
        }
    }

    private static func check(_ answer: SimulationResult, _ vector: JSONValue) {
        let name = "\(vector["id"]?.string ?? ""): \(vector["why"]?.string ?? "")\n\(answer.text)"
        #expect(answer.opens == vector["matched"]?.bool, "\(name)")
        #expect(answer.excluded == (vector["outcome"]?.string == "excluded"), "\(name)")
        if let index = vector["index"], vector["input"]?["aasa"] == nil {
            #expect(answer.component == index.integer, "\(name)")
        }
        #expect(answer.trace.last?.fits ?? false == (answer.opens || answer.excluded), "\(name)")
    }
}

/// Reading of the files with the cases, and of their short forms.
enum Vectors {
    /// Null where the file is not there.
    static func read(_ name: String) -> JSONValue {
        let parts = #filePath.split(separator: "/", omittingEmptySubsequences: false).dropLast(3)
        let path = parts.joined(separator: "/") + "/../shared/vectors/" + name
        guard let data = FileManager.default.contents(atPath: path) else { return .null }
        return (try? JSONValue(parsing: Array(data))) ?? .null
    }

    /// A whole file around a component, components, paths or a file.
    static func appleFile(_ input: JSONValue) -> JSONValue {
        if let whole = input["aasa"] { return whole }
        var entry: JSONObject = ["appIDs": [JSONValue(VectorTests.app)]]
        if let component = input["component"] { entry["components"] = JSONValue([component]) }
        if let components = input["components"] { entry["components"] = components }
        if let paths = input["paths"] {
            entry = ["appID": JSONValue(VectorTests.app)]
            entry["paths"] = paths
        }
        if let defaults = input["detailDefaults"] { entry["defaults"] = defaults }
        var links: JSONObject = ["details": JSONValue([JSONValue(entry)])]
        if let defaults = input["fileDefaults"] { links["defaults"] = defaults }
        if let variables = input["substitutionVariables"] { links["substitutionVariables"] = variables }
        return JSONValue(["applinks": JSONValue(links)] as JSONObject)
    }

    static func androidFile(_ rules: JSONValue) -> JSONValue {
        let relation = "delegate_permission/common.handle_all_urls"
        let target: JSONObject = [
            "namespace": "android_app", "package_name": "com.example.app",
            "sha256_cert_fingerprints": [JSONValue(fingerprint("AB"))],
        ]
        let extensions: JSONObject = ["dynamic_app_link_components": rules]
        let statement: JSONObject = [
            "relation": [JSONValue(relation)], "target": JSONValue(target),
            "relation_extensions": JSONValue([relation: JSONValue(extensions)] as JSONObject),
        ]
        return JSONValue([JSONValue(statement)])
    }
}
