/// How a person gets to a URL, which decides as much as the file does: whether iOS opens the app for a URL that the file
/// lets it open.
package enum NavigationContext: String, Sendable, CaseIterable {
    case tapInApp = "tap"
    case otherDomain = "other-domain"
    case redirect
    case sameDomain = "same-domain"
    case typed
    case ownApp = "own-app"
    case choseBrowser = "chose-browser"
    case script
    case otherBrowser = "other-browser"

    /// What the person did.
    package var action: String {
        switch self {
        case .tapInApp: "a tap in another app, such as Notes, Messages or Mail"
        case .otherDomain: "a tap in Safari on a page of another domain or subdomain"
        case .redirect: "a tap on a link of another host that redirects here"
        case .sameDomain: "a tap in Safari on a page of the same domain"
        case .typed: "a URL typed or pasted into the address bar"
        case .ownApp: "the app opens its own link"
        case .choseBrowser: "the person chose the browser for this domain before, by a long press or in the banner"
        case .script: "a script that goes there without a tap"
        case .otherBrowser: "another browser than Safari, or the browser inside of an app"
        }
    }

    /// Nil where it is up to the maker of that browser.
    package var opensApp: Bool? {
        switch self {
        case .tapInApp, .otherDomain, .redirect: true
        case .sameDomain, .typed, .ownApp, .choseBrowser, .script: false
        case .otherBrowser: nil
        }
    }

    /// What the simulator reminds of where the file says that a URL opens an app.
    static func warnings(_ platform: AssociationSimulation.Platform) -> [String] {
        switch platform {
        case .ios:
            [
                "A tap in Safari on a page of the same domain stays in Safari; a different subdomain is enough to open the app.",
                "A URL typed or pasted into the address bar stays in Safari, which offers the app in a banner.",
                "A person who chose the browser by a long press or in the banner stays there until they choose the app again.",
                "A link of another host that redirects here opens the app by way of the browser; a script without a tap does not.",
                "Devices ask Apple's copy of the file, which may be up to a week behind.",
            ]
        case .android:
            [
                "The app's manifest must claim this host and path with autoVerify; dynamic rules only narrow that.",
                "Dynamic rules hold from Android 15 on, with Google's services; earlier systems go by the manifest alone.",
                "A tap in Chrome on a page of the same host stays in Chrome, and so does a URL typed into the address bar.",
            ]
        }
    }
}
