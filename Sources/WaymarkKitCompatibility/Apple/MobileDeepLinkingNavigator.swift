#if canImport(UIKit) && !os(watchOS)
    public import Foundation
    import UIKit

    /// Shows the views of routes as the library did: creates the view controller from its storyboard, nib or class,
    /// sets the parameters on it, and pushes it.
    ///
    /// A parameter is set by key-value coding if the view controller has a property of its name that Objective-C sees:
    /// `@objc var saleId: String?`. Others are skipped. A validation method (`validateSaleId:error:`, Apple's
    /// *Key-Value Coding Programming Guide*) may change the value, or refuse it: the route then fails.
    @available(iOSApplicationExtension, unavailable)
    @available(tvOSApplicationExtension, unavailable)
    @available(visionOSApplicationExtension, unavailable)
    public struct MobileDeepLinkingNavigator: MobileDeepLinkingPresenting {
        private let bundle: Bundle
        private let modules: [String]
        private let log: (@MainActor (String) -> Void)?

        /// Creates a navigator.
        ///
        /// - Parameters:
        ///   - bundle: has the storyboards and nibs. Default: the app's.
        ///   - modules: the Swift modules in which a class is looked up that has no module in its name. Default: the
        ///     app's, by the name of its executable.
        ///   - log: receives a line about each view that can't be shown: names, never values of a URL. Default: nothing
        ///     is logged.
        public init(
            bundle: Bundle = .main, modules: [String]? = nil, log: (@MainActor (String) -> Void)? = nil
        ) {
            self.bundle = bundle
            self.modules = modules ?? Self.module(of: bundle).map { [$0] } ?? []
            self.log = log
        }

        /// Creates the view controller, sets the parameters and shows it:
        ///
        /// - on a navigation controller that is the window's root, or the first one among a tab bar controller's tabs,
        ///   above its first view controller. If that has the new one's class, it gets the parameters in its place;
        /// - by selecting the tab whose view controller has the new one's class, which gets the parameters;
        /// - otherwise as the window's root.
        ///
        /// - Returns: false if there is no window, no such storyboard, nib or class, or if a parameter was refused. As in
        ///   UIKit, an identifier that the storyboard lacks ends the app.
        public func present(_ view: MobileDeepLinkingView, parameters: [String: Any]) -> Bool {
            guard let window = ActiveWindow.current() else { return refuse("there is no window") }
            guard let controller = controller(of: view), set(parameters, on: controller) else { return false }
            let shown = show(controller, in: window)
            return shown === controller || set(parameters, on: shown)
        }

        // MARK: Creating

        private func controller(of view: MobileDeepLinkingView) -> UIViewController? {
            switch view {
            case .storyboard(let name, let identifier, _):
                guard exists(name, "storyboardc") else { return nil }
                return UIStoryboard(name: name, bundle: bundle).instantiateViewController(withIdentifier: identifier)
            case .nib(let name, let className):
                guard exists(name, "nib") else { return nil }
                return viewControllerClass(className)?.init(nibName: name, bundle: bundle)
            case .code(let className):
                return viewControllerClass(className)?.init()
            }
        }

        /// UIKit ends the app for a missing storyboard or nib.
        private func exists(_ name: String, _ type: String) -> Bool {
            bundle.path(forResource: name, ofType: type) != nil || refuse("the bundle has no \(name).\(type)")
        }

        private func viewControllerClass(_ name: String) -> UIViewController.Type? {
            for name in [name] + modules.map({ $0 + "." + name }) {
                if let type = NSClassFromString(name) as? UIViewController.Type { return type }
            }
            log?("There is no view controller of the class \(name).")
            return nil
        }

        /// The module's name is the product's name with the characters replaced that identifiers can't have.
        private static func module(of bundle: Bundle) -> String? {
            (bundle.object(forInfoDictionaryKey: "CFBundleExecutable") as? String).map { name in
                String(name.map { $0.isLetter || $0.isNumber ? $0 : "_" })
            }
        }

        // MARK: Parameters

        private func set(_ parameters: [String: Any], on controller: UIViewController) -> Bool {
            for (name, value) in parameters.sorted(by: { $0.key < $1.key }) {
                var object: AnyObject? = value as AnyObject
                do {
                    try controller.validateValue(&object, forKey: name)
                } catch {
                    return refuse("the parameter \(name) is not valid")
                }
                // Key-value coding raises an exception for other keys, which Swift can't catch.
                guard controller.responds(to: NSSelectorFromString(Self.setter(of: name))) else {
                    log?("\(type(of: controller)) has no property \(name).")
                    continue
                }
                controller.setValue(object, forKey: name)
            }
            return true
        }

        private static func setter(of name: String) -> String {
            "set" + name.prefix(1).uppercased() + name.dropFirst() + ":"
        }

        // MARK: Showing

        /// - Returns: the view controller that is shown: the new one, or the one of its class that was there.
        private func show(_ controller: UIViewController, in window: UIWindow) -> UIViewController {
            if let navigation = window.rootViewController as? UINavigationController {
                return push(controller, on: navigation)
            }
            if let tabs = window.rootViewController as? UITabBarController {
                let children = tabs.viewControllers ?? []
                if let own = children.first(where: { type(of: $0) == type(of: controller) }) {
                    tabs.selectedViewController = own
                    return own
                }
                if let navigation = children.lazy.compactMap({ $0 as? UINavigationController }).first {
                    tabs.selectedViewController = navigation
                    return push(controller, on: navigation)
                }
            }
            window.rootViewController = controller
            return controller
        }

        private func push(
            _ controller: UIViewController, on navigation: UINavigationController
        ) -> UIViewController {
            _ = navigation.popToRootViewController(animated: false)
            if let root = navigation.viewControllers.first, type(of: root) == type(of: controller) { return root }
            navigation.pushViewController(controller, animated: true)
            return controller
        }

        private func refuse(_ reason: String) -> Bool {
            log?("The view can't be shown: \(reason).")
            return false
        }
    }
#endif
