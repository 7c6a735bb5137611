import Foundation
import Testing
import WaymarkAPI
import WaymarkKit
import WaymarkKitCompatibility

/// The samples of the HOKO SDK's page on deep linking, changed only where Swift itself has changed: labels of first
/// arguments and `NSURL`. They compile and do what the page says.
@MainActor
@Suite(.serialized) struct HokoSampleTests {
    // What the page takes for granted.
    @MainActor
    final class App {
        var shown: [String] = []
        var tracked: [(event: String, route: String?)] = []
        var shared: [String] = []
    }

    private final class BLKProductViewController {
        let productId: String?
        var referrer: String?
        init(productId: String?) { self.productId = productId }
    }

    private struct Product {
        let identifier = 1234
        let webLink = "https://www.example.com/products/1234"
    }

    private struct User {
        let name = "ana"
        var isLoggedIn = false
    }

    @MainActor
    private final class Analytics: HOKHandlerProtocol {
        let app: App
        init(_ app: App) { self.app = app }

        func handleDeeplink(_ deeplink: HOKDeeplink) {
            track("deeplink", parameters: ["route": deeplink.route])
        }

        func track(_ event: String, parameters: [String: String?]) {
            app.tracked.append((event, parameters["route"] ?? nil))
        }
    }

    private func deeplinking(_ service: StandInService? = nil) -> HOKDeeplinking {
        HOKDeeplinking(
            Deeplinking(
                urlSchemes: ["hoko"], domains: ["yourapp.hoko.link"], dialect: .ios, resolver: service,
                creator: service,
                recorder: service, openingTimeLimit: .seconds(3_600)))
    }

    @Test func mapsRoutesAndTheDefaultRoute() {
        let app = App()
        let hoko = deeplinking()
        hoko.mapRoute(
            "products/:product_id",
            toTarget: {
                (deeplink: HOKDeeplink) -> Void in
                let productViewController = BLKProductViewController(
                    productId: deeplink.routeParameters["product_id"])  // always exists
                productViewController.referrer = deeplink.queryParameters["referrer"]  // might not exist
                app.shown.append(
                    "\(productViewController.productId ?? "") from \(productViewController.referrer ?? "")")
            })
        hoko.mapDefaultRouteToTarget { (deeplink: HOKDeeplink) -> Void in
            app.shown.append("landing")
        }
        #expect(hoko.router.open("hoko://products/42?referrer=hokolinks.com"))
        #expect(hoko.router.open("hoko://somewhere/else"))
        #expect(app.shown == ["42 from hokolinks.com", "landing"])
    }

    @Test func tellsHandlers() {
        let app = App()
        let hoko = deeplinking()
        hoko.mapRoute("products/:product_id") { _ in }
        let analytics = Analytics(app)
        hoko.addHandler(analytics)
        hoko.addHandlerBlock { (deeplink: HOKDeeplink) -> Void in
            analytics.track("block", parameters: ["route": deeplink.route])
        }
        hoko.router.open("hoko://products/42")
        #expect(app.tracked.map(\.event) == ["deeplink", "block"])
        #expect(app.tracked.map(\.route) == ["products/:product_id", "products/:product_id"])
    }

    @Test func `calls of the app delegate are passed on`() throws {
        let app = App()
        let hoko = deeplinking()
        hoko.mapRoute("products/:product_id") { app.shown.append($0.sourceApplication ?? "web") }

        func application(openURL url: URL, sourceApplication: String?, annotation: AnyObject?) -> Bool {
            return hoko.openURL(url, sourceApplication: sourceApplication, annotation: annotation)
        }
        func application(
            continueUserActivity userActivity: StandInActivity, restorationHandler: ([AnyObject]?) -> Void
        ) -> Bool {
            return hoko.continueUserActivity(userActivity, restorationHandler: restorationHandler)
        }
        let url = try #require(URL(string: "hoko://products/42"))
        #expect(application(openURL: url, sourceApplication: "com.example.mail", annotation: nil))
        let page = URL(string: "https://www.example.com/products/42")
        #expect(application(continueUserActivity: StandInActivity(webpageURL: page), restorationHandler: { _ in }))
        #expect(app.shown == ["com.example.mail", "web"])
    }

    @Test func generatesSmartLinks() async throws {
        let app = App()
        let service = StandInService(smartlink: "http://hoko.link/PRMLNK")
        let hoko = deeplinking(service)
        hoko.mapRoute("products/:product_id") { _ in }
        let (product, user) = (Product(), User())

        let deeplink = HOKDeeplink(
            "products/:product_id", routeParameters: ["product_id": product.identifier],
            queryParameters: ["referrer": user.name],
            metadata: ["coupon": "20"])
        deeplink.addURL("http://awesomeapp.com/the_perfect_product", forPlatform: .Web)
        deeplink.addURL("http://awesomeapp.com/no_android_app_yet", forPlatform: .Android)
        await withCheckedContinuation { continuation in
            hoko.generateSmartlinkForDeeplink(
                deeplink,
                success: { (smartlink: String) -> Void in
                    app.shared.append(smartlink)
                    continuation.resume()
                }
            ) { (error: NSError) -> Void in
                // Share web link instead
                app.shared.append(product.webLink)
                continuation.resume()
            }
        }
        #expect(app.shared == ["http://hoko.link/PRMLNK"])
        let body = try #require(service.created.first)
        #expect(body.routeParameters == ["product_id": "1234"])
        #expect(body.urls.mapValues(\.link).count == 2)
        #expect(body.metadata?.text == #"{"coupon":"20"}"#)
    }

    @Test func resolvesSmartLinks() async {
        let app = App()
        let hoko = deeplinking(StandInService(deeplink: "hoko://products/42"))
        hoko.mapRoute("products/:product_id") { _ in }
        let slink = "https://yourapp.hoko.link/example"
        await withCheckedContinuation { continuation in
            hoko.openSmartlink(
                slink,
                completion: { (deeplink: HOKDeeplink?) -> Void in
                    if let link = deeplink {
                        app.shown.append(link.route ?? "")
                    } else {
                        app.shown.append("could not resolve Smart link")
                    }
                    continuation.resume()
                })
        }
        hoko.openSmartlink(slink)
        #expect(app.shown == ["products/:product_id"])
    }

    @Test func filtersAndOpensLater() {
        @MainActor final class Session { var currentUser = User() }
        let session = Session()
        let hoko = deeplinking()
        hoko.mapRoute("friends/:friend_id") { _ in }
        hoko.mapRoute("news") { _ in }
        hoko.addFilterBlock { (deeplink: HOKDeeplink) -> Bool in
            if deeplink.route == "friends/:friend_id" {
                return session.currentUser.isLoggedIn
            } else {
                return true
            }
        }
        #expect(hoko.router.open("hoko://news"))
        #expect(!hoko.router.open("hoko://friends/7"))
        session.currentUser.isLoggedIn = true

        if let deeplink = hoko.currentDeeplink(), !deeplink.wasOpened {
            hoko.openCurrentDeeplink()
        }
        #expect(hoko.currentDeeplink()?.wasOpened == true)
        #expect(hoko.currentDeeplink()?.routeParameters == ["friend_id": "7"])
    }

    /// The first version's names, through the shared router that the page's samples use.
    @Test func knowsTheNamesOfTheFirstVersion() {
        let app = App()
        Hoko.deeplinking().mapRoute(
            "product/:product_id",
            toTarget: {
                (deeplink: HKDeeplink!) -> Void in
                app.shown.append(deeplink.routeParameters["product_id"] ?? "")
            })
        #expect(Hoko.deeplinking().router.open("hoko://product/42?referrer=hokolinks.com"))
        #expect(app.shown == ["42"])
        #expect(!Hoko.setup(Deeplinking()))
        #expect(Hoko.deeplinking().router.isMapped("product/:product_id"))
    }

    /// Names that the SDK's headers have and its page has not, or spells in another way.
    @Test func knowsTheNamesOfTheHeaders() throws {
        @MainActor final class Listener: HOKHandlerProcotol {
            var routes: [String?] = []
            func handleDeeplink(_ deeplink: HOKDeeplink) { routes.append(deeplink.route) }
        }
        let hoko = deeplinking()
        hoko.mapRoute("products/:product_id") { _ in }
        #expect(hoko.mapRoute("products/:product_id") { _ in }?.code == 4)
        let listener = Listener()
        hoko.addHandler(listener)
        #expect(hoko.addHandler(listener)?.code == 16)
        #expect(!hoko.openURL(nil, sourceApplication: nil, annotation: nil))
        hoko.router.open("hoko://products/42")
        #expect(listener.routes == ["products/:product_id"])
        let current = hoko.currentDeeplink()
        #expect(current?.routeParameters == ["product_id": "42"])
        #expect(hoko.currentDeeplink() === current)

        // UIKit's handler since iOS 12 takes an array of a class-bound protocol.
        let page = URL(string: "https://www.example.com/products/43")
        let restore: ([any Restoring]?) -> Void = { _ in }
        #expect(hoko.continueUserActivity(StandInActivity(webpageURL: page), restorationHandler: restore))
        #expect(hoko.continueUserActivity(StandInActivity(webpageURL: page), restorationHandler: { _ in }))
        Hoko.setVerbose(true)

        let deeplink = HOKDeeplink("products/:product_id", routeParameters: ["product_id": 42])
        #expect(
            hoko.generateLazySmartlinkForDeeplink(deeplink, domain: "app.hoko.link")
                == "http://app.hoko.link/lazy?uri=products%2F42")
        #expect(hoko.generateLazySmartlinkForDeeplink(deeplink, domain: "a/b") == nil)
        deeplink.addURL("http://awesomeapp.com/", forPlatform: .Web)
        #expect(hoko.generateLazySmartlinkForDeeplink(deeplink, domain: "app.hoko.link") == nil)
    }
}

private protocol Restoring: AnyObject {}
