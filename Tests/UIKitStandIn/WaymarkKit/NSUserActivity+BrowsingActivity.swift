public import UIKit

// On Apple's systems the class is Foundation's, and WaymarkKit declares this itself.
extension NSUserActivity: BrowsingActivity {}
