import WaymarkLinks

/// `/{slug}+`: where a link leads for whoever looks, without going there. The address carries no click, because there
/// was none.
enum DetailsPage {
    /// Nil for a resolution that leads nowhere, which has a page of its own.
    static func page(_ resolution: Resolution, application: String) -> Page? {
        switch resolution {
        case .redirect(let destination): page([destination.url], application)
        case .openApp(let opening): page([opening.open, opening.fallback.url], application)
        case .distinguishMac(let mac, .redirect(let ipad)): page([mac.url, ipad.url], application)
        case .distinguishMac(let mac, .openApp(let opening)):
            page([mac.url, opening.open, opening.fallback.url], application)
        case .preview, .nowhere, .disabled, .expired, .exhausted, .scheduled: nil
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
