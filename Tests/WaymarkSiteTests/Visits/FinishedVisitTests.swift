import Testing
import WaymarkJSON
import WaymarkLinks
import WaymarkService

/// Answers to visits that are kept finished are those that would be made anew, but for the click's id.
@Suite struct FinishedVisitTests {
    private static let inFacebook =
        "Mozilla/5.0 (Linux; Android 15; Pixel 9; wv) AppleWebKit/537.36 (KHTML, like Gecko) Version/4.0 "
        + "Chrome/130.0.0.0 Mobile Safari/537.36 [FB_IAB/FB4A;FBAV/480.0.0.0;]"
    /// Those who are sent to an app: to a page with a button, or there at once.
    private static let agents = [Agent.android, Agent.iphone, Agent.ipad, Agent.mac, inFacebook]

    @Test(arguments: TransportKind.allCases, agents)
    func eachVisitHasAnIDOfItsOwn(transportKind: TransportKind, agent: String) async throws {
        try await SiteFixture.run(transportKind) { fixture in
            let slug = try #require(try await fixture.create(SiteFixture.product)["slug"]?.string)
            var seen: Set<String> = []
            var said: Set<String> = []
            for (number, method) in ["GET", "GET", "HEAD", "GET", "GET"].enumerated() {
                let answer = try await fixture.visit("/\(slug)", as: agent, method: method)
                let text = (answer[header: "Location"] ?? "") + answer.text
                let ids = Self.ids(in: text, fixture)
                guard method == "GET" else {
                    #expect(ids.allSatisfy { fixture.service.read(clickID: $0)?.counted == false })
                    continue
                }
                let id = try #require(ids.first, "visit \(number) has no id")
                #expect(ids == [id], "two ids in one answer")
                #expect(fixture.service.read(clickID: id)?.counted == true)
                #expect(seen.insert(id).inserted, "visit \(number) has the id of another")
                said.insert(text.split(separator: id, omittingEmptySubsequences: false).joined(separator: "…"))
            }
            #expect(said.count == 1, "\(said)")
            // By now it is kept.
            let decided = fixture.service.cache.metrics.hits
            #expect(try await fixture.visit("/\(slug)", as: agent).status < 400)
            #expect(fixture.service.cache.metrics.hits == decided, "it was decided anew")
            try await fixture.service.clicks.flush()
            #expect(try await fixture.call("GET", "/api/v1/links/\(slug)").json["clicks"]?.integer == 5)
        }
    }

    @Test(arguments: TransportKind.allCases)
    func appsOwnBrowsersAreTheirOwnClass(transportKind: TransportKind) async throws {
        try await SiteFixture.run(transportKind) { fixture in
            let slug = try #require(try await fixture.create(SiteFixture.product)["slug"]?.string)
            for _ in 0..<3 {
                #expect(try await fixture.visit("/\(slug)", as: Agent.android).status == 302)
                let page = try await fixture.visit("/\(slug)", as: Self.inFacebook)
                #expect(page.status == 200)
                #expect(page.text.contains("intent:"))
            }
        }
    }

    @Test(arguments: TransportKind.allCases, agents)
    func followsChangesOfTheLink(transportKind: TransportKind, agent: String) async throws {
        try await SiteFixture.run(transportKind) { fixture in
            let slug = try #require(try await fixture.create(SiteFixture.product)["slug"]?.string)
            for product in ["43", "44"] {
                for _ in 0..<2 { _ = try await fixture.visit("/\(slug)", as: agent) }
                let change = try await fixture.call(
                    "PATCH", "/api/v1/links/\(slug)", #"{"routeParameters": {"product_id": "\#(product)"}}"#)
                #expect(change.status == 200)
                for _ in 0..<2 {
                    let answer = try await fixture.visit("/\(slug)", as: agent)
                    #expect(((answer[header: "Location"] ?? "") + answer.text).contains("products/\(product)"))
                }
            }
        }
    }

    @Test(arguments: TransportKind.allCases)
    func previewsAreKeptToo(transportKind: TransportKind) async throws {
        try await SiteFixture.run(transportKind) { fixture in
            let slug = try #require(
                try await fixture.create(
                    #"{"urls": {"web": "https://a.example/"}, "social": {"title": "Hello"}}"#)["slug"]?.string)
            let first = try await fixture.visit("/\(slug)", as: Agent.crawler)
            #expect(first.text.contains("og:title"))
            for _ in 0..<2 {
                let again = try await fixture.visit("/\(slug)", as: Agent.crawler)
                #expect(again.body == first.body)
                #expect(again[header: "Content-Security-Policy"] == first[header: "Content-Security-Policy"])
                #expect(try await fixture.visit("/\(slug)", as: Agent.search).status == 302)
            }
            let decided = fixture.service.cache.metrics.hits
            _ = try await fixture.visit("/\(slug)", as: Agent.crawler)
            #expect(fixture.service.cache.metrics.hits == decided, "it was decided anew")
        }
    }

    /// Whatever this service takes for a click's id.
    private static func ids(in text: String, _ fixture: SiteFixture) -> Set<String> {
        let bytes = Array(text.utf8)
        guard bytes.count >= ClickID.length else { return [] }
        let windows = (0...bytes.count - ClickID.length).lazy.map { start in
            String(decoding: bytes[start..<start + ClickID.length], as: UTF8.self)
        }
        return Set(windows.filter { fixture.service.read(clickID: $0) != nil })
    }
}
