import UIKit
import WaymarkKit

/// An app as TapTalk's guide describes it, with scenes: a universal link or the app's scheme opens a chat room.
open class RoomSceneDelegate: UIResponder, UIWindowSceneDelegate {
    public var window: UIWindow?
    public var rooms: [String] = []
    public let deeplinking: Deeplinking

    public init(deeplinking: Deeplinking) {
        self.deeplinking = deeplinking
        super.init()
        try? deeplinking.map(":room_id") { deeplink in
            if let roomID = deeplink.routeParameters["room_id"] { self.rooms.append(roomID) }
        }
    }

    public func scene(
        _ scene: UIScene, willConnectTo session: UISceneSession, options connectionOptions: UIScene.ConnectionOptions
    ) {
        deeplinking.open(connectionOptions, in: scene)
    }

    public func scene(_ scene: UIScene, openURLContexts URLContexts: Set<UIOpenURLContext>) {
        deeplinking.open(URLContexts, in: scene)
    }

    public func scene(_ scene: UIScene, continue userActivity: NSUserActivity) {
        deeplinking.continueActivity(userActivity, in: scene)
    }
}
