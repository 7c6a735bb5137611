import WaymarkLinks

/// The page with one button that opens the app. It starts nothing by itself: `open.js` only watches the button, and
/// goes to the fallback where the app does not come up after a tap.
enum OpenAppPage {
    static func page(_ opening: Resolution.AppOpening, application: String) -> Page {
        Page(
            title: application.isEmpty ? "Open in the app" : "Open in \(application)",
            head: "<script src=\"/_/open.js\" defer></script>",
            content: """
                <h1>\(application.isEmpty ? "Open in the app" : application)</h1>
                \(choices(opening))
                """)
    }

    /// The button and the way for everyone without the app, always to be seen.
    static func choices(_ opening: Resolution.AppOpening) -> Markup {
        """
        <p class="soft">This link continues in the app.</p>
        <p><a class="button" href="\(opening.open)" data-fallback="\(opening.fallback.url)">Open the app</a></p>
        \(elsewhere(opening))
        \(handover(opening.handover))
        <p><a href="\(opening.fallback.url)">\(words(opening.fallback.kind))</a></p>
        """
    }

    /// Apps' own browsers often swallow what would open another app. Where the link goes to the clipboard for the app
    /// anyway, that button does for the browser too.
    private static func elsewhere(_ opening: Resolution.AppOpening) -> Markup {
        guard let smartlink = opening.elsewhere else { return "" }
        let words: Markup =
            "<p class=\"soft\">Nothing happens? This page is shown inside of another app. Choose “Open in browser” in its menu, or copy the link into your browser.</p>"
        guard opening.handover == nil else { return words }
        return """
            \(words)
            <div data-handover data-copied="Copied. Now open your browser." hidden>
            <p><button type="button" class="quiet" data-copy="\(smartlink)">Copy the link</button></p>
            <p class="soft" role="status"></p>
            </div>
            """
    }

    /// Ahead of the way to the store, because that is the order in which it helps. Without script nothing could be copied,
    /// and the button stays away.
    private static func handover(_ smartlink: String?) -> Markup {
        guard let smartlink else { return "" }
        return """
            <div data-handover hidden>
            <p class="soft">Not installed yet? Copy this link before you get the app, and the app can continue here.</p>
            <p><button type="button" class="quiet" data-copy="\(smartlink)">Copy the link</button></p>
            <p class="soft" role="status"></p>
            </div>
            """
    }

    private static func words(_ kind: Resolution.Destination.Kind) -> String {
        switch kind {
        case .store: "Get the app"
        case .web, .intent: "Continue in the browser"
        }
    }
}
