import Testing
import WaymarkJSON
import WaymarkService

@testable import WaymarkSite

/// What each state of a link looks like from outside.
@Suite struct StateTests {
    private struct State {
        let name: String
        let member: String
        let status: Int
        let problem: String
        let title: String
    }

    private static let states = [
        State(
            name: "disabled", member: #""disabled": true"#, status: 410, problem: "link-disabled",
            title: "This link has been disabled"),
        State(
            name: "expired", member: #""expiresAt": "2026-11-21T09:00:00Z""#, status: 410, problem: "link-expired",
            title: "This link has expired"),
        State(
            name: "exhausted", member: #""maxClicks": 1"#, status: 410, problem: "link-exhausted",
            title: "This link is no longer available"),
        State(
            name: "scheduled", member: #""validFrom": "2026-11-21T11:00:00Z""#, status: 404, problem: "link-scheduled",
            title: "This link isn’t active yet"),
    ]

    @Test(arguments: TransportKind.allCases)
    func `every state has a page and a problem`(transportKind: TransportKind) async throws {
        try await SiteFixture.run(transportKind) { fixture in
            var titles: Set<String> = []
            for state in Self.states {
                let slug = try #require(
                    try await fixture.create(#"{"urls": {"web": "https://a.example/"}, \#(state.member)}"#)["slug"]?
                        .string)
                if state.name == "exhausted" { #expect(try await fixture.visit("/\(slug)").status == 302) }
                for _ in 0..<2 {
                    let page = try await fixture.visit("/\(slug)")
                    #expect(page.status == state.status, "\(state.name)")
                    #expect(page.text.contains("<h1>\(state.title)</h1>"))
                    #expect(page.body.count < 20 * 1_024)
                    #expect(page[header: "Content-Security-Policy"]?.contains("default-src 'none'") == true)
                    #expect(page[header: "Cache-Control"] == "private, no-store")
                    titles.insert(state.title)
                    let problem = try await fixture.visit("/\(slug)", headers: [("Accept", "application/json")])
                    #expect(problem.status == state.status)
                    #expect(problem.problem == state.problem)
                    let head = try await fixture.visit("/\(slug)", method: "HEAD")
                    #expect(head.status == state.status, "\(state.name)")
                    let looked = try await fixture.visit("/\(slug)+")
                    #expect(looked.status == state.status)
                }
                try await fixture.service.clicks.flush()
                // The data stays, and the state is told by the interface.
                let link = try await fixture.call("GET", "/api/v1/links/go.example.com/\(slug)")
                #expect(link.json["state"]?.string == state.name)
                let explained = try await fixture.call(
                    "POST", "/api/v1/explain", #"{"url": "https://go.example.com/\#(slug)"}"#)
                #expect(explained.json["link"]?["state"]?.string == state.name)
                #expect(explained.json["outcome"]?.string == (state.name == "scheduled" ? "scheduled" : "gone"))
                #expect(explained.json["response"]?["status"]?.integer == state.status)
            }
            #expect(titles.count == Self.states.count)
            let unknown = try await fixture.visit("/nothing")
            #expect(unknown.status == 404)
            #expect(unknown.text.contains("<h1>Page not found</h1>"))
            #expect(
                try await fixture.visit("/nothing", headers: [("Accept", "application/json")]).problem == "link-unknown"
            )
        }
    }

    /// In every language, with the style of the application's colour.
    @Test(arguments: PageLanguage.allCases)
    func namesTheApplicationAndItsWebsite(language: PageLanguage) async throws {
        let shop = #"""
            {"id": "shop", "name": "Shop <&>", "domains": ["go.example.com"], "web": {"baseURL": "https://shop.example.com"},
             "appearance": {"iconURL": "https://cdn.example.com/icon.png", "accentColor": "#0b6e4f"}}
            """#
        try await SiteFixture.run(.inProcess, applications: [shop]) { fixture in
            var paths = ["/nothing", "/nothing+", "/"]
            for state in Self.states {
                let link = try await fixture.create(#"{"urls": {"web": "https://a.example/"}, \#(state.member)}"#)
                let path = "/" + (try #require(link["slug"]?.string))
                if state.name == "exhausted" { _ = try await fixture.visit(path) }
                paths.append(path)
            }
            for path in paths {
                let page = try await fixture.visit(path, headers: [("Accept-Language", language.tag)])
                #expect([404, 410].contains(page.status), "\(path)")
                #expect(page.text.contains("<bdi>Shop &lt;&amp;&gt;</bdi>"), "\(path)")
                #expect(page.text.contains(#"<img class="icon" src="https://cdn.example.com/icon.png""#))
                #expect(
                    page.text.contains(
                        #"<a class="button" href="https://shop.example.com">\#(language.texts.visitWebsite)</a>"#))
                let policy = try #require(page[header: "Content-Security-Policy"])
                #expect(policy.contains("img-src 'self' https://cdn.example.com;"))
                #expect(policy.contains("style-src 'self' 'sha256-"))
            }
        }
    }

    @Test func namesNoApplicationOfSeveral() async throws {
        let applications = ["one", "two"].map { #"{"id": "\#($0)", "web": {"baseURL": "https://\#($0).example.com"}}"# }
        try await SiteFixture.run(.inProcess, applications: applications) { fixture in
            let page = try await fixture.visit("/nothing")
            #expect(page.status == 404)
            #expect(!page.text.contains("example.com"))
            #expect(!page.text.contains("class=\"brand\""))
        }
    }

    /// Only `expired` and `unknown` lead elsewhere; whoever asks for JSON hears the problem.
    @Test func leadsOnFromExpiredAndUnknownOnly() async throws {
        try await SiteFixture.run(.inProcess, applications: [SiteFixture.news]) { fixture in
            let host = "news.example.com"
            for state in Self.states {
                let slug = try #require(
                    try await fixture.create(#"{"urls": {"web": "https://a.example/"}, \#(state.member)}"#)["slug"]?
                        .string)
                if state.name == "exhausted" { _ = try await fixture.visit("/\(slug)", host: host) }
                let visit = try await fixture.visit("/\(slug)", host: host)
                let isLed = state.name == "expired"
                #expect(visit.status == (isLed ? 302 : state.status))
                #expect(visit[header: "Location"] == (isLed ? "https://news.example.org/old" : nil))
                let problem = try await fixture.visit("/\(slug)", host: host, headers: [("Accept", "application/json")])
                #expect(problem.status == state.status)
                #expect(problem.problem == state.problem)
                let explained = try await fixture.call(
                    "POST", "/api/v1/explain", #"{"url": "https://\#(host)/\#(slug)"}"#)
                #expect(explained.json["outcome"]?.string == (state.name == "scheduled" ? "scheduled" : "gone"))
                #expect(explained.json["response"]?["status"]?.integer == visit.status)
            }
            let unknown = try await fixture.visit("/nothing", host: host)
            #expect(unknown[header: "Location"] == "https://news.example.org/where")
            let json = try await fixture.visit("/nothing", host: host, headers: [("Accept", "application/json")])
            #expect(json.problem == "link-unknown")
        }
    }

    /// Mail scanners without a User-Agent open what a person has not opened yet.
    @Test(arguments: [nil, "", "  "])
    func visitsWithoutAUserAgentUseUpNoClick(userAgent: String?) async throws {
        try await SiteFixture.run(.socket) { fixture in
            _ = try await fixture.create(#"{"slug": "once", "urls": {"web": "https://a.example/"}, "maxClicks": 1}"#)
            let scan = TestRequest(
                "GET", "/once", host: "go.example.com", headers: userAgent.map { [("User-Agent", $0)] } ?? [])
            for _ in 0..<3 { #expect(try await fixture.client.send(scan).status == 302) }
            #expect(try await fixture.visit("/once").status == 302)
            #expect(try await fixture.visit("/once").status == 410)
            #expect(try await fixture.client.send(scan).status == 410)
            try await fixture.service.clicks.flush()
            let link = try await fixture.call("GET", "/api/v1/links/go.example.com/once")
            #expect(link.json["state"]?.string == "exhausted")
            #expect(link.json["clicks"]?.integer == 4)
        }
    }

    /// The first that holds, in the order of the interface.
    @Test func namesTheFirstStateThatHolds() async throws {
        try await SiteFixture.run(.inProcess) { fixture in
            let all = [
                ("disabled", #""disabled": true, "expiresAt": "2026-11-21T09:00:00Z""#),
                ("expired", #""expiresAt": "2026-11-21T09:30:00Z", "validFrom": "2026-11-21T09:00:00Z""#),
                ("scheduled", #""validFrom": "2026-11-21T11:00:00Z", "maxClicks": 5"#),
            ]
            for (state, members) in all {
                let link = try await fixture.create(#"{"urls": {"web": "https://a.example/"}, \#(members)}"#)
                #expect(link["state"]?.string == state)
            }
        }
    }
}
