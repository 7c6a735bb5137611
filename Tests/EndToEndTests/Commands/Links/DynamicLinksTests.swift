import DynamicLinksSample
import Foundation
import Testing
import WaymarkDynamicLinks
import WaymarkJSON
import WaymarkKit

extension EndToEnd {
    /// An app written for Firebase's SDK, with another import and nothing else changed, against the executable.
    @MainActor
    @Suite struct DynamicLinksTests {
        private let server: RunningServer
        private let client: WaymarkClient
        private let app = AppDelegate()

        init() throws {
            let applications = Shop.applications.replacing(
                #""web": {"#, with: #""firebase": {"enabled": true, "longLinks": true}, "web": {"#, maxReplacements: 1)
            server = try Installation(applications: applications).start()
            let body = #"{"name": "app", "app": "shop", "scopes": ["resolve", "create"]}"#
            let key = try #require(try server.exchange(.api("POST", "/keys", body)).json["key"]?.string)
            client = try WaymarkClient(
                service: "http://127.0.0.1:\(server.port)", key: key,
                options: ClientOptions(
                    app: "shop", platform: .iOS, domains: [Shop.host], retry: .never, sendsEvents: false,
                    allowsPlainLoopback: true),
                storage: MemoryStorage())
            DynamicLinks.configure(client: client, urlSchemes: ["shop", "com.example.shop"])
        }

        private static let domain = "https://go.example.com"

        private static func url(_ text: String) throws -> URL { try #require(URL(string: text)) }

        private func share(_ creator: LinkCreator) async throws -> URL {
            await withCheckedContinuation { continuation in
                creator.share(product: 42, domain: Self.domain) { continuation.resume() }
            }
            return try #require(creator.sharedURL, "\(String(describing: creator.lastError))")
        }

        /// Opens the URL as a universal link and waits until the app has handled it.
        private func open(_ url: URL) async -> Bool {
            var isHandled = false
            await withCheckedContinuation { continuation in
                app.onLink = { continuation.resume() }
                isHandled = app.application(
                    UIApplication(), continue: NSUserActivity(webpageURL: url), restorationHandler: { _ in })
            }
            return isHandled
        }

        private func page(of url: URL) throws -> String {
            let answer = try server.exchange(.get(url.path, userAgent: Browser.iPhone))
            #expect(answer.status == 200, "\(answer)")
            return answer.text
        }

        private func attribute(_ name: String, _ start: String, in page: String) throws -> String {
            let range = try #require(page.firstRange(of: "\(name)=\"\(start)"), "\(page)")
            let value = page[range.lowerBound...].dropFirst(name.count + 2).prefix { $0 != "\"" }
            return String(value).replacing("&amp;", with: "&")
        }

        @Test func createsShortLinksAndOpensThem() async throws {
            let creator = LinkCreator()
            let url = try await share(creator)
            #expect(url.absoluteString.hasPrefix(Self.domain + "/"))
            #expect(creator.warnings == [])
            #expect(try await creator.share(product: 42, domain: Self.domain) == url)

            #expect(await open(url))
            let link = try #require(app.opened.last)
            #expect(link.url?.absoluteString == "https://shop.example.com/products/42?size=xl&colour=sea%20green")
            #expect(link.matchType == .unique)
            #expect(link.minimumAppVersion == "1.2.3")
            #expect(
                link.utmParametersDictionary as? [String: String] == [
                    "utm_source": "orkut", "utm_medium": "social", "utm_campaign": "spring & summer",
                    "utm_term": "shoes",
                ])
            try await client.flushEvents()
            let events = try server.exchange(.api("GET", "/links/go.example.com\(url.path)/events")).json
            #expect(events["total"]?["opens"]?.integer == 1, "\(events)")

            // The same through a scene, and by the calls of apps that resolved links themselves.
            await withCheckedContinuation { continuation in
                app.onLink = { continuation.resume() }
                SceneDelegate(app).scene(
                    UIScene(), willConnectTo: UISceneSession(),
                    options: UIScene.ConnectionOptions(userActivities: [NSUserActivity(webpageURL: url)]))
            }
            await withCheckedContinuation { continuation in
                app.onLink = { continuation.resume() }
                app.resolve(url)
            }
            #expect(app.opened.map(\.url) == [link.url, link.url, link.url])
            #expect(try await SceneDelegate.link(of: url)?.minimumAppVersion == "1.2.3")
            #expect(app.failures.isEmpty)
        }

        @Test func opensLongLinksAsTheirShortOnes() async throws {
            let creator = LinkCreator()
            let components = creator.everything(domain: Self.domain)
            let long = try #require(components.url)
            #expect(await open(long))
            #expect(app.opened.last?.url == components.link)
            let short: URL? = await withCheckedContinuation { continuation in
                creator.shortenWithOptions(long) { continuation.resume(returning: $0) }
            }
            #expect(short?.lastPathComponent.count == 17)
            let opened = await open(try #require(short))
            #expect(opened)
            #expect(app.opened.last?.url == components.link)
            #expect(app.opened.last?.utmParametersDictionary.count == 2)
            // `efr=1` skips the page that opens the app.
            for target in ["/?" + (long.query ?? ""), short?.path ?? ""] {
                let answer = try server.exchange(.get(target, userAgent: Browser.iPhone))
                #expect(answer["Location"]?.hasPrefix("https://shop.example.com/ios") == true, "\(answer)")
            }
            let answer = try server.exchange(
                .get("/?" + (long.query ?? ""), userAgent: Browser.desktop))
            #expect(answer["Location"]?.hasPrefix("https://shop.example.com/desktop") == true, "\(answer)")
        }

        @Test func opensTheLinkOfAPagesButton() async throws {
            let url = try await share(LinkCreator())
            let button = try attribute("href", "com.example.shop://google/link/", in: page(of: url))
            let options: [UIApplication.OpenURLOptionsKey: Any] = [.sourceApplication: "com.apple.mobilesafari"]
            #expect(app.application(UIApplication(), open: try Self.url(button), options: options))
            #expect(app.opened.last?.url?.query == "size=xl&colour=sea%20green")
            #expect(app.opened.last?.utmParametersDictionary["utm_source"] as? String == "orkut")
            #expect(app.opened.last?.utmParametersDictionary.count == 4)
            #expect(app.opened.last?.minimumAppVersion == "1.2.3")
            #expect(!app.application(UIApplication(), open: try Self.url("shop://cart"), options: options))
            #expect(client.eventCounts.waiting == 1)
            try await client.flushEvents()
            let events = try server.exchange(.api("GET", "/links/go.example.com\(url.path)/events")).json
            #expect(events["total"]?["opens"]?.integer == 1, "\(events)")
        }

        @Test func claimsTheLinkThatThePageCopied() async throws {
            let url = try await share(LinkCreator())
            let copied = try attribute("data-copy", Self.domain, in: page(of: url))
            #expect(copied.contains("_hk_cid="), "\(copied)")
            let link = try await DynamicLinks.dynamicLinks().pendingDynamicLink(clipboard: copied)
            #expect(link?.url?.path == "/products/42")
            #expect(link?.minimumAppVersion == "1.2.3" && link?.matchType == .unique)
            #expect(try await DynamicLinks.dynamicLinks().pendingDynamicLink(clipboard: copied) == nil)
        }

        @Test func takesTheRedeemOfASmartLink() async throws {
            #expect(try server.exchange(.create(Shop.gift())).status == 201)
            let gift = try Self.url("https://go.example.com/gift")
            #expect(await open(gift))
            #expect(app.opened.last?.url?.absoluteString == "shop://products/42?referrer=ana")
            #expect(app.opened.last?.metadata?["coupon"]?.string == "20")
            #expect(await open(gift))
            #expect(app.opened.count == 2 && app.opened.last?.metadata == nil)
        }

        @Test func takesNoRedeemForAURLWithTheAppsScheme() async throws {
            #expect(try server.exchange(.create(Shop.gift())).status == 201)
            let gift = try Self.url("https://go.example.com/gift")
            await withCheckedContinuation { continuation in
                app.onLink = { continuation.resume() }
                app.resolve(gift)
            }
            #expect(app.opened.last?.url?.absoluteString == "shop://products/42?referrer=ana")
            #expect(app.opened.last?.metadata == nil)
            let link = try server.exchange(.api("GET", "/links/go.example.com/gift")).json
            #expect(link["redeem"]?["used"]?.integer == 0, "\(link)")
            #expect(await open(gift))
            #expect(app.opened.last?.metadata?["coupon"]?.string == "20")
        }

        @Test func asksTheServiceAboutLongLinksBehindAPath() async throws {
            #expect(try server.exchange(.create(Shop.gift())).status == 201)
            #expect(await open(try Self.url("https://go.example.com/promo/?link=https://shop.example.com/a&imv=3")))
            #expect(app.opened.last?.url?.absoluteString == "https://shop.example.com/a")
            #expect(app.opened.last?.minimumAppVersion == "3")
            #expect(await open(try Self.url("https://go.example.com/promo/?link=https://evil.example/")))
            #expect(app.failures.map { ($0 as NSError).code } == [404])
            #expect(await open(try Self.url("https://go.example.com/gift?link=https://evil.example/")))
            #expect(app.opened.last?.url?.absoluteString.hasPrefix("shop://products/42?") == true)
        }

        @Test func reportsWhatTheServiceRefuses() async throws {
            #expect(await open(try Self.url("https://go.example.com/unknown")))
            #expect(!(await open(try Self.url("https://other.example/x"))))
            let old =
                #"{"slug": "old", "urls": {"web": "https://shop.example.com/"}, "expiresAt": "2020-01-01T00:00:00Z"}"#
            #expect(try server.exchange(.create(old)).status == 201)
            #expect(await open(try Self.url("https://go.example.com/old")))
            let errors = app.failures.map { $0 as NSError }
            #expect(errors.map(\.domain) == Array(repeating: DynamicLinksErrorDomain, count: 3))
            #expect(errors.map(\.code) == [404, DynamicLinksErrorCode.unrecognizedURL.rawValue, 410])
            #expect(app.opened.isEmpty)

            let evil = try Self.url("https://evil.example/")
            let outside = try #require(DynamicLinkComponents(link: evil, domainURIPrefix: Self.domain)?.url)
            let refusal: NSError? = await withCheckedContinuation { continuation in
                LinkCreator().shorten(outside) { url, _, error in
                    #expect(url == nil)
                    continuation.resume(returning: error as NSError?)
                }
            }
            #expect(refusal?.domain == DynamicLinkComponentsErrorDomain)
            #expect(refusal?.userInfo["remoteStatus"] as? String == "INVALID_ARGUMENT", "\(refusal as Any)")

            try server.crash()
            #expect(await open(try Self.url("https://go.example.com/unknown")))
            #expect((app.failures.last as? NSError)?.domain == NSURLErrorDomain)
        }
    }
}
