import Foundation
import Testing
import WaymarkAPI
import WaymarkKit

@testable import WaymarkKitCompatibility

/// What the HOKO SDK's headers say of links, errors and the set up.
@MainActor
@Suite(.serialized) struct HokoDeeplinkTests {
    private func deeplinking(_ service: StandInService? = nil) -> HOKDeeplinking {
        HOKDeeplinking(
            Deeplinking(
                urlSchemes: ["hoko"], domains: ["go.example.com"], dialect: .ios, resolver: service, creator: service,
                openingTimeLimit: .seconds(3_600)))
    }

    @Test func createsALinkOfAnyArguments() {
        let name: String? = "ana"
        let nobody: String? = nil
        let deeplink = HOKDeeplink(
            "products/:product_id", routeParameters: ["product_id": 42] as [String: Any],
            queryParameters: ["referrer": name as Any, "friend": nobody as Any, "page": 2, "none": NSNull()],
            metadata: nil,
            unique: true)
        #expect(deeplink.route == "products/:product_id")
        #expect(deeplink.routeParameters["product_id"] == "42")
        #expect(deeplink.routeParameters?["product_id"] == "42")
        #expect(deeplink.queryParameters == ["referrer": "ana", "page": "2"])
        #expect(deeplink.metadata == nil)
        #expect(deeplink.base.isUnique)
        #expect(!deeplink.wasOpened && !deeplink.isDeferred)

        let bare = HOKDeeplink(route: "news", routeParameters: nil, queryParameters: nil, metadata: nil)
        #expect(bare.routeParameters.isEmpty && bare.queryParameters.isEmpty)
        #expect(HOKDeeplink.deeplink().route == nil)
    }

    @Test func sharesEachPlatformAndTheRedeemLimit() async throws {
        let service = StandInService(smartlink: "http://hoko.link/PRMLNK")
        let hoko = deeplinking(service)
        hoko.mapRoute("products/:id") { _ in }
        let deeplink = HOKDeeplink(
            "products/:id", routeParameters: ["id": 1], queryParameters: ["q": "a"], metadata: ["coupon": "20"])
        let platforms: [HOKDeeplinkPlatform] = [.Web, .Android, .IPhone, .IPad, .IOSUniversal]
        for platform in platforms {
            deeplink.addURL("https://www.example.com/\(platform.rawValue)", forPlatform: platform)
        }
        deeplink.redeemLimit = 3
        #expect(await generated(deeplink, by: hoko).0 == "http://hoko.link/PRMLNK")
        let body = try #require(service.created.first)
        #expect(body.urls.keys.sorted() == ["android", "ios", "ipad", "iphone", "web"])
        #expect(body.redeemLimit == 3)
        #expect(body.metadata?.text == #"{"coupon":"20"}"#)
        #expect(body.routeParameters == ["id": "1"] && body.queryParameters == ["q": "a"])
    }

    @Test func readsMetadataByCasts() async throws {
        let metadata =
            #"{"coupon": "20", "count": 3, "rate": 0.5, "sale": true, "none": null, "tags": ["a"], "o": {"x": 1}}"#
        let hoko = deeplinking(StandInService(deeplink: "hoko://products/42?flag&q=a", metadata: metadata))
        hoko.mapRoute("products/:id") { _ in }
        let opened = await withCheckedContinuation { continuation in
            hoko.openSmartlink("https://go.example.com/x") { continuation.resume(returning: $0) }
        }
        let deeplink = try #require(opened)
        #expect(deeplink.metadata?["coupon"] as? String == "20")
        #expect(deeplink.metadata?["count"] as? Int == 3)
        #expect(deeplink.metadata?["rate"] as? Double == 0.5)
        #expect(deeplink.metadata?["sale"] as? Bool == true)
        #expect(deeplink.metadata?["none"] is NSNull)
        #expect(deeplink.metadata?["tags"] as? [String] == ["a"])
        #expect((deeplink.metadata?["o"] as? [String: Any])?["x"] as? Int == 1)

        #expect(deeplink.queryParameters == ["q": "a"])
        let json = deeplink.json
        #expect(json["route"] as? String == "products/:id")
        #expect(json["routeParameters"] as? [String: String] == ["id": "42"])
        #expect((json["queryParameters"] as? [String: Any])?["flag"] is NSNull)
        #expect((json["metadata"] as? [String: Any])?["count"] as? Int == 3)
        #expect(HOKDeeplink().json["metadata"] is NSNull)
    }

    @Test func passesOneObjectToFiltersHandlersAndTarget() {
        var seen: [HOKDeeplink] = []
        let hoko = deeplinking()
        hoko.mapRoute("news") { seen.append($0) }
        hoko.addHandlerBlock { seen.append($0) }
        hoko.addFilterBlock {
            seen.append($0)
            return true
        }
        let deeplink = HOKDeeplink("news")
        #expect(hoko.openDeeplink(deeplink))
        #expect(seen.count == 3 && seen.allSatisfy { $0 === deeplink })
        #expect(deeplink.wasOpened && hoko.currentDeeplink() === deeplink)
        #expect(!hoko.openDeeplink(HOKDeeplink("products/:id")))
    }

    @Test func opensTheDefaultRouteForNil() {
        var count = 0
        let hoko = deeplinking()
        #expect(!hoko.handleOpenURL(nil))
        hoko.mapDefaultRouteToTarget { _ in count += 1 }
        #expect(hoko.handleOpenURL(nil))
        #expect(hoko.openURL(nil, sourceApplication: nil, annotation: nil))
        #expect(count == 2)
    }

    private func generated(_ deeplink: HOKDeeplink?, by hoko: HOKDeeplinking) async -> (String?, NSError?) {
        await withCheckedContinuation { continuation in
            hoko.generateSmartlinkForDeeplink(deeplink, success: { continuation.resume(returning: ($0, nil)) }) {
                (error: NSError) in continuation.resume(returning: (nil, error))
            }
        }
    }

    @Test func failsWithTheNumbersOfTheSDK() async {
        let hoko = deeplinking(StandInService())
        hoko.mapRoute("products/:id") { _ in }
        let complete = HOKDeeplink("products/:id", routeParameters: ["id": 1])
        let cases: [(HOKDeeplink?, HOKDeeplinking, Int)] = [
            (nil, hoko, 11), (HOKDeeplink("products/:id"), hoko, 11), (HOKDeeplink("other"), hoko, 10),
            (complete, hoko, 9), (complete, emptyService(), 8), (complete, withoutService(), 1),
        ]
        for (deeplink, hoko, code) in cases {
            let error = await generated(deeplink, by: hoko).1
            #expect(error?.domain == "Hoko" && error?.code == code)
        }
        hoko.generateSmartlinkForDeeplink(nil, success: nil, failure: nil)
        hoko.generateSmartlinkForDeeplink(nil, success: { _ in }, failure: { (error: any Error) in _ = error })
    }

    private func emptyService() -> HOKDeeplinking {
        let hoko = deeplinking(StandInService(smartlink: ""))
        hoko.mapRoute("products/:id") { _ in }
        return hoko
    }

    private func withoutService() -> HOKDeeplinking {
        let hoko = deeplinking()
        hoko.mapRoute("products/:id") { _ in }
        return hoko
    }

    @Test(arguments: [(401, 3), (403, 11), (404, 7), (409, 10), (422, 9), (429, 6), (500, 6)])
    func namesRefusalsAsTheRESTAPIDoes(status: Int, code: Int) throws {
        let problem = try #require(
            Problem(json: Array(#"{"type": "about:blank", "title": "No", "status": \#(status)}"#.utf8)))
        let error = HOKError.nsError(WaymarkClientError.refused(problem, retryAfter: nil))
        #expect(error.domain == "HokoServerError" && error.code == code)
        #expect(error.userInfo[NSUnderlyingErrorKey] is WaymarkClientError)
    }

    @Test func `Hoko is set up by token and Info.plist`() throws {
        defer { Hoko.reset() }
        Hoko.reset()
        let types: [String: Any] = ["CFBundleURLTypes": [["CFBundleURLSchemes": ["shop", "shop2"]]]]
        #expect(Hoko.setupWithToken("key")?.code == 1)
        #expect(Hoko.setupWithToken("key", customDomain: "go.example.com")?.code == 2)

        Hoko.reset()
        var information = types
        information["WaymarkService"] = "https://go.example.com"
        information["WaymarkApp"] = "shop"
        #expect(
            Hoko.setupWithToken("key", customDomain: nil, information: information, storage: LockedStorage()) == nil)
        let router = Hoko.deeplinking().router
        #expect(router.urlSchemes == ["shop", "shop2"] && router.domains == ["go.example.com"])
        #expect(router.dialect == .ios)
        #expect(Hoko.client?.options.app == "shop")

        Hoko.reset()
        let error = Hoko.setupWithToken(
            "", customDomain: "go.example.com", information: types, storage: LockedStorage())
        #expect(error?.domain == "Hoko" && Hoko.client == nil)
        #expect(Hoko.deeplinking().router.domains == ["go.example.com"])
    }
}
