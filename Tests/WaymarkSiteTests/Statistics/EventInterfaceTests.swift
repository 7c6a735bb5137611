import Testing
import WaymarkJSON
import WaymarkLinks
import WaymarkSQLite
import WaymarkService
import WaymarkStores

/// `POST /api/v1/events`.
@Suite struct EventInterfaceTests {
    private func event(_ id: String, _ more: String = "", type: String = "open") -> String {
        #"{"id": "\#(id)", "type": "\#(type)", "platform": "ios", "at": "2026-11-21T09:59:59.5+01:00"\#(more)}"#
    }

    private func send(
        _ fixture: SiteFixture, _ events: [String], key: String = SiteFixture.adminKey
    ) async throws -> TestAnswer {
        try await fixture.call("POST", "/api/v1/events", "{\"events\": [\(events.joined(separator: ","))]}", key: key)
    }

    private func counts(_ answer: TestAnswer) -> [Int?] {
        ["counted", "unattributed", "duplicates"].map { answer.json[$0]?.integer }
    }

    @Test(arguments: TransportKind.allCases)
    func countsEachEventOnce(transportKind: TransportKind) async throws {
        let store = try SQLiteLinkStore(path: ":memory:")
        try await SiteFixture.run(transportKind, store: store) { fixture in
            let link = try await fixture.create(SiteFixture.product)
            let smartlink = try #require(link["smartlink"]?.string)
            let key = try await fixture.key(["resolve"], app: "shop")
            let named = #", "smartlink": "\#(smartlink)?a=b""#
            let events = [event("1", named), event("2", named, type: "install"), event("3"), event("1", named)]
            let first = try await send(fixture, events, key: key)
            #expect(first.status == 202)
            #expect(counts(first) == [2, 1, 1])
            #expect(counts(try await send(fixture, events, key: key)) == [0, 0, 4])
            let slug = try #require(link["slug"]?.string.flatMap { Slug($0) })
            let domain = try #require(HostName("go.example.com"))
            let id = try #require(try await store.link(domain, slug)).id
            #expect(try await store.eventCounts(of: id) == EventCounts(opens: 1, installs: 1))
            let metrics = try await fixture.call("GET", "/metrics").text
            #expect(metrics.contains(#"waymark_events_total{type="open",outcome="counted"} 1"#))
            #expect(metrics.contains(#"waymark_events_total{type="open",outcome="unattributed"} 1"#))
            #expect(metrics.contains(#"waymark_events_total{type="install",outcome="duplicate"} 1"#))
            #expect(counts(try await send(fixture, [], key: key)) == [0, 0, 0])
        }
    }

    @Test func takesWhatLeadsNowhere() async throws {
        try await SiteFixture.run(.inProcess, applications: [SiteFixture.shop, SiteFixture.news]) { fixture in
            let link = try await fixture.create(
                #"{"app": "shop", "urls": {"web": "https://a.example/"}, "disabled": true}"#)
            let smartlink = try #require(link["smartlink"]?.string)
            let news = try await fixture.key(["resolve"], app: "news")
            let foreign = event("1", #", "smartlink": "\#(smartlink)""#)
            #expect(counts(try await send(fixture, [foreign], key: news)) == [0, 1, 0])
            // The other application's id is another event; a link's state does not matter.
            let own = try await fixture.key(["resolve"], app: "shop")
            #expect(counts(try await send(fixture, [foreign], key: own)) == [1, 0, 0])
            let nowhere = [
                event("2", #", "clickID": "forged""#), event("3", #", "smartlink": "https://go.example.com/nobody""#),
                event("4", #", "smartlink": "shop://products/42""#), event("5", #", "smartlink": "", "clickID": null"#),
            ]
            #expect(counts(try await send(fixture, nowhere, key: own)) == [0, 4, 0])
        }
    }

    @Test func namesEveryProblem() async throws {
        try await SiteFixture.run(.inProcess) { fixture in
            let answer = try await send(
                fixture,
                [
                    event("ok"), #"{"id": "", "type": "close", "platform": "pc", "at": "yesterday"}"#, "7",
                    #"{"id": 1, "type": "open", "platform": "ios", "at": 3, "extra": true}"#, "{}",
                    event("b", #", "clickID": 1, "smartlink": []"#),
                ])
            #expect(answer.status == 422)
            #expect(
                Set(answer.fields)
                    == [
                        "events[1].id", "events[1].type", "events[1].platform", "events[1].at", "events[2]",
                        "events[3].id", "events[3].at", "events[3].extra", "events[4].id", "events[4].type",
                        "events[4].platform", "events[4].at", "events[5].clickID", "events[5].smartlink",
                    ])
            #expect(answer.fields.count == 14)
            // Nothing of it was taken.
            #expect(counts(try await send(fixture, [event("ok")])) == [0, 1, 0])
        }
    }

    @Test func takesAHundredAndNoMore() async throws {
        try await SiteFixture.run(.inProcess) { fixture in
            let events = (0..<101).map { event("\($0)") }
            let answer = try await send(fixture, events)
            #expect(answer.status == 422)
            #expect(answer.fields == ["events"])
            #expect(counts(try await send(fixture, Array(events.dropLast()))) == [0, 100, 0])
        }
    }

    @Test func needsTheScope() async throws {
        try await SiteFixture.run(.inProcess) { fixture in
            let create = try await fixture.key(["create"])
            #expect(try await send(fixture, [], key: create).status == 403)
            #expect(try await send(fixture, [], key: "wm_x").status == 401)
        }
    }
}
