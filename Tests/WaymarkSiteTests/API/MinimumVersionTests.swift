import Testing
import WaymarkJSON

/// Apps that are too old for a link, as resolve and claims tell them.
@Suite struct MinimumVersionTests {
    private static let application = SiteFixture.shop
        .replacing(#""appStoreID": "123456789","#, with: #""appStoreID": "123456789", "minimumVersion": "4.2","#)
        .replacing(#""package": "com.example.shop","#, with: #""package": "com.example.shop", "minimumVersion": 412,"#)

    private static func resolve(
        _ fixture: SiteFixture, _ slug: String, _ members: String
    ) async throws -> TestAnswer {
        try await fixture.call(
            "POST", "/api/v1/resolve", #"{"smartlink": "https://go.example.com/\#(slug)", \#(members)}"#)
    }

    @Test(arguments: TransportKind.allCases)
    func tellsOnlyAppsThatAskAndAreTooOld(transportKind: TransportKind) async throws {
        try await SiteFixture.run(transportKind, applications: [Self.application]) { fixture in
            _ = try await fixture.create(#"{"slug": "x", "urls": {"web": "https://a.example/"}}"#)
            let silent = try await Self.resolve(fixture, "x", #""platform": "ios""#)
            #expect(silent.status == 200)
            #expect(silent.json["update"] == nil)
            for (members, version, url) in [
                (#""platform": "ios", "appVersion": "4.1.9""#, "4.2", "https://apps.apple.com/app/id123456789"),
                (
                    #""platform": "android", "appVersion": "411""#, "412",
                    "https://play.google.com/store/apps/details?id=com.example.shop"
                ),
            ] {
                let answer = try await Self.resolve(fixture, "x", members)
                #expect(answer.status == 200)
                #expect(answer.json["update"]?["minimumVersion"]?.string == version)
                #expect(answer.json["update"]?["url"]?.string == url)
                // Everything else is as it would be.
                #expect(answer.json["deeplink"]?.string == silent.json["deeplink"]?.string)
                #expect(answer.json["redeem"] == silent.json["redeem"])
            }
            for members in [
                #""platform": "ios", "appVersion": "4.2""#, #""platform": "ios", "appVersion": "10""#,
                #""platform": "android", "appVersion": "412.0""#, #""platform": "web", "appVersion": "1""#,
                #""appVersion": "1""#, #""platform": "ios", "appVersion": null"#,
            ] {
                #expect(try await Self.resolve(fixture, "x", members).json["update"] == nil)
            }
            for version in [#""1.x""#, #""""#, "7", #"["1"]"#] {
                let refused = try await Self.resolve(fixture, "x", #""appVersion": \#(version)"#)
                #expect(refused.status == 422)
                #expect(refused.fields == ["appVersion"])
            }
        }
    }

    @Test(arguments: TransportKind.allCases)
    func aLinksOwnVersionWins(transportKind: TransportKind) async throws {
        try await SiteFixture.run(transportKind, applications: [Self.application]) { fixture in
            let link = try await fixture.create(
                #"{"slug": "x", "urls": {"web": "https://a.example/"}, "minimumVersion": {"ios": "5.0", "android": 500}}"#
            )
            #expect(link["minimumVersion"]?["ios"]?.string == "5.0")
            #expect(link["minimumVersion"]?["android"]?.string == "500")
            let path = "/api/v1/links/go.example.com/x"
            #expect(try await fixture.call("GET", path).json["minimumVersion"] == link["minimumVersion"])
            let old = #""platform": "ios", "appVersion": "4.9""#
            #expect(try await Self.resolve(fixture, "x", old).json["update"]?["minimumVersion"]?.string == "5.0")
            let patched = try await fixture.call("PATCH", path, #"{"minimumVersion": {"ios": null}}"#)
            #expect(patched.json["minimumVersion"]?["ios"] == nil)
            #expect(patched.json["minimumVersion"]?["android"]?.string == "500")
            #expect(try await Self.resolve(fixture, "x", old).json["update"] == nil)
            let without = try await fixture.call("PATCH", path, #"{"minimumVersion": null}"#)
            #expect(without.json["minimumVersion"] == nil)
            #expect(
                try await Self.resolve(fixture, "x", #""platform": "android", "appVersion": "1""#)
                    .json["update"]?["minimumVersion"]?.string == "412")
            for (version, fields) in [
                (#"{"ios": "5.x"}"#, ["minimumVersion.ios"]), (#"{"ios": 5}"#, ["minimumVersion.ios"]),
                (#"{"android": 5.5}"#, ["minimumVersion.android"]), (#"{"android": -1}"#, ["minimumVersion.android"]),
                (#"{"web": "1"}"#, ["minimumVersion.web"]), (#""5""#, ["minimumVersion"]),
            ] {
                let refused = try await fixture.call(
                    "POST", "/api/v1/links", #"{"urls": {"web": "https://a.example/"}, "minimumVersion": \#(version)}"#)
                #expect(refused.status == 422)
                #expect(refused.fields == fields, "\(refused.text)")
            }
        }
    }

    /// The same body is the same link; another version is another one.
    @Test func `a minimum version is a part of a unique link`() async throws {
        try await SiteFixture.run(.inProcess, applications: [Self.application]) { fixture in
            func slug(_ version: String) async throws -> String? {
                let answer = try await fixture.call(
                    "POST", "/api/v1/links",
                    #"{"unique": true, "urls": {"web": "https://a.example/"}, "minimumVersion": \#(version)}"#)
                return answer.json["slug"]?.string
            }
            let first = try await slug(#"{"android": 412}"#)
            #expect(try await slug(#"{"android": "412"}"#) == first)
            #expect(try await slug(#"{"android": "413"}"#) != first)
        }
    }

    @Test(arguments: TransportKind.allCases)
    func aClaimTellsOfAnUpdateToo(transportKind: TransportKind) async throws {
        try await SiteFixture.run(transportKind, applications: [Self.application]) { fixture in
            let slug = try #require(try await fixture.create(SiteFixture.product)["slug"]?.string)
            let visit = try await fixture.visit("/\(slug)", as: Agent.android)
            let location = try #require(visit[header: "Location"])
            let start = try #require(location.firstRange(of: "_hk_cid=")).upperBound
            let click = location[start...].prefix { $0 != "&" && $0 != "#" }
            func claim(_ installation: String, _ members: String) async throws -> TestAnswer {
                try await fixture.call(
                    "POST", "/api/v1/deferred/claim",
                    #"{"app": "shop", "platform": "ios", "installID": "\#(installation)"\#(members)}"#)
            }
            let clipboard = #", "clipboard": "https://go.example.com/\#(slug)?_hk_cid=\#(click)""#
            #expect(try await claim("phone", clipboard + #", "appVersion": "x""#).fields == ["appVersion"])
            let matched = try await claim("phone", clipboard + #", "appVersion": "4.1""#)
            #expect(matched.json["match"]?["method"]?.string == "clipboard", "\(matched.text)")
            #expect(matched.json["update"]?["minimumVersion"]?.string == "4.2")
            #expect(try await claim("phone", clipboard + #", "appVersion": "4.2""#).json["update"] == nil)
            let none = try await claim("tablet", #", "appVersion": "1""#)
            #expect(none.status == 200)
            #expect(none.json["update"] == nil)
        }
    }
}
