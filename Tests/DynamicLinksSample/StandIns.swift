import Foundation

// Stand-ins for UIKit, which Linux lacks.

open class UIResponder: NSObject {}

public protocol UIApplicationDelegate: AnyObject {}
public protocol UIWindowSceneDelegate: AnyObject {}
public protocol UIUserActivityRestoring {}

public class UIApplication: NSObject {
    public struct OpenURLOptionsKey: Hashable {
        public static let sourceApplication = OpenURLOptionsKey()
    }
}

public class NSUserActivity: NSObject {
    public var webpageURL: URL?

    public init(webpageURL: URL) { self.webpageURL = webpageURL }
}

public class UISceneSession: NSObject {}

public class UIScene: NSObject {
    public class ConnectionOptions: NSObject {
        public let userActivities: Set<NSUserActivity>

        public init(userActivities: Set<NSUserActivity>) { self.userActivities = userActivities }
    }
}

public class UIOpenURLContext: NSObject {
    public let url: URL

    public init(url: URL) { self.url = url }
}
