import UIKit
import WaymarkKitCompatibility

/// An app written for MobileDeepLinking, as the library's own example.
open class MobileDeepLinkingAppDelegate: UIResponder, UIApplicationDelegate {
    public var window: UIWindow?
    public var seen: [String] = []

    public func application(
        _ application: UIApplication,
        didFinishLaunchingWithOptions launchOptions: [UIApplication.LaunchOptionsKey: Any]?
    ) -> Bool {
        MobileDeepLinking.sharedInstance().registerHandlerWithName(
            "mutatorHandler",
            handler: { params in
                params["handlerName"] = "handlerValue"
            })
        MobileDeepLinking.sharedInstance().registerHandlerWithName(
            "myHandler",
            handler: { (params: NSDictionary) in
                for (name, value) in params { self.seen.append("\(name): \(value)") }
            })
        MobileDeepLinking.sharedInstance().registerHandlerWithName("routeToNonNibView") { params in
            let tabBarController = self.window?.rootViewController as? UITabBarController
            tabBarController?.selectedIndex = 0
            let navigationController = tabBarController?.viewControllers?[0] as? UINavigationController
            navigationController?.pushViewController(NonIBViewController(), animated: true)
        }
        return true
    }

    public func application(
        _ app: UIApplication, open url: URL, options: [UIApplication.OpenURLOptionsKey: Any] = [:]
    ) -> Bool {
        MobileDeepLinking.sharedInstance().routeUsingUrl(url)
        return true
    }
}

public class NonIBViewController: UIViewController {}

public class StoryBoardViewController: KeyedViewController {
    #if canImport(ObjectiveC)
        @objc public var dataId: String?
        @objc public var utmSource: String?
    #else
        public var dataId: String? { values["dataId"] as? String }
        public var utmSource: String? { values["utmSource"] as? String }
        public override var names: [String] { ["dataId", "utmSource"] }
    #endif
}

public class ViewControllerWithNib: KeyedViewController {
    #if canImport(ObjectiveC)
        @objc public var saleId: String?
    #else
        public var saleId: String? { values["saleId"] as? String }
        public override var names: [String] { ["saleId"] }

        /// A validation method: it trims the value, and refuses `0`.
        public override func validateValue(_ value: UnsafeMutablePointer<AnyObject?>, forKey key: String) throws {
            guard key == "saleId", let text = value.pointee as? String else { return }
            if text == "0" { throw CocoaError(.keyValueValidation) }
            value.pointee = text.trimmingCharacters(in: .whitespaces) as AnyObject
        }
    #endif
}

/// Where Swift has no Objective-C, a property can't be found by its name: this keeps the values instead.
public class KeyedViewController: UIViewController {
    #if !canImport(ObjectiveC)
        public var names: [String] { [] }
        public var values: [String: Any] = [:]

        public override var keys: [String: (Any?) -> Void] {
            Dictionary(uniqueKeysWithValues: names.map { name in (name, { self.values[name] = $0 }) })
        }
    #endif
}
