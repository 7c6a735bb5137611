import WaymarkLinks

/// The page with one button that opens the app. It does not open anything automatically: `open.js` only observes the
/// button, and opens the fallback if the app does not appear after a tap.
enum OpenAppPage {
    /// - Parameter tags: tags in the head for other apps (`AppLinkTags`).
    static func page(_ opening: Resolution.AppOpening, _ context: PageContext, tags: Markup) -> Page {
        let texts = context.texts
        let name = context.application.name
        return context.page(
            title: name.isEmpty ? texts.openApp : texts.openIn.replacing("{app}", with: name),
            head: """
                \(tags)
                <script src="/_/fragment.js" defer></script>
                <script src="/_/open.js" defer></script>
                """,
            content: """
                <article class="card">
                \(context.introduction(otherwise: texts.opensInApp))
                \(choices(opening, context))
                </article>
                """)
    }

    /// The button and the alternative for visitors without the app, always visible. The more likely of the two is the
    /// main button.
    static func choices(_ opening: Resolution.AppOpening, _ context: PageContext) -> Markup {
        let texts = context.texts
        let leadsToStore = opening.isAppMissing && opening.fallback.kind == .store
        let open: Markup = """
            <p><a class="\(leadsToStore ? "button quiet" : "button")" href="\(opening.open)" data-fallback="\(opening.fallback.url)">\(texts.openApp)</a></p>
            """
        let way = way(opening, context, isMain: leadsToStore)
        return """
            <div class="choices" data-opening>
            \(leadsToStore ? way : open)
            \(leadsToStore ? open : way)
            \(elsewhere(opening, texts))
            </div>
            """
    }

    /// The App Store passes no data to the app, so the link is copied to the clipboard if the visitor ticks the box.
    /// Without scripts nothing can be copied, so the box is hidden.
    private static func way(_ opening: Resolution.AppOpening, _ context: PageContext, isMain: Bool) -> Markup {
        let texts = context.texts
        let style = isMain ? "button" : "button quiet"
        let words = opening.fallback.kind == .store ? texts.getApp : texts.continueInBrowser
        guard let handover = opening.handover else {
            return "<p><a class=\"\(style)\" href=\"\(opening.fallback.url)\">\(words)</a></p>"
        }
        let ticked: Markup = context.application.continueTicked ? " checked" : ""
        return """
            <p><a class="\(style)" href="\(opening.fallback.url)" data-copy="\(handover)">\(words)</a></p>
            <label class="tick" data-needs-script hidden><input type="checkbox"\(ticked) data-continue>
            <span>\(texts.continueAfterInstall)<small>\(texts.continueExplained)</small></span></label>
            """
    }

    /// Apps' built-in browsers often block links that would open another app.
    private static func elsewhere(_ opening: Resolution.AppOpening, _ texts: PageTexts) -> Markup {
        guard let smartlink = opening.elsewhere else { return "" }
        return """
            <div class="note">
            <p>\(texts.insideAnotherApp)</p>
            <div data-needs-script hidden>
            <p><button type="button" class="quiet" data-copy="\(opening.handover ?? smartlink)" data-copied="\(texts.copied)" data-by-hand="\(texts.copyByHand)">\(texts.copyLink)</button></p>
            <p class="soft" role="status"></p>
            </div>
            </div>
            """
    }
}
