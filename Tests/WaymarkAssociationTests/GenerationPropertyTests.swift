import Testing
import WaymarkAssociation
import WaymarkJSON
import WaymarkLinks

/// Whatever an application has: its generated files lint clean, every link opens the app on both platforms, and nothing
/// that is this service's own does.
@Suite struct GenerationPropertyTests {
    /// Members of an application, besides its apps.
    private static let applications = [
        "", #""templates": []"#, #""templates": [{"name": "p", "route": "products/:id"}]"#,
        #""templates": [{"route": ":any"}, {"route": "a/:b"}, {"route": "api/x"}, {"route": "100%/é"}]"#,
        #""openHost": "open.example.com""#, #""firebase": {"enabled": true}"#, #""firebase": {"enabled": false}"#,
        #""firebase": {"enabled": true, "longLinks": true}, "templates": [{"route": "a"}]"#,
        #""hoko": {"enabled": true}"#, #""hoko": {"enabled": true, "lazy": true}"#,
        #""hoko": {"enabled": true}, "firebase": {"enabled": true}"#, #""hoko": null, "firebase": {}"#,
    ]
    private static let ios = [
        #""appIDs": ["ABCDE12345.com.example.app"]"#,
        #""appIDs": ["ABCDE12345.com.example.app"], "appClips": ["ABCDE12345.com.example.app.Clip"]"#,
        #""appIDs": ["ABCDE12345.com.example.app"], "webCredentials": ["ABCDE12345.com.example.app"]"#,
        #""details": [{"appIDs": ["ABCDE12345.com.example.app"]}, {"appIDs": ["ABCDE12345.com.example.pro"]}]"#,
        // By hand: the exclusions of the service's own, and one of the application's.
        #""appIDs": ["ABCDE12345.com.example.app"], "components": [\#(handmade), {"/": "/*"}]"#,
    ]
    private static let android = [
        #""package": "com.example.app", "sha256CertFingerprints": ["\#(fingerprint("AB"))"]"#,
        #""apps": [{"package": "com.example.app", "sha256CertFingerprints": ["\#(fingerprint("AB"))"]}, "#
            + #"{"package": "com.example.pro", "sha256CertFingerprints": ["\#(fingerprint("CD"))"]}]"#,
        #""package": "com.example.app", "sha256CertFingerprints": ["\#(fingerprint("AB"))"], "#
            + #""components": [\#(handmadeForAndroid), {"/": "/*"}]"#,
    ]
    private static let handmade = [
        "/_/*", "/api/*", "/.well-known/*", "/v1/*", "/v2/*", "/*+", "/*/qr.png", "/*/qr.svg",
    ]
    .map(exclusion).joined(separator: ", ")
    private static let handmadeForAndroid = [
        "/_", "/_/*", "/api/*", "/.well-known/*", "/v1/*", "/v2/*", "/*+", "/*/qr.png", "/*/qr.svg", "/*/*/qr.png",
        "/*/*/qr.svg", "/*/*/*/qr.png", "/*/*/*/qr.svg", "/*/*/*/*/qr.png", "/*/*/*/*/qr.svg",
    ].map(exclusion).joined(separator: ", ")

    private static func exclusion(_ path: String) -> String { #"{"/": "\#(path)", "exclude": true}"# }

    /// Slugs at the borders of what is allowed; each is checked to be one.
    private static let slugs = [
        "Ab3dE9x", "a", "0", "-", "_a", "a_", "_-_", "apis", "api-1", "v", "v1x", "v10", "sale", "spring/sale",
        "a/b/c/d", "qr.png", "qr.svg", "a/qr.menu", "a/qr.png/b", "a/b/qr.txt", "a/xqr.png", "products/42", "x/api/y",
        "a/_/b", "a/v1/b", "a..b", "a.html", "index.php", "links", "_x/y",
        String(repeating: "a", count: 128), "a/" + String(repeating: "b", count: 126),
    ]
    private static let queries = ["", "?a=b", "?x=%2B+", "?utm_source=mail&q=/_/", "#top", "?_hk_cid=1#/api/"]

    private static let ownPaths = [
        "/_", "/_/", "/_/links", "/_/docs/guide.md", "/_/association", "/api/v1/links", "/api/v1/explain",
        "/.well-known/assetlinks.json", "/.well-known/apple-app-site-association", "/.well-known/acme-challenge/x",
    ]

    /// Each application with each form of either platform's apps.
    private static let cases: [String] = applications.flatMap { members in
        ios.indices.map { index in
            let android = android[index % android.count]
            return "{\(members.isEmpty ? "" : members + ", ")\"ios\": {\(ios[index])}, \"android\": {\(android)}}"
        }
    }

    @Test(arguments: cases)
    func opensLinksAloneOnBothPlatforms(document: String) throws {
        let files = AssociationFiles(try #require(try read(document).source))
        let slugs = try Self.slugs.map { try #require(Slug($0), "\($0)").text }
        for (kind, file) in [(AssociationKind.apple, files.apple), (.assetLinks, files.assetLinks)] {
            let file = try #require(file)
            let report = AssociationLint.lint(file, kind: kind, isServedHere: true)
            #expect(report.findings.filter { $0.rule != .catchAllBefore }.isEmpty, "\(report.text(name: "file"))")
            for slug in slugs {
                // Queries are not what rules look at, so one slug has all of them.
                for query in slug == slugs[0] ? Self.queries : [""] {
                    let answer = try answer(file, kind, "/\(slug)\(query)")
                    #expect(answer.opens && answer.documented, "\(kind) \(slug)\(query) \(answer.text)")
                }
                for own in ["/\(slug)+", "/\(slug)/qr.png", "/\(slug)/qr.svg", "/\(slug)/qr.png?size=200"] {
                    let answer = try answer(file, kind, own)
                    #expect(answer.excluded && answer.documented, "\(kind) \(own) \(answer.text)")
                }
            }
            for own in Self.ownPaths {
                let answer = try answer(file, kind, own)
                #expect(answer.excluded && answer.documented, "\(kind) \(own) \(answer.text)")
            }
        }
    }

    /// Where no API of another service is served, `v1` and `v2` are no paths of the service.
    @Test(arguments: [
        ("", true), (#""firebase": {"enabled": true}, "#, false), (#""hoko": {"enabled": true}, "#, false),
        (#""firebase": {"enabled": false}, "hoko": {"enabled": false}, "#, true),
    ])
    func excludesTheAPIsOfOtherServicesWhereServed(members: String, opens: Bool) throws {
        let document = "{\(members)\"ios\": {\(Self.ios[0])}, \"android\": {\(Self.android[0])}}"
        let files = AssociationFiles(try #require(try read(document).source))
        for path in ["/v1/shortLinks", "/v2/smartlinks"] {
            #expect(try answer(try #require(files.apple), .apple, path).opens == opens)
            #expect(try answer(try #require(files.assetLinks), .assetLinks, path).opens == opens)
        }
    }

    private func answer(_ file: [UInt8], _ kind: AssociationKind, _ path: String) throws -> SimulationResult {
        let outcome = AssociationSimulation.simulate(
            file: file, url: "https://go.example.com\(path)", platform: kind.platform)
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
