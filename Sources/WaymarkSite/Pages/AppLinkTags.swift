import WaymarkLinks

/// Tags in the head of a link's page for apps and browsers that offer to open the app.
enum AppLinkTags {
    /// Meta's App Links (applinks.org), if the application has the necessary values. No URL has a click ID, because
    /// readers cache them for other visitors.
    static func appLinks(_ link: Link, _ application: Application, _ visitor: Visitor, now: Timestamp) -> Markup {
        func url(on platform: Platform, _ kind: DeviceTargets.Target.Kind) -> String? {
            link.targets(on: platform, application: application, visitor: visitor, now: now)
                .first { $0.kind == kind }?.url
        }
        var tags: [(name: String, content: String)] = []
        if let url = url(on: .iphone, .app) {
            tags.append(("al:ios:url", url))
            if let id = application.ios?.appStoreID { tags.append(("al:ios:app_store_id", id)) }
            tags.append(("al:ios:app_name", application.name))
        }
        if let package = application.android?.package, let url = url(on: .android, .app) {
            tags += [
                ("al:android:url", url), ("al:android:package", package), ("al:android:app_name", application.name),
            ]
        }
        if tags.isEmpty { return "" }
        if let url = url(on: .windows, .web) {
            tags.append(("al:web:url", url))
        } else {
            tags.append(("al:web:should_fallback", "false"))
        }
        return tags.reduce("") { "\($0)<meta property=\"\($1.name)\" content=\"\($1.content)\">\n" }
    }

    /// Apple's Smart App Banner. It opens the same URL as the page's button. With an App Clip, iOS shows its card
    /// (Apple, Supporting invocations from your website and the Messages app).
    static func smartAppBanner(_ opening: Resolution.AppOpening?, _ application: Application) -> Markup {
        guard let opening, let id = application.ios?.appStoreID else { return "" }
        // A comma would end the argument.
        let argument = opening.open.replacing(",", with: "%2C")
        let clip = application.ios?.appClipBundleID.map { ", app-clip-bundle-id=\($0), app-clip-display=card" } ?? ""
        return "<meta name=\"apple-itunes-app\" content=\"app-id=\(id)\(clip), app-argument=\(argument)\">\n"
    }
}
