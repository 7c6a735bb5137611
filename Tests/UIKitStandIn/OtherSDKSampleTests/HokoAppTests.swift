import OtherSDKSample
import Testing
import UIKit
import WaymarkAPI
import WaymarkKit

@testable import WaymarkKitCompatibility

/// A service whose smart links lead to one product.
struct ProductService: SmartlinkResolving, SmartlinkCreating {
    var created = "http://hoko.link/PRMLNK"

    func resolve(_ subject: ResolveRequest.Subject) async throws -> ResolveResponse {
        ResolveResponse(
            deeplink: "hoko://offers/7", route: nil, routeParameters: [:], queryParameters: [:],
            metadata: RawJSON(Array(#"{"coupon": "20"}"#.utf8)), redeem: RedeemCount(limit: nil, used: 0))
    }

    func createSmartlink(_ link: LinkRequest) async throws -> String { created }
}

extension UIKitTests {
    /// HOKO's guide, played in an app with a window.
    @MainActor
    struct HokoAppTests {
        let app = HokoAppDelegate()

        init() {
            currentUser = User()
            UIApplication.shared.delegate = app
            UIApplication.shared.connectedScenes = []
            app.window = UIWindow()
            Hoko.reset()
            let service = ProductService()
            Hoko.setup(
                Deeplinking(
                    urlSchemes: ["hoko"], domains: ["go.example.com"], dialect: .ios, resolver: service,
                    creator: service
                ))
            app.isSetUp = true
            _ = app.application(UIApplication.shared, didFinishLaunchingWithOptions: nil)
        }

        private var root: UIViewController? { app.window?.rootViewController }

        private func open(_ url: String) -> Bool {
            app.application(
                UIApplication.shared, open: URL(string: url)!, sourceApplication: "com.example.mail", annotation: "")
        }

        @Test func pushesAProductOnANewNavigationController() throws {
            #expect(open("hoko://products/42?referrer=hokolinks.com"))
            let navigation = try #require(root as? UINavigationController)
            let product = try #require(navigation.viewControllers.last as? BLKProductViewController)
            #expect(product.productId == "42" && product.referrer == "hokolinks.com")
            #expect(open("hoko://product/43"))
            #expect(navigation.viewControllers.count == 2)
            #expect(tracked.suffix(2) == ["deeplink product/:product_id", "block product/:product_id"])
        }

        @Test func setsTheRootForTheDefaultRouteAndNavigationControllers() {
            #expect(open("hoko://somewhere/else"))
            #expect(root is BLKLandingViewController)
            #expect(open("hoko://wishlist"))
            #expect(root is UINavigationController)
        }

        @Test func replacesAndPresents() throws {
            let navigation = UINavigationController(rootViewController: BLKLandingViewController())
            let tabs = UITabBarController()
            tabs.viewControllers = [BLKLandingViewController(), navigation]
            tabs.selectedViewController = navigation
            app.window?.rootViewController = tabs
            #expect(open("hoko://offers/1") && open("hoko://offers/2"))
            #expect(navigation.viewControllers.count == 2)
            #expect((navigation.viewControllers.last as? BLKProductViewController)?.productId == "2")

            #expect(open("hoko://help"))
            let presented = navigation.viewControllers.last?.presentedViewController
            #expect(presented is BLKLandingViewController)
            // What is presented has no navigation controller: the product gets one of its own.
            #expect(open("hoko://products/3"))
            #expect((root as? UINavigationController)?.viewControllers.count == 1)
        }

        @Test func leavesToOthersWhatIsTheirs() {
            app.taken = ["fb123"]
            #expect(open("fb123://authorize"))
            #expect(root == nil)
            let handoff = NSUserActivity(activityType: "com.example.edit")
            #expect(!app.application(UIApplication.shared, continue: handoff, restorationHandler: { _ in }))
        }

        @Test func opensAUniversalLinkWithMetadata() async throws {
            let opened = await withCheckedContinuation { continuation in
                app.open(slink: "https://go.example.com/x") { continuation.resume(returning: $0) }
            }
            #expect(opened == "offers/:offer_id")
            let navigation = try #require(root as? UINavigationController)
            #expect((navigation.viewControllers.last as? BLKProductViewController)?.referrer == "20")

            let page = NSUserActivity(activityType: NSUserActivityTypeBrowsingWeb)
            page.webpageURL = URL(string: "https://www.example.com/products/44")
            #expect(app.application(UIApplication.shared, continue: page, restorationHandler: { _ in }))
            #expect((navigation.viewControllers.last as? BLKProductViewController)?.productId == "44")
        }

        @Test func opensAFriendAfterTheLogin() {
            #expect(!open("hoko://friends/7"))
            #expect(Hoko.deeplinking().currentDeeplink()?.wasOpened == false)
            app.userDidLogIn()
            #expect(Hoko.deeplinking().currentDeeplink()?.wasOpened == true)
        }

        @Test func sharesAProduct() async {
            await withCheckedContinuation { continuation in
                app.share(product: Product()) { continuation.resume() }
            }
            #expect(app.shared == ["http://hoko.link/PRMLNK"])
            #expect(LinkCoordinator().lazySmartlink() == "http://go.example.com/lazy?uri=products%2F1")
        }

        @Test func showsInTheSceneInTheForeground() {
            UIApplication.shared.delegate = nil
            let (scene, other) = (UIWindowScene(), UIWindowScene())
            let delegate = HokoSceneDelegate()
            delegate.window = UIWindow()
            scene.delegate = delegate
            scene.activationState = .foregroundActive
            other.windows = [UIWindow()]
            UIApplication.shared.connectedScenes = [scene, other]
            HOKNavigation.setRootViewController(BLKLandingViewController())
            #expect(delegate.window?.rootViewController is BLKLandingViewController)
            #expect(other.windows[0].rootViewController == nil)

            UIApplication.shared.connectedScenes = [other]
            HOKNavigation.pushViewController(BLKLandingViewController(), animated: true)
            #expect(other.windows[0].rootViewController is UINavigationController)
            UIApplication.shared.connectedScenes = []
            HOKNavigation.presentViewController(BLKLandingViewController(), animated: true)
        }

        @Test func opensTheURLThatStartsAScene() throws {
            UIApplication.shared.delegate = nil
            let (scene, delegate) = (UIWindowScene(), HokoSceneDelegate())
            delegate.window = UIWindow()
            scene.delegate = delegate
            UIApplication.shared.connectedScenes = [scene]
            let context = UIOpenURLContext(url: URL(string: "hoko://products/1")!)
            delegate.scene(
                scene, willConnectTo: UISceneSession(), options: UIScene.ConnectionOptions(urlContexts: [context]))
            let navigation = try #require(delegate.window?.rootViewController as? UINavigationController)
            delegate.scene(scene, openURLContexts: [UIOpenURLContext(url: URL(string: "hoko://products/2")!)])
            let page = NSUserActivity(activityType: NSUserActivityTypeBrowsingWeb)
            page.webpageURL = URL(string: "https://www.example.com/products/3")
            delegate.scene(scene, continue: page)
            let products = navigation.viewControllers.compactMap { $0 as? BLKProductViewController }
            #expect(products.map(\.productId) == ["1", "2", "3"])
        }

        @Test func showsInTheSceneThatReceivedTheLink() {
            UIApplication.shared.delegate = nil
            let scenes = [UIWindowScene(), UIWindowScene()]
            let delegates = scenes.map { scene in
                let delegate = HokoSceneDelegate()
                delegate.window = UIWindow()
                scene.delegate = delegate
                scene.activationState = .foregroundActive
                return delegate
            }
            UIApplication.shared.connectedScenes = Set(scenes)
            for (scene, delegate) in zip(scenes, delegates) {
                delegate.scene(scene, openURLContexts: [UIOpenURLContext(url: URL(string: "hoko://wishlist")!)])
                #expect(delegate.window?.rootViewController is UINavigationController)
            }
        }

        @Test func leavesForeignSchemesAlone() {
            #expect(!open("otherapp://products/7"))
            #expect(root == nil)
        }

        @Test func knowsTheLaunchByAURL() {
            let url = URL(string: "hoko://news")!
            #expect(Hoko.deeplinking().isLaunchingFromDeeplinkWithOptions([.url: url]))
            #expect(!Hoko.deeplinking().isLaunchingFromDeeplinkWithOptions([:]))
            #expect(!Hoko.deeplinking().isLaunchingFromDeeplinkWithOptions(nil))
        }
    }
}
