/// What the SDK of another service expects of its links, for apps that still have it: the only door through which a decision
/// asks about such a service. Links of Waymark's own have none.
protocol ForeignConventions {
    /// Names of the click's parameters that the service added, or that were meant for it.
    var notForwarded: Set<String> { get }
    /// Whether Apple's devices get no page that opens the app.
    var skipsAppPage: Bool { get }
    /// The app that Android opens with a web URL; nil if the URL is for the browser.
    var androidPackage: String? { get }
    /// The app's page in the App Store; nil for the usual one.
    func appStoreURL(id: String) -> String?
    /// The text that the app finds in the clipboard.
    func copied(_ smartlink: String) -> String
    /// The URL that opens the app on Apple's devices; nil for the usual one.
    ///
    /// - Parameter url: of the choice, completed.
    func appURL(_ url: String, of choice: DestinationChoice, _ content: LinkContent) -> String?
    /// What the app receives from a resolve; nil for the destination itself.
    func link(for choice: DestinationChoice) -> String?
}

extension LinkContent {
    /// Nil for a link of Waymark's own.
    var conventions: (any ForeignConventions)? { self.firebase }
}

extension FirebaseParameters: ForeignConventions {
    var notForwarded: Set<String> { FirebaseParameter.notForwarded }

    var skipsAppPage: Bool { self[.efr] != nil }

    var androidPackage: String? { self[.apn] }

    /// The SDK takes only a URL that ends so.
    func copied(_ smartlink: String) -> String { smartlink + "&_icp=1" }

    /// The SDK reports a unique match only if the URL has this parameter, and does not support `openHost`.
    func appURL(_ url: String, of choice: DestinationChoice, _ content: LinkContent) -> String? {
        FirebaseDeepLink.link(in: choice.url) == nil ? nil : url + FirebaseDeepLink.ending(content)
    }
}
