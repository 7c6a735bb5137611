import WaymarkLinks
import WaymarkQRCode

/// `/{slug}+`: where a link leads for whoever looks, without going there. The address carries no click, because there
/// was none.
enum DetailsPage {
    /// Nil for a resolution that leads nowhere, which has a page of its own.
    static func page(_ resolution: Resolution, slug: Slug?, application: String) -> Page? {
        switch resolution {
        case .redirect(let destination): page(addresses(.redirect(destination)), slug, application)
        case .openApp(let opening): page(addresses(.openApp(opening)), slug, application)
        case .distinguishMac(let mac, let ipad): page(addresses(mac) + addresses(ipad), slug, application)
        case .preview, .nowhere, .disabled, .expired, .exhausted, .scheduled: nil
        }
    }

    private static func addresses(_ ending: Resolution.OnDevice) -> [String] {
        switch ending {
        case .redirect(let destination): [destination.url]
        case .openApp(let opening): [opening.open, opening.fallback.url]
        }
    }

    private static func page(_ addresses: [String], _ slug: Slug?, _ application: String) -> Page {
        var lines: Markup = ""
        // A way around the app may be where other devices are led anyway.
        for (place, address) in addresses.enumerated() where !addresses[..<place].contains(address) {
            lines = "\(lines)<p><code>\(address)</code></p>\n"
        }
        return Page(
            title: "Where this link leads",
            content: """
                <h1>Where this link leads</h1>
                <p class="soft">\(application.isEmpty ? "On this device it goes to" : "\(application) leads this device to")</p>
                \(lines)
                \(picture(slug))
                """)
    }

    /// To follow the link with another device.
    private static func picture(_ slug: Slug?) -> Markup {
        guard QRCode.isAvailable, let slug else { return "" }
        return
            "<p><img class=\"code\" src=\"/\(slug.text)/qr.svg\" alt=\"QR code of this link\" width=\"192\" height=\"192\"></p>"
    }
}
