import WaymarkLinks

/// Tells an iPad that calls itself a Mac from a Mac, where the two are led to different places. Without script
/// everyone is taken for what they say they are.
enum DevicePage {
    static func page(
        mac: Resolution.Destination, ipad: Resolution.OnIPad, application: String
    ) -> Page {
        switch ipad {
        case .redirect(let destination):
            Page(
                title: application.isEmpty ? "One moment" : application,
                head: head(mac, scripts: "<script src=\"/_/ipad.js\" defer></script>"),
                content: """
                    <div id="choice" data-mac="\(mac.url)" data-ipad="\(destination.url)"></div>
                    \(withoutScript(mac))
                    """)
        case .openApp(let opening):
            Page(
                title: application.isEmpty ? "One moment" : application,
                head: head(
                    mac,
                    scripts: "<script src=\"/_/ipad.js\" defer></script>\n<script src=\"/_/open.js\" defer></script>"),
                content: """
                    <div id="choice" data-mac="\(mac.url)"></div>
                    <div id="app" hidden>
                    <h1>\(application.isEmpty ? "Open in the app" : application)</h1>
                    \(OpenAppPage.choices(opening))
                    </div>
                    \(withoutScript(mac))
                    """)
        }
    }

    private static func head(_ mac: Resolution.Destination, scripts: Markup) -> Markup {
        """
        <noscript><meta http-equiv="refresh" content="0; url=\(mac.url)"></noscript>
        \(scripts)
        """
    }

    private static func withoutScript(_ mac: Resolution.Destination) -> Markup {
        "<noscript><p><a class=\"button\" href=\"\(mac.url)\">Continue</a></p></noscript>"
    }
}
