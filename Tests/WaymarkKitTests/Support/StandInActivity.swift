import Foundation
import WaymarkKit

/// What `NSUserActivity` is to an app on systems that have it.
struct StandInActivity: BrowsingActivity {
    var activityType = "NSUserActivityTypeBrowsingWeb"
    var webpageURL: URL?
}
