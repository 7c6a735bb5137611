import WaymarkLinks

/// `/{slug}+`: where a link leads for whoever looks, without going there. The address carries no click, because there
/// was none.
enum DetailsPage {
    /// Nil for a resolution that leads nowhere, which has a page of its own.
    static func page(_ resolution: Resolution, application: String) -> Page? {
        switch resolution {
        case .redirect(let destination): page(addresses(.redirect(destination)), application)
        case .openApp(let opening): page(addresses(.openApp(opening)), application)
        case .distinguishMac(let mac, let ipad): page(addresses(mac) + addresses(ipad), application)
        case .preview, .nowhere, .disabled, .expired, .exhausted, .scheduled: nil
        }
    }

    private static func addresses(_ ending: Resolution.OnDevice) -> [String] {
        switch ending {
        case .redirect(let destination): [destination.url]
        case .openApp(let opening): [opening.open, opening.fallback.url]
        }
    }

    private static func page(_ addresses: [String], _ application: String) -> Page {
        var lines: Markup = ""
        for address in addresses { lines = "\(lines)<p><code>\(address)</code></p>\n" }
        return Page(
            title: "Where this link leads",
            content: """
                <h1>Where this link leads</h1>
                <p class="soft">\(application.isEmpty ? "On this device it goes to" : "\(application) leads this device to")</p>
                \(lines)
                """)
    }
}
