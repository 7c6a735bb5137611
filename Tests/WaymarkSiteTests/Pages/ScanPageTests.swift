import Testing
import WaymarkJSON
import WaymarkService

@testable import WaymarkSite

/// Computers that a link leads nowhere on.
@Suite struct ScanPageTests {
    static let application = #"""
        {"id": "app", "name": "App", "domains": ["go.example.com"],
         "ios": {"urlScheme": "app", "appStoreID": "123456789"},
         "android": {"urlScheme": "app", "package": "com.example.app"},
         "appearance": {"accentColor": "#1f5eff"}}
        """#

    static let link = #"{"slug": "only", "urls": {"ios": "app://x", "android": "app://x"}}"#

    @Test(arguments: TransportKind.allCases)
    func `a computer gets a page with a code and the stores`(transportKind: TransportKind) async throws {
        try await SiteFixture.run(transportKind, applications: [Self.application]) { fixture in
            _ = try await fixture.create(Self.link)
            for agent in [Agent.windows, Agent.crawler, Agent.search] {
                let page = try await fixture.visit("/only?a=b", as: agent)
                #expect(page.status == 200)
                #expect(page.text.contains("<svg xmlns=\"http://www.w3.org/2000/svg\"") == QRCode.isAvailable)
                #expect(page.text.contains("https://go.example.com/only?a=b"))
                #expect(page.text.contains("href=\"https://apps.apple.com/app/id123456789\">App Store</a>"))
                #expect(page.text.contains("href=\"https://play.google.com/store/apps/details?id=com.example.app&amp;"))
                #expect(page.text.contains("Point your phone’s camera at this code.") == QRCode.isAvailable)
                #expect(page[header: "Content-Security-Policy"]?.contains("default-src 'none'") == true)
            }
            try await fixture.service.clicks.flush()
            #expect(try await fixture.call("GET", "/api/v1/links/only").json["clicks"]?.integer == 1)
        }
    }

    @Test(arguments: PageLanguage.allCases)
    func `the page speaks the visitor's language`(language: PageLanguage) async throws {
        try await SiteFixture.run(.inProcess, applications: [Self.application]) { fixture in
            _ = try await fixture.create(Self.link)
            for _ in 0..<2 {
                let page = try await fixture.visit("/only", headers: [("Accept-Language", language.tag)])
                #expect(page[header: "Content-Language"] == language.tag)
                #expect(page.text.contains(language.texts.openOnPhone))
            }
        }
    }

    @Test func `a long address is shown as text`() async throws {
        try await SiteFixture.run(.inProcess, applications: [Self.application]) { fixture in
            _ = try await fixture.create(Self.link)
            let query = "a=" + String(repeating: "b", count: 600)
            let page = try await fixture.visit("/only?\(query)")
            #expect(page.status == 200)
            #expect(!page.text.contains("<svg"))
            #expect(page.text.contains("<code>https://go.example.com/only?\(query)</code>"))
        }
    }

    @Test func `an explanation says that it is a page`() async throws {
        try await SiteFixture.run(.inProcess, applications: [Self.application]) { fixture in
            _ = try await fixture.create(Self.link)
            let answer = try await fixture.call(
                "POST", "/api/v1/explain",
                #"{"url": "https://go.example.com/only", "headers": {"User-Agent": "\#(Agent.windows)"}}"#)
            #expect(answer.json["outcome"]?.string == "page")
            #expect(answer.json["click"]?["counted"]?.bool == true)
            #expect(answer.json["response"]?["status"]?.integer == 200)
            let details = try await fixture.visit("/only+")
            #expect(details.status == 200)
            #expect(details.text.contains("Open this link on your phone"))
        }
    }
}
