import Testing
import WaymarkJSON
import WaymarkSQLite
import WaymarkService
import WaymarkStores

@testable import WaymarkSite

/// Changes of many links that are planned before they are made: `POST /api/v1/changes:plan` and what follows.
@Suite struct PlannedChangeTests {
    private static let change = #""select": {"tag": "t"}, "patch": {"urls": {"web": "https://b.example/"}}"#
    private static let marks = [("X-Waymark-Dashboard", "1"), ("Sec-Fetch-Site", "same-origin")]
    private static let linux = "Mozilla/5.0 (X11; Linux x86_64; rv:133.0) Gecko/20100101 Firefox/133.0"

    /// A site with so many links with the tag `t`.
    private static func run(
        links: Int, store: (any LinkStore)? = nil, _ test: (SiteFixture) async throws -> Void
    ) async throws {
        var options = SiteFixture.options()
        options.unplannedLinks = 2
        let applications = [SiteFixture.shop, SiteFixture.news]
        try await SiteFixture.run(.inProcess, applications: applications, options: options, store: store) { fixture in
            for index in 0..<links {
                _ = try await fixture.create(
                    #"{"app": "shop", "slug": "s\#(index)", "urls": {"web": "https://a.example/"}, "tags": ["t"]}"#)
            }
            try await test(fixture)
        }
    }

    /// The result of a tool.
    private static func tool(
        _ name: String, _ arguments: String, _ fixture: SiteFixture, key: String = SiteFixture.adminKey
    ) async throws -> JSONValue {
        let parameters = #"{"name":"\#(name)","arguments":{\#(arguments)}}"#
        let message = #"{"jsonrpc":"2.0","id":1,"method":"tools/call","params":\#(parameters)}"#
        let answer = try await fixture.call("POST", "/_/mcp", message, key: key)
        return answer.json["result"]?["structuredContent"] ?? .null
    }

    private static func hash(_ plan: JSONValue) throws -> String {
        try #require(plan["hash"]?.string, "\(plan.text())")
    }

    /// A person with an account of a provider.
    ///
    /// - Parameter app: nil for all.
    private static func person(
        _ fixture: SiteFixture, _ app: String? = nil, role: String = "editor"
    ) async throws -> TestAnswer {
        let app = app.map { "\"\($0)\"" } ?? "null"
        let identities = #"[{"issuer": "https://id.example.com", "subject": "\#(role) of \#(app.filter(\.isLetter))"}]"#
        return try await fixture.call(
            "POST", "/api/v1/people",
            #"{"name": "Ana", "memberships": [{"app": \#(app), "role": "\#(role)"}], "identities": \#(identities)}"#)
    }

    /// The headers of a person's session.
    private static func session(
        _ fixture: SiteFixture, role: String = "editor"
    ) async throws -> [(String, String)] {
        let made = try await person(fixture, role: role)
        let id = try #require(made.json["id"]?.string, "\(made.text)")
        guard case .started(let secret, _) = try await fixture.service.keys.signIn(id) else {
            Issue.record("the person can't sign in")
            return []
        }
        return [("Cookie", "waymark=\(secret.text)")] + marks
    }

    private static func destinations(_ fixture: SiteFixture) async throws -> Set<String> {
        let links = try await fixture.links("tag=t")
        return Set(links.compactMap { $0["urls"]?["web"]?["url"]?.string ?? $0["urls"]?["web"]?.string })
    }

    @Test func `a plan names links and fields and changes nothing`() async throws {
        try await Self.run(links: 3) { fixture in
            let plan = try await fixture.call("POST", "/api/v1/changes:plan", "{\(Self.change)}").json
            #expect(plan["matched"] == 3)
            #expect(plan["changed"] == 3)
            #expect(plan["unchanged"] == 0)
            let first = plan["changes"]?.array?.first
            #expect(first?["link"]?.string?.hasPrefix("go.example.com/s") == true)
            #expect(first?["version"] == 1)
            #expect(first?["fields"]?.array?.compactMap { $0["field"]?.string } == ["urls"])
            #expect(first?["fields"]?.array?.first?["to"]?.text().contains("b.example") == true)
            #expect(try await Self.destinations(fixture) == ["https://a.example/"])
        }
    }

    @Test func `values of secrets and metadata are in no plan`() async throws {
        try await Self.run(links: 1) { fixture in
            let patch = #""patch": {"metadata": {"a": "planted"}, "password": "planted-password"}"#
            let plan = try await fixture.call(
                "POST", "/api/v1/changes:plan", #"{"select": {"tag": "t"}, \#(patch)}"#)
            #expect(plan.json["changed"] == 1, "\(plan.text)")
            #expect(!plan.text.contains("planted"))
            let list = try await fixture.call("GET", "/api/v1/changes")
            #expect(list.json["changes"]?.array?.count == 1)
            #expect(!list.text.contains("planted"), "\(list.text)")
            let change = try #require(list.json["changes"]?.array?.first?["change"]?.string)
            #expect(try JSONValue(parsing: Array(change.utf8))["select"] == ["tag": "t"])
        }
    }

    @Test func `a person sees all of a change before confirming it`() async throws {
        try await Self.run(links: 3) { fixture in
            let session = try await Self.session(fixture)
            let long = "https://a.example/" + String(repeating: "a", count: 1_900)
            let urls = #"{"android": "\#(long)", "ios": "\#(long)", "web": "https://b.example/?token=t"}"#
            let title = String(repeating: "t", count: 100)
            let patch = #"{"title": "\#(title)", "urls": \#(urls), "password": "planted-password"}"#
            let plan = try await Self.tool("plan_change", #""select": {"tag": "t"}, "patch": \#(patch)"#, fixture)
            #expect(plan["needsConfirmation"] == true, "\(plan.text())")
            let list = try await fixture.call("GET", "/api/v1/changes", key: nil, headers: session)
            let text = try #require(list.json["changes"]?.array?.first?["change"]?.string, "\(list.text)")
            let change = try JSONValue(parsing: Array(text.utf8))
            #expect(try change["urls"] == JSONValue(parsing: Array(urls.utf8)))
            #expect(change["select"] == ["tag": "t"])
            #expect(change["password"] == "(changes, not shown)")
        }
    }

    @Test(arguments: [true, false])
    func `a change too long to confirm is refused`(_ isConfirmed: Bool) async throws {
        try await Self.run(links: 3) { fixture in
            if isConfirmed { _ = try await Self.session(fixture) }
            let slugs = (0..<3).map { "s\($0)" } + (0..<700).map { "\($0)" + String(repeating: "x", count: 90) }
            let links = slugs.map { "\"go.example.com/\($0)\"" }.joined(separator: ", ")
            let plan = try await fixture.call(
                "POST", "/api/v1/changes:plan", #"{"select": {"links": [\#(links)]}, "patch": {"title": "b"}}"#)
            #expect(plan.status == (isConfirmed ? 422 : 200), "\(plan.text)")
            #expect(plan.text.contains("split it") == isConfirmed)
            // Where nobody confirms, it can't be confirmed later either, unseen.
            #expect(try await fixture.call("GET", "/api/v1/changes").json["changes"]?.array?.isEmpty == true)
            guard !isConfirmed else { return }
            let hash = try Self.hash(plan.json)
            let session = try await Self.session(fixture)
            let path = "/api/v1/changes/\(hash):confirm"
            #expect(try await fixture.call("POST", path, key: nil, headers: session).status == 404)
        }
    }

    @Test func `a link named twice counts twice for plan and change`() async throws {
        try await Self.run(links: 2) { fixture in
            _ = try await Self.session(fixture)
            let links = #"["go.example.com/s0", "go.example.com/s0", "go.example.com/s1"]"#
            let change = #""select": {"links": \#(links)}, "patch": {"title": "b"}"#
            let plan = try await Self.tool("plan_change", change, fixture)
            #expect(plan["matched"] == 2)
            #expect(plan["needsConfirmation"] == true, "\(plan.text())")
            let refused = try await Self.tool("change_links", change + #", "plan": "\#(try Self.hash(plan))""#, fixture)
            #expect(refused["type"] == "urn:waymark:problem:confirmation-needed", "\(refused.text())")
        }
    }

    @Test func `an assistant changes few links without a plan`() async throws {
        try await Self.run(links: 2) { fixture in
            let answer = try await Self.tool("change_links", Self.change, fixture)
            #expect(answer["changed"] == 2, "\(answer.text())")
        }
    }

    @Test func `an assistant needs a plan for many links`() async throws {
        try await Self.run(links: 3) { fixture in
            let refused = try await Self.tool("change_links", Self.change, fixture)
            #expect(refused["type"] == "urn:waymark:problem:plan-needed", "\(refused.text())")
            #expect(refused["detail"]?.string?.contains("plan_change") == true)
            #expect(try await Self.tool("change_links", Self.change + #", "dryRun": true"#, fixture)["changed"] == 3)
            #expect(try await Self.destinations(fixture) == ["https://a.example/"])
            let plan = try await Self.tool("plan_change", Self.change, fixture)
            let order = Self.change + #", "plan": "\#(try Self.hash(plan))""#
            #expect(try await Self.tool("change_links", order, fixture)["changed"] == 3)
            #expect(try await Self.destinations(fixture) == ["https://b.example/"])
            // A hash is good for one request.
            #expect(try await Self.tool("change_links", order, fixture)["status"] == 428)
        }
    }

    @Test func `a program without the mark needs no plan`() async throws {
        try await Self.run(links: 3) { fixture in
            let answer = try await fixture.call("PATCH", "/api/v1/links:batch", "{\(Self.change)}")
            #expect(answer.json["changed"] == 3)
            let marked = try await fixture.call(
                "POST", "/api/v1/links:delete", #"{"select": {"tag": "t"}}"#, headers: [("Waymark-Assistant", "1")])
            #expect(marked.status == 428)
        }
    }

    enum Staleness: String, CaseIterable { case link, application, selection, change, key, time }

    @Test(arguments: Staleness.allCases)
    func `a hash holds for what it was made from only`(_ staleness: Staleness) async throws {
        try await Self.run(links: 3) { fixture in
            let plan = try await Self.tool("plan_change", Self.change, fixture)
            var order = Self.change + #", "plan": "\#(try Self.hash(plan))""#
            var key = SiteFixture.adminKey
            switch staleness {
            case .link:
                _ = try await fixture.call("PATCH", "/api/v1/links/go.example.com/s1", #"{"title": "other"}"#)
            case .application:
                let application = try await fixture.call("GET", "/api/v1/apps/shop").json
                var changed = try #require(application.object)
                for name in ["version", "isReadOnly", "readOnly", "links", "id"] { changed[name] = nil }
                changed["name"] = "Other"
                let put = try await fixture.call("PUT", "/api/v1/apps/shop", JSONValue(changed).text())
                #expect(put.status == 200, "\(put.text)")
            case .selection:
                _ = try await fixture.create(#"{"app": "shop", "urls": {"web": "https://a.example/"}, "tags": ["t"]}"#)
            case .change: order = order.replacing("b.example", with: "c.example")
            case .key: key = try await fixture.key(["links"])
            case .time: fixture.clock.advance(seconds: 3_600)
            }
            let answer = try await Self.tool("change_links", order, fixture, key: key)
            let isUnknown = staleness == .key || staleness == .time
            #expect(answer["status"]?.integer == (isUnknown ? 428 : 412), "\(answer.text())")
            #expect(answer["detail"]?.string?.contains("plan_change") == true)
            #expect(try await Self.destinations(fixture) == ["https://a.example/"])
        }
    }

    @Test func `where people sign in one of them confirms`() async throws {
        try await Self.run(links: 3) { fixture in
            let session = try await Self.session(fixture)
            let viewer = try await Self.session(fixture, role: "viewer")
            let plan = try await Self.tool("plan_change", Self.change, fixture)
            #expect(plan["needsConfirmation"] == true)
            let hash = try Self.hash(plan)
            let order = Self.change + #", "plan": "\#(hash)""#
            let refused = try await Self.tool("change_links", order, fixture)
            #expect(refused["type"] == "urn:waymark:problem:confirmation-needed", "\(refused.text())")
            let path = "/api/v1/changes/\(hash):confirm"
            // A key confirms nothing, nor does a person who may not change links, nor an assistant with a session.
            #expect(try await fixture.call("POST", path).status == 403)
            #expect(try await fixture.call("POST", path, key: nil, headers: viewer).status == 403)
            #expect(
                try await fixture.call("POST", path, key: nil, headers: session + [("Waymark-Assistant", "1")]).status
                    == 403)
            let unknown = try await fixture.call(
                "POST", "/api/v1/changes/\(String(repeating: "a", count: 43)):confirm", key: nil, headers: session)
            #expect(unknown.status == 404)
            let confirmed = try await fixture.call("POST", path, key: nil, headers: session)
            #expect(confirmed.json["confirmedBy"] == "Ana", "\(confirmed.text)")
            let entry = try await fixture.call("GET", "/api/v1/audit?action=change.confirmed").json["entries"]?.array?
                .first
            #expect(entry?["by"]?["person"]?["name"] == "Ana")
            #expect(try await Self.tool("change_links", order, fixture)["changed"] == 3)
            let change = try await fixture.call("GET", "/api/v1/audit?action=link.changed").json["entries"]?.array?
                .first
            #expect(change?["after"]?["confirmedBy"] == "Ana")
            #expect(try await fixture.call("GET", "/api/v1/changes").json["changes"]?.array?.isEmpty == true)
        }
    }

    /// Editors by their application (`all`), the application of the links beside those of the shop, and what is answered.
    @Test(
        arguments: [
            (["all"], nil, true), (["shop"], nil, true), (["news"], nil, false), ([], nil, false),
            (["news"], "news", true), (["shop", "news"], "news", true),
        ] as [([String], String?, Bool)])
    func `people of a change's applications confirm it`(
        _ editors: [String], _ further: String?, _ isNeeded: Bool
    ) async throws {
        try await Self.run(links: 3) { fixture in
            for app in editors {
                let made = try await Self.person(fixture, app == "all" ? nil : app)
                #expect(made.status == 201, "\(made.text)")
            }
            if let further {
                _ = try await fixture.create(
                    #"{"app": "\#(further)", "urls": {"web": "https://a.example/"}, "tags": ["t"]}"#)
            }
            let plan = try await Self.tool("plan_change", Self.change, fixture)
            #expect(plan["needsConfirmation"] == JSONValue(isNeeded))
            let order = Self.change + #", "plan": "\#(try Self.hash(plan))""#
            let answer = try await Self.tool("change_links", order, fixture)
            guard isNeeded else {
                #expect(answer["changed"] == 3, "\(answer.text())")
                return
            }
            #expect(answer["status"] == 403, "\(answer.text())")
            // Nobody may change all of them, and one application more is no way around a person.
            let isDivided = answer["detail"]?.string?.contains("for each application") == true
            #expect(isDivided == (further != nil), "\(answer.text())")
        }
    }

    @Test func `keys that plan the same have their own plans`() async throws {
        try await Self.run(links: 3) { fixture in
            let session = try await Self.session(fixture)
            let plan = try await Self.tool("plan_change", Self.change, fixture)
            let hash = try Self.hash(plan)
            let confirmed = try await fixture.call(
                "POST", "/api/v1/changes/\(hash):confirm", key: nil, headers: session)
            #expect(confirmed.status == 200, "\(confirmed.text)")
            let key = try await fixture.key(["links"])
            let other = try Self.hash(try await Self.tool("plan_change", Self.change, fixture, key: key))
            #expect(other != hash)
            let second = try await Self.tool("change_links", Self.change + #", "plan": "\#(other)""#, fixture, key: key)
            #expect(second["type"] == "urn:waymark:problem:confirmation-needed", "\(second.text())")
            let first = try await Self.tool("change_links", Self.change + #", "plan": "\#(hash)""#, fixture)
            #expect(first["changed"] == 3, "\(first.text())")
        }
    }

    @Test func `a confirmation ends an hour after its plan`() async throws {
        try await Self.run(links: 3) { fixture in
            let session = try await Self.session(fixture)
            let plan = try await Self.tool("plan_change", Self.change, fixture)
            let hash = try Self.hash(plan)
            let path = "/api/v1/changes/\(hash):confirm"
            #expect(try await fixture.call("POST", path, key: nil, headers: session).status == 200)
            fixture.clock.advance(seconds: 1_800)
            let again = try await Self.tool("plan_change", Self.change, fixture)
            #expect(again["hash"] == plan["hash"])
            #expect(again["expiresAt"] == plan["expiresAt"])
            fixture.clock.advance(seconds: 1_800)
            let order = Self.change + #", "plan": "\#(hash)""#
            #expect(try await Self.tool("change_links", order, fixture)["status"] == 428)
            // A plan that nobody has confirmed lasts an hour from now.
            let third = try await Self.tool("plan_change", Self.change, fixture)
            #expect(third["expiresAt"] != plan["expiresAt"])
            let listed = try await fixture.call("GET", "/api/v1/changes").json["changes"]?.array
            #expect(listed?.map { $0["confirmedBy"] } == [.null])
        }
    }

    @Test func `planning again makes no other plan give way`() async throws {
        try await Self.run(links: 1) { fixture in
            for index in (0..<PlannedChange.ownerLimit) + [0] {
                _ = try await fixture.call(
                    "POST", "/api/v1/changes:plan", #"{"select": {"tag": "t"}, "patch": {"title": "\#(index)"}}"#)
            }
            let list = try await fixture.call("GET", "/api/v1/changes").json["changes"]?.array
            #expect(list?.count == PlannedChange.ownerLimit)
        }
    }

    @Test func `a hash needs the secret of the database`() async throws {
        let (one, other) = (try SQLiteLinkStore(path: ":memory:"), try SQLiteLinkStore(path: ":memory:"))
        var hashes: [String] = []
        for store in [one, one, other] {
            try await Self.run(links: 0, store: store) { fixture in
                hashes.append(try await PlannedChanges.of(fixture.site).hash(Array("planted-password".utf8)))
            }
        }
        #expect(hashes[0] == hashes[1])
        #expect(hashes[0] != hashes[2])
        #expect(hashes[0].utf8.count == 43)
    }

    @Test func `a rehearsal counts who would go elsewhere`() async throws {
        try await Self.run(links: 3) { fixture in
            for slug in ["s0", "s0", "s1"] { _ = try await fixture.visit("/\(slug)", as: Agent.windows) }
            _ = try await fixture.visit("/s2", as: Self.linux)
            fixture.clock.advance(seconds: 24 * 60 * 60)
            let rules = #"[{"name": "W", "when": {"platform": "windows"}, "to": "https://w.example/"}]"#
            let change = #""select": {"tag": "t"}, "patch": {"rules": \#(rules)}"#
            let plan = try await Self.tool("rehearse_change", change, fixture)
            let rehearsal = plan["rehearsal"]
            #expect(rehearsal?["clicks"] == 4, "\(plan.text())")
            #expect(rehearsal?["changed"] == 3)
            #expect(rehearsal?["equal"] == 1)
            #expect(rehearsal?["equalPercent"] == 25)
            #expect(rehearsal?["undecidable"] == 0)
            #expect(rehearsal?["links"]?.array?.count == 3)
            let listed = try await fixture.call("GET", "/api/v1/changes").json["changes"]?.array?.first?["rehearsal"]
            #expect(listed == ["days": 1, "clicks": 4, "changed": 3, "undecidable": 0])
            let order = change + #", "plan": "\#(try Self.hash(plan))""#
            #expect(try await Self.tool("change_links", order, fixture)["changed"] == 3)
        }
    }

    @Test func `plans of one key make room for its newer ones`() async throws {
        try await Self.run(links: 1) { fixture in
            for index in 0...PlannedChange.ownerLimit {
                _ = try await fixture.call(
                    "POST", "/api/v1/changes:plan", #"{"select": {"tag": "t"}, "patch": {"title": "\#(index)"}}"#)
            }
            let list = try await fixture.call("GET", "/api/v1/changes").json["changes"]?.array
            #expect(list?.count == PlannedChange.ownerLimit)
        }
    }

    @Test func `keys see plans of their application alone`() async throws {
        try await Self.run(links: 1) { fixture in
            _ = try await fixture.call("POST", "/api/v1/changes:plan", "{\(Self.change)}")
            let own = try await fixture.call(
                "GET", "/api/v1/changes", key: try await fixture.key(["links"], app: "shop"))
            #expect(own.json["changes"]?.array?.count == 1, "\(own.text)")
            let other = try await fixture.call("GET", "/api/v1/changes", key: try await fixture.key(["read"]))
            #expect(other.status == 403)
        }
    }
}
