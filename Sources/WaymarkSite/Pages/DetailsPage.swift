import WaymarkLinks

/// `/{slug}+`: shows where a link leads on this device and on others, without following it. The URLs have no click ID,
/// because there is no click.
enum DetailsPage {
    static func page(
        _ resolution: Resolution, elsewhere: [DeviceTargets], slug: Slug?, _ context: PageContext
    ) -> Page {
        let here = resolution.targets
        var hint: Markup = ""
        if case .scan = resolution { hint = "<p class=\"soft\">\(context.texts.openOnPhone)</p>" }
        let texts = context.texts
        let title: Markup = context.social?.title.map { "<p class=\"title\" dir=\"auto\">\($0)</p>" } ?? ""
        return context.page(
            title: texts.whereItLeads,
            content: """
                <article class="card details">
                <h1>\(texts.whereItLeads)</h1>
                \(context.brand)
                \(title)
                <h2>\(texts.onThisDevice)</h2>
                \(hint)
                \(list(here, texts))
                \(list(elsewhere.filter { $0.targets != here }, texts))
                \(picture(slug, texts))
                </article>
                """,
            showsLink: false)
    }

    /// Only lists devices with other destinations than the visitor's.
    private static func list(_ others: [DeviceTargets], _ texts: PageTexts) -> Markup {
        if others.isEmpty { return "" }
        var lists: Markup = "<h2>\(texts.onOtherDevices)</h2>\n"
        for group in others {
            lists = "\(lists)<h3>\(names(group.platforms))</h3>\n\(list(group.targets, texts))\n"
        }
        return lists
    }

    private static func list(_ targets: [DeviceTargets.Target], _ texts: PageTexts) -> Markup {
        var items: Markup = ""
        for target in targets {
            let kind =
                switch target.kind {
                case .app: texts.app
                case .store: texts.store
                case .web: texts.web
                }
            // Other schemes could belong to any program; the page must neither open nor offer them.
            let isWeb = WebURL(target.url) != nil
            let address: Markup =
                isWeb
                ? "<a href=\"\(target.url)\" rel=\"nofollow noopener\"><code>\(target.url)</code></a>"
                : "<code>\(target.url)</code>"
            items = "\(items)<li><span class=\"kind\">\(kind)</span> \(address)</li>\n"
        }
        return "<ul class=\"places\">\n\(items)</ul>"
    }

    /// Names that are the same in all languages.
    private static func names(_ platforms: [Platform]) -> String {
        platforms.map { platform in
            switch platform {
            case .iphone: "iPhone"
            case .ipad: "iPad"
            case .ios: "iOS"
            case .android: "Android"
            case .macos: "Mac"
            case .windows: "Windows"
            case .linux: "Linux"
            case .web: "Web"
            }
        }.joined(separator: " · ")
    }

    /// A QR code for opening the link on another device.
    private static func picture(_ slug: Slug?, _ texts: PageTexts) -> Markup {
        guard QRCode.isAvailable, let slug else { return "" }
        return
            "<p><img class=\"code\" src=\"/\(slug.encoded)/qr.svg\" alt=\"\(texts.qrCode)\" width=\"192\" height=\"192\"></p>"
    }
}
