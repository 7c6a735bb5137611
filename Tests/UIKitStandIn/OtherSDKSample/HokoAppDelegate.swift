import UIKit
import WaymarkKitCompatibility

/// An app written for HOKO's SDK, with the calls of its guide.
open class HokoAppDelegate: UIResponder, UIApplicationDelegate {
    public var window: UIWindow?
    public var shared: [String] = []
    public var isSetUp = false
    /// Stands for another SDK or Handoff: what it takes, HOKO does not get.
    public var taken: Set<String> = []

    public func application(
        _ application: UIApplication,
        didFinishLaunchingWithOptions launchOptions: [UIApplication.LaunchOptionsKey: Any]?
    ) -> Bool {
        if !isSetUp { Hoko.setupWithToken("YOUR-APP-TOKEN") }
        Hoko.setVerbose(false)

        Hoko.deeplinking().mapRoute(
            "products/:product_id",
            toTarget: {
                (deeplink: HOKDeeplink) -> Void in
                let productViewController = BLKProductViewController(productId: deeplink.routeParameters["product_id"])
                productViewController.referrer = deeplink.queryParameters["referrer"]
                HOKNavigation.pushViewController(productViewController, animated: true)
            })
        // The first version's names.
        Hoko.deeplinking().mapRoute(
            "product/:product_id",
            toTarget: {
                (deeplink: HKDeeplink!) -> Void in
                let productViewController = BLKProductViewController(productId: deeplink.routeParameters["product_id"])
                productViewController.referrer = deeplink.queryParameters["referrer"]
                HKNavigation.pushViewController(productViewController, animated: true)
            })
        // Version 2.5, whose properties were optional.
        Hoko.deeplinking().mapRoute(
            "offers/:offer_id",
            toTarget: { (deeplink: HOKDeeplink) -> Void in
                let productViewController = BLKProductViewController(productId: deeplink.routeParameters?["offer_id"])
                productViewController.referrer = deeplink.metadata?["coupon"] as? String
                HOKNavigation.pushViewController(productViewController, animated: true, replace: true)
            })
        Hoko.deeplinking().mapRoute(
            "wishlist",
            toTarget: { (deeplink: HOKDeeplink!) -> Void in
                let navController = UINavigationController(rootViewController: BLKLandingViewController())
                HOKNavigation.setRootViewController(navController)
            })
        Hoko.deeplinking().mapRoute("help") { (deeplink: HOKDeeplink) -> Void in
            HOKNavigation.presentViewController(BLKLandingViewController(), animated: true)
        }
        Hoko.deeplinking().mapRoute("friends/:friend_id") { (deeplink: HOKDeeplink) -> Void in }
        Hoko.deeplinking().mapDefaultRouteToTarget { (deeplink: HOKDeeplink) -> Void in
            let landingViewController = BLKLandingViewController()
            HOKNavigation.setRootViewController(landingViewController)
        }

        Hoko.deeplinking().addHandler(Analytics.sharedInstance())
        Hoko.deeplinking().addHandlerBlock { (deeplink: HOKDeeplink) -> Void in
            Analytics.sharedInstance().track("block", parameters: ["route": deeplink.route])
        }
        Hoko.deeplinking().addFilterBlock { (deeplink: HOKDeeplink) -> Bool in
            if deeplink.route == "friends/:friend_id" {
                return currentUser.isLoggedIn
            } else {
                return true
            }
        }
        return !Hoko.deeplinking().isLaunchingFromDeeplinkWithOptions(launchOptions)
    }

    public func userDidLogIn() {
        currentUser.isLoggedIn = true
        if let deeplink = Hoko.deeplinking().currentDeeplink(), !deeplink.wasOpened {
            Hoko.deeplinking().openCurrentDeeplink()
        }
    }

    public func application(
        _ application: UIApplication, open url: URL, sourceApplication: String?, annotation: Any
    ) -> Bool {
        if let scheme = url.scheme, taken.contains(scheme) {
            return true
        }
        return Hoko.deeplinking().openURL(url, sourceApplication: sourceApplication, annotation: annotation)
    }

    public func application(
        _ application: UIApplication, continue userActivity: NSUserActivity,
        restorationHandler: @escaping ([UIUserActivityRestoring]?) -> Void
    ) -> Bool {
        if taken.contains(userActivity.activityType) {
            return true
        }
        return Hoko.deeplinking().continueUserActivity(userActivity, restorationHandler: restorationHandler)
    }

    public func share(product: Product, completion: @escaping @MainActor () -> Void) {
        let deeplink = HOKDeeplink(
            "products/:product_id", routeParameters: ["product_id": product.identifier],
            queryParameters: ["referrer": currentUser.name],
            metadata: ["coupon": "20"])
        deeplink.redeemLimit = 1
        deeplink.addURL("http://awesomeapp.com/the_perfect_product", forPlatform: .Web)
        deeplink.addURL("http://awesomeapp.com/no_android_app_yet", forPlatform: .Android)

        Hoko.deeplinking().generateSmartlinkForDeeplink(
            deeplink,
            success: { (smartlink: String) -> Void in
                self.shared.append(smartlink)
                completion()
            }
        ) { (error: NSError) -> Void in
            self.shared.append("\(product.webLink) \(error.domain) \(error.code)")
            completion()
        }
    }

    public func open(slink: String, completion: @escaping @MainActor (String) -> Void) {
        Hoko.deeplinking().openSmartlink(
            slink,
            completion: { (deeplink: HOKDeeplink?) -> Void in
                if let link = deeplink {
                    completion(link.json["route"] as? String ?? "no route")
                } else {
                    completion("could not resolve")
                }
            })
    }

    public func preload(slink: String) {
        Hoko.deeplinking().openSmartlink(slink)
    }
}

/// A type of the app that keeps the module.
@MainActor
open class LinkCoordinator {
    let deeplinking: HOKDeeplinking = Hoko.deeplinking()

    public init() {}

    public func lazySmartlink() -> String? {
        let deeplink = HOKDeeplink(
            route: "products/:product_id", routeParameters: ["product_id": "1"], queryParameters: nil, metadata: nil,
            unique: true)
        return deeplinking.generateLazySmartlinkForDeeplink(deeplink, domain: "go.example.com")
    }
}

#if SWIFT5
    /// In Swift 5 mode a type that is not bound to the main actor may call the SDK's names too.
    open class Background {
        func openAgain() {
            Hoko.deeplinking().openCurrentDeeplink()
            MobileDeepLinking.sharedInstance().routeUsingUrl(nil)
            HOKNavigation.setRootViewController(BLKLandingViewController())
        }
    }
#endif

class Analytics: HOKHandlerProtocol {
    private static let analytics = Analytics()
    var tracked: [(event: String, route: String?)] = []

    static func sharedInstance() -> Analytics {
        analytics
    }

    func handleDeeplink(_ deeplink: HOKDeeplink) {
        track("deeplink", parameters: ["route": deeplink.route])
    }

    func track(_ event: String, parameters: [String: String?]) {
        tracked.append((event, parameters["route"] ?? nil))
    }
}

@MainActor
public var tracked: [String] {
    Analytics.sharedInstance().tracked.map { "\($0.event) \($0.route ?? "-")" }
}

public class BLKProductViewController: UIViewController {
    public var productId: String?
    public var referrer: String?

    convenience init(productId: String?) {
        self.init(nibName: nil, bundle: nil)
        self.productId = productId
    }
}

public class BLKLandingViewController: UIViewController {}

public struct Product {
    let identifier = 1234
    let webLink = "https://www.example.com/products/1234"

    public init() {}
}

@MainActor
public struct User {
    let name = "ana"
    var isLoggedIn = false

    public init() {}
}

@MainActor public var currentUser = User()
