import OtherSDKSample
import Testing
import UIKit
import WaymarkKitCompatibility

extension UIKitTests {
    /// MobileDeepLinking's own example, played in an app with tabs: the configuration is in the app's bundle.
    @MainActor
    struct MobileDeepLinkingAppTests {
        /// A storyboard that stands twice in the default route, as in the library's example.
        private static let configuration = """
            {
              "logging": "true",
              "storyboard": {"iPhone": "Main_iPhone", "iPad": "Main_iPad"},
              "defaultRoute": {
                "storyboard": {"iPhone": "Main_iPhone", "iPad": "Main_iPad"}, "storyboard": "Main_iPhone",
                "class": "DataViewController", "identifier": "DataViewController"
              },
              "routes": {
                "data/:dataId": {
                  "identifier": "storyBoardViewController", "handlers": ["myHandler"],
                  "routeParameters": {"utmSource": {"required": "true"}}
                },
                "missing": {"storyboard": {"iPhone": "Other"}, "identifier": "x"},
                "sale/:saleId": {
                  "storyboard": {}, "identifier": "ViewControllerWithNib", "class": "OtherSDKSample.ViewControllerWithNib",
                  "handlers": ["mutatorHandler", "myHandler"]
                },
                "product": {"class": "OtherSDKSample.NonIBViewController"},
                "handler": {"handlers": ["routeToNonNibView"]}
              }
            }
            """

        /// The bundle's files are there before the shared instance is.
        private static let files: Void = {
            let folder = Bundle.main.bundleURL
            try? Data(configuration.utf8).write(to: folder.appendingPathComponent("MobileDeepLinkingConfig.json"))
            for name in ["Main_iPhone.storyboardc", "Main_iPad.storyboardc", "ViewControllerWithNib.nib"] {
                try? Data().write(to: folder.appendingPathComponent(name))
            }
            for device in ["iPhone", "iPad"] {
                UIStoryboard.scenes["Main_\(device)/storyBoardViewController"] = { StoryBoardViewController() }
            }
            UIStoryboard.scenes["Main_iPhone/DataViewController"] = { HomeViewController() }
        }()

        final class HomeViewController: UIViewController {}

        let app = MobileDeepLinkingAppDelegate()
        let tabs = UITabBarController()
        let navigation = UINavigationController(rootViewController: UIViewController())

        init() {
            Self.files
            UIApplication.shared.delegate = app
            app.window = UIWindow()
            tabs.viewControllers = [UIViewController(), navigation]
            app.window?.rootViewController = navigation
            _ = app.application(UIApplication.shared, didFinishLaunchingWithOptions: nil)
        }

        private func open(_ url: String) -> Bool {
            app.application(UIApplication.shared, open: URL(string: url)!)
        }

        private var shown: UIViewController? { navigation.viewControllers.last }

        @Test func readsTheConfigurationOfTheApp() {
            #expect(MobileDeepLinking.sharedInstance().configurationError == nil)
            #expect(MobileDeepLinking.sharedInstance().configuration.routes.count == 5)
        }

        @Test func showsAViewOfAStoryboardWithItsParameters() throws {
            #expect(open("shop://data/3?utmSource=mail"))
            let view = try #require(shown as? StoryBoardViewController)
            #expect(view.dataId == "3" && view.utmSource == "mail")
            #expect(app.seen.sorted() == ["dataId: 3", "utmSource: mail"])
            // Above the first view controller, not above the link before.
            #expect(open("shop://data/4?utmSource=mail"))
            #expect(navigation.viewControllers.count == 2)
            #expect((shown as? StoryBoardViewController)?.dataId == "4")
        }

        @Test func showsAViewOfANibWithValidatedParameters() throws {
            #expect(open("shop://sale/%205"))
            let view = try #require(shown as? ViewControllerWithNib)
            #expect(view.nibName == "ViewControllerWithNib")
            // A handler added `handlerName`, for which the view has no property.
            #expect(view.saleId == "5" && app.seen.contains("handlerName: handlerValue"))
        }

        @Test func showsAViewOfAClass() {
            app.window?.rootViewController = tabs
            #expect(open("shop://product"))
            #expect(shown is NonIBViewController)
            #expect(tabs.selectedViewController === navigation)
        }

        @Test func selectsTheTabOfTheClassAndSetsItsParameters() throws {
            let own = StoryBoardViewController()
            tabs.viewControllers = [navigation, own]
            app.window?.rootViewController = tabs
            #expect(open("shop://data/6?utmSource=web"))
            #expect(tabs.selectedViewController === own && own.dataId == "6")
            #expect(navigation.viewControllers.count == 1)
        }

        @Test func becomesTheRootWithoutANavigationController() {
            app.window?.rootViewController = UIViewController()
            #expect(open("shop://product"))
            #expect(app.window?.rootViewController is NonIBViewController)
            tabs.viewControllers = [UIViewController()]
            app.window?.rootViewController = tabs
            #expect(open("shop://product"))
            #expect(app.window?.rootViewController is NonIBViewController)
        }

        @Test(arguments: ["shop://sale/0", "shop://missing", "shop://unknown", "shop://data/3"])
        func takesTheDefaultRouteWhereTheViewIsRefused(url: String) {
            #expect(open(url))
            #expect(shown is HomeViewController)
        }

        @Test func runsHandlersAlone() {
            tabs.viewControllers = [navigation]
            app.window?.rootViewController = tabs
            #expect(open("shop://handler"))
            #expect(shown is NonIBViewController)
        }

        @Test func findsClassesInTheModulesOfTheApp() throws {
            let navigator = MobileDeepLinkingNavigator(modules: ["Nowhere", "OtherSDKSample"])
            #expect(navigator.present(.code(className: "NonIBViewController"), parameters: ["any": 1]))
            #expect(shown is NonIBViewController)
            #expect(!navigator.present(.code(className: "NoViewController"), parameters: [:]))
            app.window = nil
            #expect(!navigator.present(.code(className: "NonIBViewController"), parameters: [:]))
        }

        @Test func usesTheStoryboardOfTheDevice() {
            UIDevice.current.userInterfaceIdiom = .pad
            defer { UIDevice.current.userInterfaceIdiom = .phone }
            let routing = MobileDeepLinking(bundle: .main, presenter: MobileDeepLinkingNavigator())
            routing.registerHandlerWithName("myHandler") { _ in }
            let view = routing.route("shop://data/3?utmSource=mail").view
            #expect(
                view == .storyboard(name: "Main_iPad", identifier: "storyBoardViewController", className: nil))
            #expect(shown is StoryBoardViewController)
        }
    }
}
