public import Foundation

/// An activity passed to the app by the system: `NSUserActivity` on Apple platforms.
public protocol BrowsingActivity {
    /// The activity's type in reverse DNS notation.
    var activityType: String { get }
    /// The web page to open; nil for other activities.
    var webpageURL: URL? { get }
}

/// The activity type of universal links. Apple's constant does not exist on other systems.
let browsingWebActivityType = "NSUserActivityTypeBrowsingWeb"

#if canImport(ObjectiveC)
    extension NSUserActivity: BrowsingActivity {}
#endif
