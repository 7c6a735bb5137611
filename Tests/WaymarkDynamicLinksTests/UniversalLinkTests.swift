import DynamicLinksSample
import Foundation
import Testing
import WaymarkJSON
import WaymarkKit

@testable import WaymarkDynamicLinks

@Suite struct UniversalLinkTests {
    private static let resolved = """
        {"deeplink": "https://shop.example.com/products/42", "route": null, "routeParameters": {},
         "queryParameters": {"utm_source": "mail", "size": "xl"}, "metadata": {"coupon": "20"},
         "redeem": {"limit": 1, "used": 1, "remaining": 0, "status": "redeemed"},
         "update": {"minimumVersion": "2.4", "url": null}}
        """

    enum Kind { case short, long, either, none }

    @Test(arguments: [
        ("https://go.example.com/Ab3dE9x", Kind.short), ("http://GO.example.com:443/Ab3dE9x?d=1", .short),
        ("https://go.example.com/spring/sale", .short), ("https://example.com/links/Ab3dE9x", .short),
        ("https://go.example.com/?link=https%3A%2F%2Fa.example", .long),
        ("https://go.example.com?link=https://a.example", .long),
        ("https://example.com/links?link=https%3A%2F%2Fa.example", .long),
        ("https://example.com/links/?link=https%3A%2F%2Fa.example", .long),
        ("https://go.example.com/promo/?apn=x&link=https%3A%2F%2Fa.example", .either),
        ("https://go.example.com/spring?link=https://evil.example", .either),
        ("https://go.example.com/link/dismiss?link=https://a.example", .none),
        ("https://go.example.com/", .none), ("https://go.example.com", .none), ("https://go.example.com/?x=1", .none),
        ("https://go.example.com/?link=javascript%3Aalert(1)", .none),
        ("https://go.example.com/x?link=shop%3A", .short),
        ("https://go.example.com/?link=", .none), ("https://go.example.com/link/dismiss", .none),
        ("https://example.com/linksAb3dE9x", .none), ("https://example.com/Ab3dE9x", .none),
        ("https://go.example.com.evil.example/Ab3dE9x", .none), ("https://evil.example/go.example.com/x", .none),
        ("https://go.example.com@evil.example/Ab3dE9x", .none), ("shop://go.example.com/Ab3dE9x", .none),
        ("https://shop.page.link/Ab3dE9x", .none),
    ])
    func knowsTheLinksOfItsDomains(text: String, kind: Kind) throws {
        let (links, _) = try DynamicLinks.standIn(.init(.failure(.offline)))
        #expect(links.matchesShortLinkFormat(try url(text)) == (kind == .short))
        #expect((links.dynamicLink(fromUniversalLink: try url(text)) != nil) == (kind == .long))
        #expect((links.incoming(try url(text)) != nil) == (kind != .none))
    }

    @Test func resolvesAShortLinkAndRecordsTheOpening() async throws {
        let transport = RecordingTransport(Self.resolved)
        let (links, client) = try DynamicLinks.standIn(transport)
        let link = try #require(try await links.handleUniversalLink(try url("https://go.example.com/Ab3dE9x?size=xl")))
        #expect(link.url?.absoluteString == "https://shop.example.com/products/42")
        #expect(link.matchType == .unique)
        #expect(link.minimumAppVersion == "2.4")
        #expect(link.utmParametersDictionary as? [String: String] == ["utm_source": "mail"])
        #expect(link.metadata?["coupon"]?.string == "20")
        let body = try #require(transport.bodies(of: "/api/v1/resolve").first)
        #expect(body["smartlink"]?.string == "https://go.example.com/Ab3dE9x?size=xl")
        #expect(body["platform"]?.string == "ios")
        #expect(body["appVersion"]?.string == "0")
        #expect(client.eventCounts.waiting == 1)
        try await client.flushEvents()
        let event = try #require(transport.bodies(of: "/api/v1/events").first?["events"]?.array?.first)
        #expect(event["smartlink"]?.string == "https://go.example.com/Ab3dE9x?size=xl")
    }

    @Test func readsALongLinkWithoutTheService() async throws {
        let transport = RecordingTransport(.failure(.offline))
        let (links, client) = try DynamicLinks.standIn(transport)
        let text =
            "https://go.example.com/?link=https%3A%2F%2Fa.example%2F%3Fq%3D1%2B1&imv=2&utm_medium=a+b&link=x&_hk_cid=c1"
        let link = try await links.dynamicLink(fromUniversalLink: try url(text))
        #expect(link.url?.absoluteString == "https://a.example/?q=1+1")
        #expect(link.minimumAppVersion == "2")
        #expect(link.utmParametersDictionary as? [String: String] == ["utm_medium": "a b"])
        #expect(transport.requests.isEmpty)
        #expect(client.eventCounts.waiting == 1)
        try await links.dynamicLink(fromUniversalLink: try url(text))
        #expect(client.eventCounts.waiting == 1)
    }

    @Test(arguments: [
        ("https://shop.example.com/products/42", 0), ("https://evil.example/", 1), ("http://shop.example.com/", 1),
    ])
    func leavesALongLinkBehindAPathToTheService(link: String, openings: Int) async throws {
        let transport = RecordingTransport(Self.resolved)
        let (links, client) = try DynamicLinks.standIn(transport)
        let text = "https://go.example.com/spring?link=\(link)"
        let resolved = try #require(try await links.handleUniversalLink(try url(text)))
        #expect(resolved.url?.absoluteString == "https://shop.example.com/products/42")
        #expect(transport.bodies(of: "/api/v1/resolve").map { $0["smartlink"]?.string } == [text])
        // As a long link it has nothing to do with the short link /spring.
        #expect(client.eventCounts.waiting == openings)
    }

    @MainActor
    @Test(arguments: ["https://go.example.com/Ab3dE9x", "https://go.example.com/?link=https%3A%2F%2Fa.example"])
    func completesOnceOnTheMainActorAfterItHasReturned(text: String) async throws {
        let (links, _) = try DynamicLinks.standIn(RecordingTransport(Self.resolved))
        let url = try url(text)
        let log = CompletionLog()
        await withCheckedContinuation { continuation in
            #expect(log.handle(url, links) { continuation.resume() })
            #expect(log.calls == 0)
            log.hasReturned = true
        }
        // Lets a second call happen.
        for _ in 0..<3 { await Task { @MainActor in }.value }
        #expect(log.calls == 1 && log.callsBeforeReturn == 0)
        #expect(log.link?.url != nil && log.error == nil)
    }

    @MainActor
    @Test func completesWithAnErrorForOtherURLs() async throws {
        let (links, _) = try DynamicLinks.standIn(.init(.failure(.offline)))
        let other = try url("https://other.example/x?_hk_cid=c1&email=ana#top")
        let error: NSError? = await withCheckedContinuation { continuation in
            let isHandled = links.handleUniversalLink(other) { link, error in
                #expect(link == nil)
                continuation.resume(returning: error as NSError?)
            }
            #expect(!isHandled)
        }
        #expect(error?.domain == DynamicLinksErrorDomain && error?.code == 1)
        #expect(
            error?.localizedDescription
                == "https://other.example/x is not a link of the app's domains (https://go.example.com, https://example.com/links)."
        )
        #expect(try await links.handleUniversalLink(other) == nil)
    }

    @Test(arguments: [
        (
            RecordingTransport(status: 404, #"{"type": "link-unknown", "title": "Unknown", "status": 404}"#),
            DynamicLinksErrorDomain, 404
        ),
        (RecordingTransport(status: 502, "<html>"), DynamicLinksErrorDomain, 502),
        (RecordingTransport("[]"), DynamicLinksErrorDomain, 0),
        (RecordingTransport(.failure(.offline)), NSURLErrorDomain, NSURLErrorNotConnectedToInternet),
        (RecordingTransport(.failure(.timedOut)), NSURLErrorDomain, NSURLErrorTimedOut),
        (RecordingTransport(.failure(.notTrusted("x"))), NSURLErrorDomain, NSURLErrorSecureConnectionFailed),
    ])
    func saysWhyALinkWasNotResolved(transport: RecordingTransport, domain: String, code: Int) async throws {
        let (links, client) = try DynamicLinks.standIn(transport)
        do {
            try await links.handleUniversalLink(try url("https://go.example.com/x?_hk_cid=c1"))
            Issue.record("it was resolved")
        } catch let error as NSError {
            #expect(error.domain == domain && error.code == code)
            #expect(!error.localizedDescription.isEmpty)
            #expect(!error.localizedDescription.contains("c1"))
            #expect(error.userInfo[NSUnderlyingErrorKey] is WaymarkClientError)
        }
        #expect(client.eventCounts.waiting == 0)
    }

    @Test func resolvesToAURLWithTheAppsScheme() async throws {
        let transport = RecordingTransport(Self.resolved)
        let (links, client) = try DynamicLinks.standIn(transport)
        let resolved = try await links.resolveShortLink(try url("https://go.example.com/Ab3dE9x"))
        // The URL can't carry the metadata that a redeem is for.
        #expect(transport.bodies(of: "/api/v1/resolve").map { $0["redeem"]?.bool } == [false])
        #expect(client.eventCounts.waiting == 1)
        #expect(resolved.absoluteString.hasPrefix("shop://google/link/?deep_link_id=https%3A%2F%2Fshop%2E"))
        let link = try #require(links.dynamicLink(fromCustomSchemeURL: resolved))
        #expect(link.url?.absoluteString == "https://shop.example.com/products/42")
        #expect(link.minimumAppVersion == "2.4" && link.matchType == .unique)
        #expect(link.utmParametersDictionary as? [String: String] == ["utm_source": "mail"])
    }
}
