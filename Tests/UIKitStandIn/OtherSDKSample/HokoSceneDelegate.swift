import UIKit
import WaymarkKitCompatibility

/// HOKO's calls in an app with scenes, which get URLs in place of the app delegate.
open class HokoSceneDelegate: UIResponder, UIWindowSceneDelegate {
    public var window: UIWindow?

    public func scene(
        _ scene: UIScene, willConnectTo session: UISceneSession, options: UIScene.ConnectionOptions
    ) {
        Hoko.deeplinking().router.open(options, in: scene)
    }

    public func scene(_ scene: UIScene, openURLContexts contexts: Set<UIOpenURLContext>) {
        Hoko.deeplinking().router.open(contexts, in: scene)
    }

    public func scene(_ scene: UIScene, continue activity: NSUserActivity) {
        Hoko.deeplinking().router.continueActivity(activity, in: scene)
    }
}
