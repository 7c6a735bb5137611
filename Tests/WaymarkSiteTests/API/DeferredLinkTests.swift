import Testing
import WaymarkJSON
import WaymarkLinks
import WaymarkService
import WaymarkStores

/// `POST /api/v1/deferred/claim`, and how a click's id comes into the app.
@Suite struct DeferredLinkTests {
    private func claim(
        _ fixture: SiteFixture, _ members: String, by installation: String = "phone",
        key: String = SiteFixture.adminKey,
        headers: [(String, String)] = []
    ) async throws -> TestAnswer {
        try await fixture.call(
            "POST", "/api/v1/deferred/claim",
            #"{"app": "shop", "platform": "android", "installID": "\#(installation)", \#(members)}"#, key: key,
            headers: headers)
    }

    /// What stands behind the name, up to the next quotation mark.
    private func attribute(_ name: String, in text: String) throws -> String {
        let start = try #require(text.firstRange(of: "\(name)=\"")).upperBound
        let rest = text[start...].utf8
        return String(decoding: rest.prefix { $0 != UInt8(ascii: "\"") }, as: UTF8.self)
            .split(separator: "&amp;", omittingEmptySubsequences: false).joined(separator: "&")
    }

    /// The referrer as Play hands it to the app, out of the intent's fallback.
    private func referrer(_ location: String) throws -> String {
        func decoded(_ text: Substring) -> String {
            var bytes: [UInt8] = []
            var rest = Array(text.utf8)[...]
            while let byte = rest.popFirst() {
                if byte == UInt8(ascii: "%"),
                    let value = UInt8(String(decoding: rest.prefix(2), as: UTF8.self), radix: 16)
                {
                    rest = rest.dropFirst(2)
                    bytes.append(value)
                } else {
                    bytes.append(byte)
                }
            }
            return String(decoding: bytes, as: UTF8.self)
        }
        let fallback = try #require(
            location.split(separator: ";").first { $0.hasPrefix("S.browser_fallback_url=") }?.dropFirst(23))
        let store = decoded(fallback)
        let value = try #require(store.split(separator: "&").first { $0.hasPrefix("referrer=") }?.dropFirst(9))
        return decoded(value)
    }

    @Test(arguments: TransportKind.allCases)
    func findsTheLinkThroughPlaysReferrer(transportKind: TransportKind) async throws {
        try await SiteFixture.run(transportKind) { fixture in
            let slug = try #require(try await fixture.create(SiteFixture.product)["slug"]?.string)
            let visit = try await fixture.visit("/\(slug)", as: Agent.android)
            let location = try #require(visit[header: "Location"])
            let referrer = try referrer(location)
            #expect(referrer.hasPrefix("waymark="))
            let key = try await fixture.key(["resolve"], app: "shop")
            let first = try await claim(fixture, #""referrer": "\#(referrer)""#, key: key)
            #expect(first.status == 200)
            #expect(first.json["deeplink"]?.string == "shop://products/42?referrer=ana")
            #expect(first.json["route"]?.string == "products/:product_id")
            #expect(first.json["metadata"]?["coupon"]?.string == "20")
            #expect(first.json["match"] == (try JSONValue(parsing: #"{"method": "referrer"}"#)))
            #expect(
                first.json["redeem"]
                    == (try JSONValue(parsing: #"{"limit": 1, "used": 1, "remaining": 0, "status": "redeemed"}"#)))
            #expect(first[header: "Cache-Control"] == "no-store")

            fixture.clock.advance(seconds: 86_399)
            let again = try await claim(fixture, #""referrer": "\#(referrer)""#, key: key)
            #expect(again.body == first.body)
            #expect(first[header: "Idempotent-Replayed"] == nil)
            #expect(again[header: "Idempotent-Replayed"] == "true")
            let other = try await claim(fixture, #""referrer": "\#(referrer)""#, by: "other", key: key)
            #expect(other.status == 200)
            #expect(other.json["deeplink"]?.isNull == true && other.json["match"]?.isNull == true)
            fixture.clock.advance(seconds: 1)
            #expect(try await claim(fixture, #""referrer": "\#(referrer)""#, key: key).body == other.body)
            #expect(
                try await fixture.call("GET", "/api/v1/links/\(slug)").json["redeem"]?["used"]?.integer == 1)
        }
    }

    @Test(arguments: TransportKind.allCases)
    func findsTheLinkOnTheClipboard(transportKind: TransportKind) async throws {
        try await SiteFixture.run(transportKind) { fixture in
            let slug = try #require(try await fixture.create(SiteFixture.product)["slug"]?.string)
            let page = try await fixture.visit("/\(slug)?color=red&x=%22a", as: Agent.iphone)
            let copied = try attribute("data-copy", in: page.text)
            #expect(copied.hasPrefix("https://go.example.com/\(slug)?color=red&x=%22a&_hk_cid="))
            let answer = try await claim(fixture, #""clipboard": "\#(copied)", "referrer": "utm_source=organic""#)
            #expect(answer.json["match"]?["method"]?.string == "clipboard")
            #expect(
                answer.json["queryParameters"]
                    == (try JSONValue(parsing: ##"{"referrer": "ana", "color": "red", "x": "\"a"}"##)))
        }
    }

    @Test(arguments: TransportKind.allCases)
    func `a forgotten installation has no claim any more`(transportKind: TransportKind) async throws {
        try await SiteFixture.run(transportKind) { fixture in
            let slug = try #require(try await fixture.create(SiteFixture.product)["slug"]?.string)
            let location = try #require(try await fixture.visit("/\(slug)", as: Agent.android)[header: "Location"])
            let referrer = try referrer(location)
            let key = try await fixture.key(["resolve"], app: "shop")
            let claim = #""referrer": "\#(referrer)""#
            #expect(try await self.claim(fixture, claim, key: key).json["match"]?.isNull == false)
            for (app, id, status) in [
                ("shop", "other", 204), ("shop", "phone", 204), ("shop", "phone", 204), ("shop", "", 422),
                ("none", "a", 403),
            ] {
                let answer = try await fixture.call(
                    "POST", "/api/v1/installations:forget", #"{"app": "\#(app)", "installID": "\#(id)"}"#, key: key)
                #expect(answer.status == status, "\(answer.text)")
            }
            // One entry, without the id, however often the call was made.
            let audit = try await fixture.call("GET", "/api/v1/audit?action=installation.forgotten")
            let entries = try #require(audit.json["entries"]?.array)
            #expect(entries.count == 1, "\(audit.text)")
            #expect(entries.first?["app"] == "shop")
            #expect(entries.first?["object"]?["type"] == "installation")
            #expect(!audit.text.contains("phone"), "\(audit.text)")
            // The click stays used up.
            for installation in ["phone", "other"] {
                let again = try await self.claim(fixture, claim, by: installation, key: key)
                #expect(again.json["match"]?.isNull == true)
            }
        }
    }

    /// Nothing is copied without a tap, nor without the tick, which only those see who can use it.
    @Test func offersTheCopyWhereAStoreIsTheWayToTheApp() async throws {
        try await SiteFixture.run(.inProcess) { fixture in
            let slug = try #require(try await fixture.create(SiteFixture.product)["slug"]?.string)
            let page = try await fixture.visit("/\(slug)", as: Agent.iphone)
            #expect(page.text.contains("href=\"https://apps.apple.com/app/id123456789\" data-copy=\""))
            #expect(page.text.contains("<label class=\"tick\" data-needs-script hidden>"))
            #expect(page.text.contains("<input type=\"checkbox\" data-continue>"))
            #expect(!page.text.contains("onclick"))
            let web = try #require(
                try await fixture.create(
                    #"{"urls": {"web": "https://a.example/", "ios": {"link": "shop://a", "fallback": "web"}}}"#)[
                        "slug"]?
                    .string)
            let other = try await fixture.visit("/\(web)", as: Agent.iphone)
            #expect(other.text.contains("data-fallback") && !other.text.contains("data-copy"))
        }
    }

    @Test func givesNothingWhereThereIsNothing() async throws {
        try await SiteFixture.run(.inProcess) { fixture in
            let link = try await fixture.create(SiteFixture.product)
            let smartlink = try #require(link["smartlink"]?.string)
            for members in [
                #""referrer": null"#, #""referrer": """#, #""referrer": "utm_source=a""#,
                #""referrer": "waymark=forged""#,
                #""clipboard": "my password""#, #""clipboard": "\#(smartlink)""#,
                #""clipboard": "\#(smartlink)?_hk_cid=x""#,
            ] {
                let answer = try await claim(fixture, members)
                #expect(answer.status == 200, "\(members)")
                #expect(
                    answer.text == #"{"deeplink":null,"route":null,"routeParameters":{},"queryParameters":{},"#
                        + #""metadata":null,"redeem":{"limit":null,"used":0,"remaining":null,"status":"none"},"#
                        + #""match":null}"#)
            }
        }
    }

    @Test func keepsToTheIdempotencyKey() async throws {
        try await SiteFixture.run(.inProcess) { fixture in
            let slug = try #require(try await fixture.create(SiteFixture.product)["slug"]?.string)
            let page = try await fixture.visit("/\(slug)", as: Agent.iphone)
            let copied = try attribute("data-copy", in: page.text)
            let headers = [("Idempotency-Key", "first-start")]
            let first = try await claim(fixture, #""clipboard": "\#(copied)""#, headers: headers)
            #expect(first.json["metadata"]?["coupon"]?.string == "20")
            #expect(try await claim(fixture, #""clipboard": "\#(copied)""#, headers: headers).body == first.body)
            let other = try await claim(fixture, #""clipboard": "\#(copied)""#, by: "other", headers: headers)
            #expect(other.status == 422)
            #expect(other.problem == "idempotency-mismatch")
        }
    }

    @Test func letsOneOfManyInstallationsHaveAClick() async throws {
        try await SiteFixture.run(.inProcess) { fixture in
            let slug = try #require(try await fixture.create(SiteFixture.product)["slug"]?.string)
            let page = try await fixture.visit("/\(slug)", as: Agent.iphone)
            let copied = try attribute("data-copy", in: page.text)
            let answers = try await withThrowingTaskGroup(of: TestAnswer.self) { group in
                for number in 0..<20 {
                    group.addTask { try await claim(fixture, #""clipboard": "\#(copied)""#, by: "phone \(number)") }
                }
                return try await group.reduce(into: []) { $0.append($1) }
            }
            #expect(answers.allSatisfy { $0.status == 200 })
            #expect(answers.count { $0.json["match"]?.object != nil } == 1)
        }
    }

    @Test func staysWithinTheKeysApplication() async throws {
        try await SiteFixture.run(.inProcess, applications: [SiteFixture.shop, SiteFixture.news]) { fixture in
            let slug = try #require(
                try await fixture.create(
                    #"{"app": "shop", "route": "products/:product_id", "routeParameters": {"product_id": 1}}"#)["slug"]?
                    .string)
            let page = try await fixture.visit("/\(slug)", as: Agent.iphone)
            let copied = try attribute("data-copy", in: page.text)
            let news = try await fixture.key(["resolve"], app: "news")
            let forbidden = try await claim(fixture, #""clipboard": "\#(copied)""#, key: news)
            #expect(forbidden.status == 403)
            #expect(forbidden.problem == "application-forbidden")
            let foreign = try await fixture.call(
                "POST", "/api/v1/deferred/claim",
                #"{"app": "news", "platform": "ios", "installID": "i", "clipboard": "\#(copied)"}"#, key: news)
            #expect(foreign.status == 200)
            #expect(foreign.json["match"]?.isNull == true)
            let create = try await fixture.key(["create"])
            #expect(try await claim(fixture, #""clipboard": "\#(copied)""#, key: create).status == 403)
            #expect(try await claim(fixture, #""clipboard": "\#(copied)""#).json["match"]?.object != nil)
        }
    }

    @Test(arguments: [
        ("{}", ["app", "installID", "platform"]),
        (#"{"app": "nobody", "platform": "pc", "installID": "", "x": 1}"#, ["app", "installID", "platform", "x"]),
        (#"{"app": "shop", "platform": "ios", "installID": 7, "referrer": 1}"#, ["installID", "referrer"]),
        (#"{"app": 1, "platform": "ios", "installID": "a\nb"}"#, ["app", "installID"]),
        ("[]", ["body"]),
    ])
    func namesEveryProblem(body: String, fields: [String]) async throws {
        try await SiteFixture.run(.inProcess) { fixture in
            let answer = try await fixture.call("POST", "/api/v1/deferred/claim", body)
            #expect(answer.status == 422)
            #expect(answer.fields == fields)
        }
    }
}
