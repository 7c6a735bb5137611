import WaymarkLinks

/// The page for computers that the link leads nowhere on: a QR code that opens it on a phone, and the stores.
enum ScanPage {
    /// - Parameter tags: tags in the head for other apps (`AppLinkTags`).
    static func page(_ scan: Resolution.Scan, _ context: PageContext, tags: Markup) -> Page {
        context.page(
            title: context.social?.title ?? context.texts.openOnPhone,
            head: """
                \(tags)
                <script src="/_/fragment.js" defer></script>
                """,
            content: """
                <article class="card">
                \(context.introduction(otherwise: context.texts.openOnPhone))
                \(choices(scan, context))
                </article>
                """)
    }

    /// The code, and a button for each store.
    static func choices(_ scan: Resolution.Scan, _ context: PageContext) -> Markup {
        let texts = context.texts
        var stores: Markup = ""
        for store in scan.stores {
            stores = "\(stores)<p><a class=\"button quiet\" href=\"\(store.url)\">\(name(store))</a></p>\n"
        }
        if !scan.stores.isEmpty { stores = "<div class=\"choices\">\n\(stores)</div>" }
        // The introduction has said it if the link has no title of its own.
        let heading: Markup =
            context.social?.title == nil && context.social?.description == nil
            ? "" : "<p class=\"soft\">\(texts.openOnPhone)</p>"
        return """
            \(heading)
            \(code(scan.smartlink, texts))
            \(stores)
            """
    }

    /// In the page itself, because it has what followed the slug. Without a code, the address.
    private static func code(_ smartlink: String, _ texts: PageTexts) -> Markup {
        guard smartlink.utf8.count <= limit, let picture = QRCode(text: smartlink)?.svg(size: size) else {
            return "<p dir=\"ltr\"><code>\(smartlink)</code></p>"
        }
        return """
            <div class="code" role="img" aria-label="\(texts.qrCode)">\(Markup(svg: picture))</div>
            <p class="soft">\(texts.scanCode)</p>
            """
    }

    private static let size = 224
    /// In bytes. A longer address makes a code that cameras hardly read from a screen, and takes milliseconds.
    private static let limit = 512

    /// Names that are the same in all languages.
    private static func name(_ store: Resolution.Destination) -> String {
        let host = WebURL(store.url)?.host?.text ?? ""
        switch host {
        case "apps.apple.com": return "App Store"
        case "play.google.com": return "Google Play"
        case "appgallery.huawei.com": return "AppGallery"
        case "galaxystore.samsung.com": return "Galaxy Store"
        case "www.amazon.com": return "Amazon Appstore"
        default: return host
        }
    }
}
