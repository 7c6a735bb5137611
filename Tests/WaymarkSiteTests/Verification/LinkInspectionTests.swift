import Foundation
import Synchronization
import Testing
import WaymarkClient
import WaymarkJSON
import WaymarkLinks
import WaymarkSQLite
import WaymarkService
import WaymarkStores
import WaymarkTestSupport

@testable import WaymarkSite

/// What the verification finds without asking a destination: of the link, its application and association files.
@Suite struct LinkInspectionTests {
    private static let apple = "apple-app-site-association"
    private static let links = "assetlinks.json"
    private static let print =
        "14:6D:E9:83:C5:73:06:50:D8:EE:B9:95:2F:34:FC:64:16:A0:83:42:E6:1D:BE:A8:8A:04:96:B2:3F:CF:44:E5"

    private static func appleFile(_ app: String = "ABCDE12345.com.example.shop", path: String = "*") -> String {
        #"{"applinks": {"details": [{"appIDs": ["\#(app)"], "components": [{"/": "\#(path)"}]}]}}"#
    }

    private static func linksFile(_ package: String = "com.example.shop", _ print: String = print) -> String {
        #"""
        [{"relation": ["delegate_permission/common.handle_all_urls"], "target": {"namespace": "android_app",
          "package_name": "\#(package)", "sha256_cert_fingerprints": ["\#(print)"]}}]
        """#
    }

    /// An application's document, and a change of it after the link was created.
    @Test(arguments: [
        (
            "rule-never-applies",
            #"{"urls": {"web": "https://a.example/"}, "rules": [{"when": {"country": ["DE"]}, "to": "https://b.example/"}]}"#,
            #"{"destinations": {"blockedHosts": ["b.example"]}}"#
        ),
        (
            "scheme-without-app", #"{"urls": {"ios": "shop://x", "web": "https://a.example/"}}"#,
            #"{"ios": null, "android": null, "templates": []}"#
        ),
        (
            "no-destination", #"{"urls": {"web": "https://a.example/"}}"#,
            #"{"destinations": {"blockedHosts": ["a.example"]}, "web": null}"#
        ),
    ])
    func `a change of the application is found`(code: String, link: String, change: String) async throws {
        try await SiteFixture.verifying(ScriptedDestinations()) { fixture in
            _ = try await fixture.create(#"{"slug": "x", "# + link.dropFirst())
            await fixture.round()
            #expect(try await fixture.verification(of: "x") == ("good", []))
            // The path has its ID.
            let shop = SiteFixture.shop.replacing(#""id": "shop", "#, with: "")
            let document = try Self.document(Array(shop.utf8), changedBy: change)
            let changed = try await fixture.call("PUT", "/api/v1/apps/shop", document)
            #expect(changed.status == 200, "\(changed.text)")
            fixture.clock.advance(seconds: 86_400)
            await fixture.verify()
            let (state, codes) = try await fixture.verification(of: "x")
            #expect(state == "broken", "\(codes)")
            #expect(codes.contains(code), "\(codes)")
        }
    }

    private static func document(_ document: [UInt8], changedBy change: String) throws -> String {
        var object = try #require(try JSONValue(parsing: document).object)
        for member in try #require(try JSONValue(parsing: Array(change.utf8)).object).members {
            object[member.name] = member.value
        }
        return JSONValue(object).text()
    }

    /// What the API refuses while links need it, but a database of an earlier version may have.
    @Test(arguments: [
        ("template-missing", SiteFixture.product.trimmed, #"{"templates": []}"#),
        ("domain-not-of-app", #"{"urls": {"web": "https://a.example/"}}"#, #"{"domains": ["new.example.com"]}"#),
    ])
    func `what the application lost is found`(code: String, link: String, change: String) async throws {
        let store = try SQLiteLinkStore(path: ":memory:")
        try await SiteFixture.verifying(ScriptedDestinations(), store: store) { fixture in
            _ = try await fixture.create(#"{"slug": "x", "# + link.dropFirst())
            await fixture.round()
            #expect(try await fixture.verification(of: "x") == ("good", []))
            var stored = try #require(try await store.applications().first)
            stored.document = Array(try Self.document(stored.document, changedBy: change).utf8)
            _ = try await store.put(stored, expecting: nil) { _ in true }
            try await fixture.service.applications.refresh()
            fixture.clock.advance(seconds: 86_400)
            await fixture.verify()
            let link = try #require(try await store.list(LinkListing()).links.first)
            let found = try #require(try await store.verification.verifications(of: [link.id])[link.id])
            #expect(found.state == .broken)
            #expect(found.findings.map(\.code.rawValue).contains(code), "\(found.findings)")
        }
    }

    /// What is missing is the server's setting: the link is as good as on a server that has it.
    @Test func `rules by country break no link`() async throws {
        try await SiteFixture.verifying(ScriptedDestinations()) { fixture in
            let rule = #"{"when": {"country": ["DE"]}, "to": "https://b.example/"}"#
            _ = try await fixture.create(#"{"slug": "x", "urls": {"web": "https://a.example/"}, "rules": [\#(rule)]}"#)
            await fixture.verify()
            #expect(try await fixture.verification(of: "x") == ("good", []))
        }
    }

    @Test(
        arguments: [
            (apple, appleFile(), "good", []), (apple, appleFile("OTHER67890.com.example.shop"), "broken", ["team-id"]),
            (apple, appleFile("ABCDE12345.com.example.other"), "broken", ["app-does-not-open"]),
            (apple, appleFile(path: "/only/*"), "broken", ["app-does-not-open"]), (links, linksFile(), "good", []),
            (links, linksFile("com.example.shop", print.replacing("14:6D", with: "00:00")), "broken", ["fingerprint"]),
            (links, linksFile("com.example.other"), "broken", ["app-does-not-open"]),
        ] as [(String, String, String, [String])])
    func `the served file hands a link to the app`(
        name: String, file: String, state: String, codes: [String]
    ) async throws {
        let folder = try TemporaryFolder()
        try Data(file.utf8).write(to: URL(fileURLWithPath: folder.path + "/" + name))
        var options = SiteFixture.options()
        options.publicFolder = folder.path
        try await SiteFixture.verifying(ScriptedDestinations(), options: options) { fixture in
            _ = try await fixture.create(#"{"slug": "x", "# + SiteFixture.product.trimmed.dropFirst())
            await fixture.verify()
            #expect(try await fixture.verification(of: "x") == (state, codes))
        }
    }

    private static let own = "https://go.shop.dev/.well-known/"
    private static let cdn = "https://app-site-association.cdn-apple.com/a/v1/go.shop.dev"
    private static let google =
        "https://digitalassetlinks.googleapis.com/v1/statements:list?source.web.site=https%3A%2F%2Fgo.shop.dev"
        + "&relation=delegate_permission%2Fcommon.handle_all_urls"

    private static func statements(_ print: String) -> String {
        #"""
        {"statements": [{"source": {"web": {"site": "https://go.shop.dev."}},
          "relation": "delegate_permission/common.handle_all_urls", "target": {"androidApp": {
          "packageName": "com.example.shop", "certificate": {"sha256Fingerprint": "\#(print)"}}}}], "maxAge": "300s"}
        """#
    }

    @Test(
        arguments: [
            // What can't be reached says nothing.
            ("", 0, "", "good", []), (own + apple, 200, appleFile(), "good", []),
            (own + apple, 404, "", "broken", ["app-does-not-open"]),
            (own + apple, 301, "", "broken", ["app-does-not-open"]), (own + apple, 503, "", "good", []),
            (own + apple, 200, "<html>", "broken", ["app-does-not-open"]),
            (
                own + links, 200, linksFile("com.example.shop", print.replacing("14", with: "00")), "broken",
                ["fingerprint"]
            ),
            (cdn, 200, appleFile(), "good", []), (cdn, 404, "", "broken", ["cdn-differs"]),
            (cdn, 200, appleFile(path: "/old/*"), "broken", ["cdn-differs"]),
            (google, 200, statements(print), "good", []),
            (google, 200, statements(print.replacing("14", with: "00")), "broken", ["cdn-differs"]),
            (google, 200, #"{"errorCode": ["ERROR_CODE_FETCH_ERROR"]}"#, "good", []), (google, 400, "{}", "good", []),
        ] as [(String, Int, String, String, [String])])
    func `files are compared with those that others have`(
        url: String, status: Int, body: String, state: String, codes: [String]
    ) async throws {
        let destinations = ScriptedDestinations()
        if !url.isEmpty {
            destinations.files.withLock { $0[url] = HTTPResponse(status: status, body: Array(body.utf8)) }
        }
        let application = SiteFixture.shop.replacing("go.example.com", with: "go.shop.dev")
        try await SiteFixture.verifying(destinations, applications: [application]) { fixture in
            _ = try await fixture.create(#"{"slug": "x", "# + SiteFixture.product.trimmed.dropFirst())
            await fixture.verify()
            #expect(try await fixture.verification(of: "x", at: "go.shop.dev") == (state, codes))
            let asked = destinations.asked.withLock(\.self)
            for address in [Self.own + Self.apple, Self.own + Self.links, Self.cdn, Self.google] {
                #expect(asked.contains("GET " + address))
            }
        }
    }
}

extension String {
    fileprivate var trimmed: String { trimmingCharacters(in: .whitespacesAndNewlines) }
}
