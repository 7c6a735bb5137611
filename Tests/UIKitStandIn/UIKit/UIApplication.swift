public import Foundation

@preconcurrency @MainActor
public final class UIWindow: UIResponder {
    public var rootViewController: UIViewController?
}

@preconcurrency @MainActor
public protocol UIApplicationDelegate: AnyObject {
    var window: UIWindow? { get set }
}

@preconcurrency @MainActor
public final class UIApplication: UIResponder {
    public struct LaunchOptionsKey: RawRepresentable, Hashable, Sendable {
        public let rawValue: String

        public init(rawValue: String) {
            self.rawValue = rawValue
        }

        public static let url = LaunchOptionsKey(rawValue: "UIApplicationLaunchOptionsURLKey")
    }

    public struct OpenURLOptionsKey: RawRepresentable, Hashable, Sendable {
        public let rawValue: String

        public init(rawValue: String) {
            self.rawValue = rawValue
        }

        public static let sourceApplication = OpenURLOptionsKey(
            rawValue: "UIApplicationOpenURLOptionsSourceApplicationKey")
    }

    public static let shared = UIApplication()
    public static let didBecomeActiveNotification = NSNotification.Name("UIApplicationDidBecomeActiveNotification")
    public weak var delegate: (any UIApplicationDelegate)?
    public var connectedScenes: Set<UIScene> = []
}

@preconcurrency @MainActor
public final class UISceneSession {
    public let persistentIdentifier = UUID().uuidString

    public init() {}
}

@preconcurrency @MainActor
public protocol UISceneDelegate: AnyObject {}

@preconcurrency @MainActor
public protocol UIWindowSceneDelegate: UISceneDelegate {
    var window: UIWindow? { get set }
}

@preconcurrency @MainActor
open class UIScene: UIResponder {
    public enum ActivationState: Sendable {
        case unattached, foregroundActive, foregroundInactive, background
    }

    @MainActor
    public final class ConnectionOptions {
        public let urlContexts: Set<UIOpenURLContext>
        public let userActivities: Set<NSUserActivity>

        public init(urlContexts: Set<UIOpenURLContext> = [], userActivities: Set<NSUserActivity> = []) {
            self.urlContexts = urlContexts
            self.userActivities = userActivities
        }
    }

    public let session = UISceneSession()
    public var delegate: (any UISceneDelegate)?
    public var activationState = ActivationState.unattached
}

@preconcurrency @MainActor
public final class UIWindowScene: UIScene {
    public var windows: [UIWindow] = []
    public var keyWindow: UIWindow? { windows.first }
}

@preconcurrency @MainActor
public final class UIOpenURLContext: UIResponder {
    @MainActor
    public final class Options {
        public let sourceApplication: String?

        init(sourceApplication: String?) {
            self.sourceApplication = sourceApplication
        }
    }

    public let url: URL
    public let options: Options

    public init(url: URL, sourceApplication: String? = nil) {
        self.url = url
        options = Options(sourceApplication: sourceApplication)
        super.init()
    }
}

public protocol UIUserActivityRestoring: AnyObject {}

public let NSUserActivityTypeBrowsingWeb = "NSUserActivityTypeBrowsingWeb"

public final class NSUserActivity: NSObject {
    public let activityType: String
    public var webpageURL: URL?

    public init(activityType: String) {
        self.activityType = activityType
    }
}

public enum UIUserInterfaceIdiom: Sendable {
    case unspecified, phone, pad
}

@preconcurrency @MainActor
public final class UIDevice {
    public static let current = UIDevice()
    public var userInterfaceIdiom = UIUserInterfaceIdiom.phone
}
