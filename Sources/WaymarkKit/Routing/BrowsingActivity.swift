public import Foundation

/// What the system hands to an app that continues something: on Apple's systems an `NSUserActivity`.
public protocol BrowsingActivity {
    /// What is continued, as a reverse DNS name.
    var activityType: String { get }
    /// The web page that was to be opened; nil for other activities.
    var webpageURL: URL? { get }
}

/// The name of the activities that universal links arrive as. Apple's constant for it does not exist on other systems.
let browsingWebActivityType = "NSUserActivityTypeBrowsingWeb"

#if canImport(ObjectiveC)
    extension NSUserActivity: BrowsingActivity {}
#endif
