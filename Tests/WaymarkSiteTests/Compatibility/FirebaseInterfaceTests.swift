import Foundation
import Synchronization
import Testing
import WaymarkJSON
import WaymarkLinks
import WaymarkSQLite
import WaymarkService
import WaymarkStores

@testable import WaymarkSite

extension SiteFixture {
    static let firebaseKey = "AIzaSyShopKey-0123456789"

    /// The shop, with Google's API and long links.
    static let firebaseShop =
        String(shop.dropLast(2)) + """
            , "firebase": {"enabled": true, "longLinks": true, "apiKeys": ["\(firebaseKey)"]} }
            """

    func firebase(
        _ path: String, _ body: String, key: String = firebaseKey
    ) async throws -> TestAnswer {
        try await call("POST", "/v1/\(path)?key=\(key)", body, key: nil)
    }

    /// Creates a short link and gives its URL.
    func shortLink(_ query: String, option: String = "SHORT", key: String = firebaseKey) async throws -> String {
        let answer = try await firebase(
            "shortLinks",
            #"{"longDynamicLink": "https://go.example.com/?\#(query)", "suffix": {"option": "\#(option)"}}"#, key: key)
        return try #require(answer.json["shortLink"]?.string, "\(answer.text)")
    }
}

/// Google's REST API for Firebase Dynamic Links.
@Suite struct FirebaseInterfaceTests {
    private static let link = "link=https%3A%2F%2Fshop.example.com%2Fproducts%2F42"
    private static let app = link + "&ibi=com.example.shop&isi=123456789&apn=com.example.shop"

    /// Requests as clients send them, and the answers.
    private static let folder = String(#filePath.prefix { _ in true }).replacing(
        "FirebaseInterfaceTests.swift", with: "Fixtures")

    static let fixtures = (try? FileManager.default.contentsOfDirectory(atPath: folder))?.sorted() ?? []

    @Test(arguments: fixtures)
    func answersAsGoogleDoes(_ name: String) async throws {
        let data = try #require(FileManager.default.contents(atPath: Self.folder + "/" + name))
        let parts = String(decoding: data, as: UTF8.self).split(separator: "\n\n").map(String.init)
        var lines = parts[0].split(separator: "\n").map(String.init)
        let request = lines.removeFirst().split(separator: " ").map(String.init)
        let headers = lines.map { line in
            let colon = line.firstIndex(of: ":") ?? line.endIndex
            return (String(line[..<colon]), String(line[colon...].dropFirst(2)))
        }
        try await SiteFixture.run(.socket, applications: [SiteFixture.firebaseShop]) { fixture in
            let body = parts.count > 2 ? parts[1] : nil
            let answer = try await fixture.call(request[0], request[1], body, key: nil, headers: headers)
            var text = answer.text
            // Codes are derived from the store's secret.
            let code = answer.json["shortLink"]?.string?.split(separator: "/").last.map(String.init) ?? ""
            if !code.isEmpty { text = text.replacing(code, with: "{\(code.count)}") }
            #expect("\(answer.status) \(text)" == parts.last?.trimmingCharacters(in: .whitespacesAndNewlines))
        }
    }

    @Test func `Firebase's API is absent without such an application`() async throws {
        try await SiteFixture.run(.inProcess) { fixture in
            let answer = try await fixture.firebase("shortLinks", "{}")
            #expect(answer.status == 404 && answer.problem == "resource-unknown")
            #expect(try await fixture.call("GET", "/v1/shortLinks").status == 404)
            #expect(try await fixture.call("GET", "/v1/https://go.example.com/a/linkStats").status == 404)
            #expect(try await fixture.visit("/?" + Self.link).status == 404)
        }
    }

    /// Google's client for Python can't read a challenge without parameters.
    @Test func refusesAnUnknownKeyWithARealm() async throws {
        try await SiteFixture.run(.inProcess, applications: [SiteFixture.firebaseShop]) { fixture in
            let answer = try await fixture.call("POST", "/v1/shortLinks?key=AIzaSyOther", "{}", key: nil)
            #expect(answer.status == 401 && answer.json["error"]?["status"]?.string == "UNAUTHENTICATED")
            #expect(answer[header: "WWW-Authenticate"] == #"Bearer realm="waymark""#)
        }
    }

    @Test func givesTheSameLinkForTheSameParameters() async throws {
        try await SiteFixture.run(.inProcess, applications: [SiteFixture.firebaseShop]) { fixture in
            let first = try await fixture.shortLink("ibi=com.example.shop&" + Self.link)
            #expect(try await fixture.shortLink(Self.link + "&ibi=com.example.shop&_icp=1") == first)
            #expect(try await fixture.shortLink(Self.link) != first)
            let long = try await fixture.shortLink("ibi=com.example.shop&" + Self.link, option: "UNGUESSABLE")
            #expect(long != first)
            let slug = try #require(first.split(separator: "/").last)
            #expect(try await fixture.call("DELETE", "/api/v1/links/go.example.com/\(slug)").status == 204)
            #expect(try await fixture.shortLink("ibi=com.example.shop&" + Self.link) == first)
        }
    }

    @Test func givesOneLinkToRequestsAtOnce() async throws {
        try await SiteFixture.run(.inProcess, applications: [SiteFixture.firebaseShop]) { fixture in
            let links = try await withThrowingTaskGroup(of: String.self) { group in
                for _ in 0..<20 { group.addTask { try await fixture.shortLink(Self.link) } }
                return try await group.reduce(into: Set<String>()) { $0.insert($1) }
            }
            #expect(links.count == 1)
            #expect(try await fixture.call("GET", "/api/v1/links").json["links"]?.array?.count == 1)
        }
    }

    @Test func makesOrdinaryLinks() async throws {
        try await SiteFixture.run(.inProcess, applications: [SiteFixture.firebaseShop]) { fixture in
            let url = try await fixture.shortLink(Self.app + "&imv=2.0&utm_source=mail")
            let slug = try #require(url.split(separator: "/").last)
            let link = try await fixture.call("GET", "/api/v1/links/go.example.com/\(slug)").json
            #expect(link["urls"]?["web"]?.string == "https://shop.example.com/products/42")
            #expect(link["firebase"]?["ibi"]?.string == "com.example.shop")
            #expect(link["firebase"]?["link"]?.string == "https://shop.example.com/products/42")
            #expect(link["minimumVersion"]?["ios"]?.string == "2.0")
            let patch = try await fixture.call(
                "PATCH", "/api/v1/links/go.example.com/\(slug)", #"{"tags": ["a"]}"#)
            #expect(patch.json["firebase"]?["ibi"]?.string == "com.example.shop")
            let refused = try await fixture.call(
                "PATCH", "/api/v1/links/go.example.com/\(slug)", #"{"firebase": {}}"#)
            #expect(refused.fields == ["firebase"])
            let resolved = try await fixture.call(
                "POST", "/api/v1/resolve", #"{"smartlink": "\#(url)", "platform": "ios", "appVersion": "1.0"}"#)
            #expect(resolved.json["deeplink"]?.string == "https://shop.example.com/products/42")
            #expect(resolved.json["queryParameters"]?["utm_source"]?.string == "mail")
            #expect(resolved.json["update"]?["minimumVersion"]?.string == "2.0")
        }
    }

    @Test func createsManagedLinks() async throws {
        try await SiteFixture.run(.inProcess, applications: [SiteFixture.firebaseShop]) { fixture in
            let body = #"""
                {"name": "Spring", "dynamicLinkInfo": {"domainUriPrefix": "https://go.example.com",
                 "link": "https://elsewhere.example/"}, "suffix": {"option": "CUSTOM", "customSuffix": "spring"}}
                """#
            #expect(try await fixture.firebase("managedShortLinks:create", body).status == 403)
            let key = try await fixture.key(["links"], app: "shop")
            let made = try await fixture.firebase("managedShortLinks:create", body, key: key)
            #expect(made.status == 200, "\(made.text)")
            #expect(made.json["managedShortLink"]?["link"]?.string == "https://go.example.com/spring")
            #expect(made.json["managedShortLink"]?["info"]?["link"]?.string == "https://elsewhere.example/")
            let again = try await fixture.firebase("managedShortLinks:create", body, key: key)
            #expect(again.status == 409 && again.json["error"]?["status"]?.string == "ALREADY_EXISTS")
        }
    }

    @Test func expandsShortAndLongLinks() async throws {
        try await SiteFixture.run(.inProcess, applications: [SiteFixture.firebaseShop]) { fixture in
            let short = try await fixture.shortLink(Self.app + "&imv=2.0&utm_source=mail")
            for url in [short, "https://go.example.com/?" + Self.app + "&imv=2.0&utm_source=mail"] {
                let opened = try await fixture.firebase(
                    "reopenAttribution",
                    #"{"requestedLink": "\#(url)", "bundle_id": "com.example.shop", "sdk_version": "1"}"#)
                #expect(opened.json["deepLink"]?.string == "https://shop.example.com/products/42", "\(opened.text)")
                #expect(opened.json["iosMinAppVersion"]?.string == "2.0")
                #expect(opened.json["utmSource"]?.string == "mail")
                let exchanged = try await fixture.firebase("exchangeShortLink", #"{"requestedLink": "\#(url)"}"#)
                #expect(exchanged.json["longLink"] == opened.json["resolvedLink"])
                #expect(
                    exchanged.json["longLink"]?.string?.hasPrefix("https://go.example.com/?link=https%3A%2F%2F") == true
                )
            }
            let unknown = try await fixture.firebase(
                "reopenAttribution", #"{"requestedLink": "https://go.example.com/nothing"}"#)
            #expect(unknown.status == 404 && unknown.json["error"]?["status"]?.string == "NOT_FOUND")
        }
    }

    @Test func countsWhatBecameOfALink() async throws {
        try await SiteFixture.run(.inProcess, applications: [SiteFixture.firebaseShop]) { fixture in
            let short = try await fixture.shortLink(Self.app)
            let path = "/" + (short.split(separator: "/").last ?? "")
            for agent in [Agent.windows, Agent.android, Agent.android, Agent.crawler] {
                _ = try await fixture.visit(path, as: agent)
            }
            _ = try await fixture.firebase("reopenAttribution", #"{"requestedLink": "\#(short)"}"#)
            let answer = try await fixture.call("GET", "/v1/\(short)/linkStats?durationDays=7")
            let rows = (answer.json["linkEventStats"]?.array ?? []).map {
                [$0["platform"]?.string, $0["event"]?.string, $0["count"]?.string].compactMap { $0 }.joined(
                    separator: " ")
            }
            #expect(rows == ["ANDROID CLICK 2", "DESKTOP CLICK 1", "OTHER APP_RE_OPEN 1"], "\(answer.text)")
        }
    }

    private final class OtherReports: Sendable {
        let running = Mutex(0)
        let areReleased = Mutex(false)
    }

    @Test func `Firebase's statistics wait for their turn among reports`() async throws {
        try await SiteFixture.run(.inProcess, applications: [SiteFixture.firebaseShop]) { fixture in
            let short = try await fixture.shortLink(Self.link)
            let others = OtherReports()
            let turns = fixture.service.reportTurns
            try await withThrowingTaskGroup(of: Void.self) { group in
                for _ in 0..<ServiceConfiguration.reportsAtOnce {
                    group.addTask {
                        await turns.withTurn(of: .init(application: nil, key: "other")) {
                            others.running.withLock { $0 += 1 }
                            while !others.areReleased.withLock({ $0 }) { await Task.yield() }
                        }
                    }
                }
                while others.running.withLock({ $0 }) < ServiceConfiguration.reportsAtOnce { await Task.yield() }
                group.addTask {
                    let answer = try await fixture.call("GET", "/v1/\(short)/linkStats?durationDays=7")
                    #expect(answer.status == 200)
                    #expect(others.areReleased.withLock { $0 })
                }
                // Other calls don't wait.
                for _ in 0..<20 {
                    #expect(try await fixture.call("GET", "/api/v1/links?limit=1").status == 200)
                }
                others.areReleased.withLock { $0 = true }
                try await group.waitForAll()
            }
        }
    }

    /// Google counts installations from Play alone, as those of Android.
    @Test func countsAnInstallationByPlayOnce() async throws {
        try await SiteFixture.run(.inProcess, applications: [SiteFixture.firebaseShop]) { fixture in
            let short = try await fixture.shortLink(Self.app + "&apn=com.example.shop&afl=https://shop.example.com/")
            let slug = try #require(short.split(separator: "/").last.flatMap { Slug(String($0)) })
            let domain = try #require(HostName("go.example.com"))
            let link = try #require(try await fixture.service.find(domain, slug, for: .all))
            let mint = fixture.service.makeClickIDMint()
            let clicks = (0..<3).map { _ in mint.make(for: link.id, now: fixture.site.now, counted: true).text }
            func claim(_ number: Int) async throws {
                let claimed = try await fixture.call(
                    "POST", "/api/v1/deferred/claim",
                    #"{"app": "shop", "platform": "android", "installID": "\#(number)", "referrer": "waymark=\#(clicks[number])"}"#
                )
                #expect(claimed.json["match"]?.object != nil, "\(claimed.text)")
            }
            func report(_ number: Int, on platform: String = "android") async throws {
                let event =
                    #"{"id": "\#(number)", "type": "install", "clickID": "\#(clicks[number])", "#
                    + #""platform": "\#(platform)", "at": "2026-11-21T10:00:00Z"}"#
                #expect(try await fixture.call("POST", "/api/v1/events", #"{"events": [\#(event)]}"#).status == 202)
            }
            try await claim(0)
            try await claim(0)
            try await report(0)
            try await report(1)
            try await claim(1)
            try await report(2, on: "iphone")
            let answer = try await fixture.call("GET", "/v1/\(short)/linkStats?durationDays=7")
            let rows = (answer.json["linkEventStats"]?.array ?? []).map {
                [$0["platform"]?.string, $0["event"]?.string, $0["count"]?.string].compactMap { $0 }.joined(
                    separator: " ")
            }
            #expect(
                rows == ["ANDROID APP_INSTALL 2", "OTHER APP_INSTALL 1", "OTHER APP_FIRST_OPEN 2"], "\(answer.text)")
        }
    }

    // MARK: First start

    private func install(_ fixture: SiteFixture, _ url: String, time: Int = 1, device: String = "iPhone15,2")
        async throws
        -> TestAnswer
    {
        try await fixture.firebase(
            "installAttribution",
            """
            {"bundleId": "com.example.shop", "appInstallationTime": \(time), "uniqueMatchLinkToCheck": "\(url)",
             "device": {"deviceModelName": "\(device)"}}
            """)
    }

    /// What the page's button copies, without the end that the SDK strips.
    private func copied(_ page: TestAnswer) throws -> String {
        let start = try #require(page.text.firstRange(of: "data-copy=\"")).upperBound
        let url = page.text[start...].prefix { $0 != "\"" }.replacing("&amp;", with: "&")
        #expect(url.hasSuffix("&_icp=1"))
        return String(url.dropLast("&_icp=1".count))
    }

    @Test(arguments: [true, false], [TransportKind.inProcess])
    func givesTheLinkToTheDeviceThatClaimsIt(isLong: Bool, transportKind: TransportKind) async throws {
        try await SiteFixture.run(transportKind, applications: [SiteFixture.firebaseShop]) { fixture in
            let short = try await fixture.shortLink(Self.app)
            let path = isLong ? "/?" + Self.app : "/" + (short.split(separator: "/").last ?? "")
            let url = try copied(try await fixture.visit(path, as: Agent.iphone))
            let first = try await install(fixture, url)
            #expect(first.json["deepLink"]?.string == "https://shop.example.com/products/42", "\(first.text)")
            #expect(first.json["attributionConfidence"]?.string == "UNIQUE")
            #expect(try await install(fixture, url).body == first.body)
            let other = try await install(fixture, url, time: 2)
            #expect(other.status == 200 && other.json["deepLink"] == nil && other.json["matchMessage"] != nil)
            let forged = try await install(
                fixture, url.replacing("products%2F42", with: "products%2F43") + "x", time: 3)
            #expect(forged.status == 200 && forged.json["deepLink"] == nil)
        }
    }

    @Test func bindsTheClickToTheParametersOfALongLink() async throws {
        try await SiteFixture.run(.inProcess, applications: [SiteFixture.firebaseShop]) { fixture in
            let url = try copied(try await fixture.visit("/?" + Self.app, as: Agent.iphone))
            let changed = url.replacing("products%2F42", with: "products%2F43")
            #expect(changed != url)
            #expect(try await install(fixture, changed).json["deepLink"] == nil)
            #expect(try await install(fixture, url).json["deepLink"] != nil)
        }
    }

    /// Apps ask once, so an error would lose the link for good.
    @Test func repeatsAMatchWhileTheStoreIsAway() async throws {
        let store = try SQLiteLinkStore(path: ":memory:")
        try await SiteFixture.run(.inProcess, applications: [SiteFixture.firebaseShop], store: store) { fixture in
            let url = try copied(try await fixture.visit("/?" + Self.app, as: Agent.iphone))
            let first = try await install(fixture, url)
            #expect(first.json["deepLink"] != nil)
            let other = try copied(try await fixture.visit("/?" + Self.app, as: Agent.iphone))
            await store.close()
            #expect(try await install(fixture, url).body == first.body)
            let unmatched = try await install(fixture, other)
            #expect(unmatched.status == 200 && unmatched.json["deepLink"] == nil)
            #expect(unmatched.json["matchMessage"]?.string?.contains("unavailable") == true)
        }
    }

    @Test func refusesAnAPIKeyOfAnotherApplication() async throws {
        let news =
            #"{"id": "news", "domains": ["news.example.com"], "firebase": {"apiKeys": ["\#(SiteFixture.firebaseKey)"]}}"#
        try await SiteFixture.run(.inProcess, applications: [SiteFixture.firebaseShop]) { fixture in
            let answer = try await fixture.call("PUT", "/api/v1/apps/news", news)
            #expect(answer.status == 409)
            let shown = try await fixture.call("GET", "/api/v1/apps/shop").json["firebase"]
            #expect(shown?["apiKeys"]?.array?.first?.string == SiteFixture.firebaseKey)
        }
    }
}
