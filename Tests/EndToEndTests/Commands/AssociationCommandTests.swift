import Foundation
import Testing
import WaymarkJSON

/// `waymark association` as scripts use it: what it prints and how it ends.
@Suite struct AssociationCommandTests {
    private static let file =
        #"{"applinks": {"details": [{"appIDs": ["ABCDE12345.com.example.app"], "components": [{"/": "/e/*", "exclude": true}, {"/": "/buy/*"}]}]}}"#

    private static func installation(_ files: [String: String]) throws -> Installation {
        let installation = try Installation()
        for (name, text) in files {
            try Data(text.utf8).write(to: installation.folder.appendingPathComponent(name))
        }
        return installation
    }

    @Test func saysWhetherAURLOpensAnApp() throws {
        let installation = try Self.installation(["aasa": Self.file])
        let opens = try installation.run(["association", "simulate", "aasa", "https://example.com/buy/42"])
        #expect(opens.end == .exit(0))
        #expect(opens.output.hasPrefix("opens in ABCDE12345.com.example.app\nby entry 0, rule 1\n"))
        let stays = try installation.run(["association", "simulate", "aasa", "https://example.com/e"])
        #expect(stays.end == .exit(1))
        #expect(stays.output.hasPrefix("opens in the browser\nexcluded by entry 0, rule 0\n"))
        let other = try installation.run([
            "association", "simulate", "aasa", "https://example.com/buy/42", "--app", "ABCDE12345.com.example.other",
            "--json",
        ])
        #expect(other.end == .exit(1))
        #expect(other.json["opens"]?.bool == false)
        #expect(other.json["documented"]?.bool == true)
        let context = try installation.run([
            "association", "simulate", "aasa", "https://example.com/buy/42", "--context", "same-domain", "--json",
        ])
        #expect(context.end == .exit(1))
        let domain = try installation.run([
            "association", "simulate", "aasa", "https://www.example.com/buy/42", "--domain", "applinks:example.com",
            "--json",
        ])
        #expect(domain.end == .exit(1))
    }

    @Test(arguments: [
        ["association", "simulate", "missing", "https://example.com/"],
        ["association", "simulate", "broken", "https://example.com/"],
        ["association", "simulate", "aasa", "example.com/buy"],
        ["association", "simulate", "aasa", "https://example.com/", "--platform", "windows"],
        ["association", "simulate", "aasa", "https://example.com/", "--platform", "android"],
        ["association", "simulate", "aasa"], ["association", "lint"], ["association", "lint", "missing"],
        ["association", "lint", "aasa", "--app", "shop"],
        ["association", "lint", "--app", "missing"],
    ])
    func endsWithTwoWhereNothingCanBeSaid(arguments: [String]) throws {
        let installation = try Self.installation(["aasa": Self.file, "broken": "{"])
        try installation.start().stop()
        let run = try installation.run(arguments + (arguments.contains("--app") ? ["--config", "waymark.json"] : []))
        #expect(run.end == .exit(2), "\(run)")
        #expect(run.output.isEmpty)
        #expect(run.errorLines.count == 1)
    }

    @Test func saysWhyAServerCannotBeRead() throws {
        let installation = try Installation()
        let run = try installation.run(["association", "lint", "https://127.0.0.1:1/", "--json"])
        #expect(run.end == .exit(2))
        #expect(run.errorLines.count == 1)
        let found = (run.json["files"]?.array?.first?["findings"]?.array ?? []).compactMap { $0["code"]?.string }
        #expect(found.first == "fetch-connection")
    }

    @Test func lintsFiles() throws {
        let installation = try Self.installation([
            "apple-app-site-association": Self.file, "broken": "{\n  “applinks”: {}\n}",
            "warned": Self.file.replacing("/buy/*", with: "/buy*"),
        ])
        let good = try installation.run(["association", "lint", "apple-app-site-association", "--json"])
        #expect(good.end == .exit(0))
        #expect(good.json["clean"]?.bool == true)
        let broken = try installation.run(["association", "lint", "broken"])
        #expect(broken.end == .exit(1))
        #expect(broken.output.hasPrefix("broken:2:3: error: "))
        #expect(broken.output.contains("[json-curly-quote]"))
        let warned = try installation.run(["association", "lint", "warned", "--json"])
        #expect(warned.end == .exit(1))
        #expect(warned.json["findings"]?.array?.map { $0["code"]?.string } == ["star-without-slash"])
        #expect(warned.json["warnings"]?.integer == 1)
    }

    @Test func lintsAnApplicationsFiles() throws {
        let installation = try Installation()
        try installation.start().stop()
        let run = try installation.run(["association", "lint", "--app", "shop", "--config", "waymark.json", "--json"])
        #expect(run.json["files"]?.array?.isEmpty == false, "\(run)")
        #expect(run.json["files"]?.array?.first?["kind"]?.string == "apple-app-site-association")
        #expect(run.end == .exit(run.json["clean"]?.bool == true ? 0 : 1))
    }

    /// A server on this machine is reached without encryption and has an address of its own, and both are told.
    @Test func lintsWhatAServerAnswers() throws {
        let installation = try Installation()
        let server = try installation.start()
        let whole = try installation.run(["association", "lint", "http://127.0.0.1:\(server.port)", "--json"])
        #expect(whole.end == .exit(1), "\(whole)")
        let codes = (whole.json["files"]?.array ?? []).flatMap { $0["findings"]?.array ?? [] }.compactMap {
            $0["code"]?.string
        }
        #expect(codes.contains("fetch-scheme") && codes.contains("fetch-address"))
        let missing = try installation.run([
            "association", "lint", "http://127.0.0.1:\(server.port)/missing/assetlinks.json", "--json",
        ])
        #expect(missing.end == .exit(1))
        let found = (missing.json["files"]?.array?.first?["findings"]?.array ?? []).compactMap { $0["code"]?.string }
        #expect(found.contains("fetch-status"))
        #expect(try server.stop() == .exit(0))
    }

    /// The published cases through the executable, where they lie beside the package.
    @Test(.enabled(if: !vectors("aasa.json").isEmpty, "no vectors beside the package"))
    func answersThePublishedCases() throws {
        let installation = try Installation()
        func run(_ file: JSONValue, _ vector: JSONValue, _ more: [String]) throws {
            let path = installation.folder.appendingPathComponent("file")
            try Data(file.bytes()).write(to: path)
            let run = try installation.run(
                ["association", "simulate", "file", vector["url"]?.string ?? "", "--json"] + more)
            let name = "\(vector["id"]?.string ?? ""): \(run)"
            #expect(run.json["opens"]?.bool == vector["matched"]?.bool, "\(name)")
            #expect(run.json["excluded"]?.bool == (vector["outcome"]?.string == "excluded"), "\(name)")
            #expect(run.end == .exit(vector["matched"]?.bool == true ? 0 : 1), "\(name)")
        }
        for vector in Self.vectors("aasa.json") {
            let input = vector["input"] ?? .null
            let app = input["app"]?.string ?? "ABCDE12345.com.example.app"
            try run(Self.appleFile(input, app), vector, ["--app", app])
        }
        for vector in Self.vectors("android_dynamic.json") {
            try run(Self.androidFile(vector["rules"] ?? .null), vector, ["--platform", "android"])
        }
    }

    private static func vectors(_ name: String) -> [JSONValue] {
        let path = Executable.package.deletingLastPathComponent().appendingPathComponent("shared/vectors/\(name)")
        guard let data = try? Data(contentsOf: path), let root = try? JSONValue(parsing: Array(data)) else { return [] }
        return root["vectors"]?.array ?? []
    }

    private static func appleFile(_ input: JSONValue, _ app: String) -> JSONValue {
        if let whole = input["aasa"] { return whole }
        var entry: JSONObject = ["appIDs": [JSONValue(app)]]
        if let component = input["component"] { entry["components"] = JSONValue([component]) }
        for name in ["components", "paths"] { entry[name] = entry[name] ?? input[name] }
        if let defaults = input["detailDefaults"] { entry["defaults"] = defaults }
        var links: JSONObject = ["details": JSONValue([JSONValue(entry)])]
        if let defaults = input["fileDefaults"] { links["defaults"] = defaults }
        if let variables = input["substitutionVariables"] { links["substitutionVariables"] = variables }
        return JSONValue(["applinks": JSONValue(links)] as JSONObject)
    }

    private static func androidFile(_ rules: JSONValue) -> JSONValue {
        let relation = "delegate_permission/common.handle_all_urls"
        let statement: JSONObject = [
            "relation": [JSONValue(relation)],
            "target": JSONValue(["namespace": "android_app", "package_name": "com.example.app"] as JSONObject),
            "relation_extensions": JSONValue(
                [relation: JSONValue(["dynamic_app_link_components": rules] as JSONObject)] as JSONObject),
        ]
        return JSONValue([JSONValue(statement)])
    }
}
