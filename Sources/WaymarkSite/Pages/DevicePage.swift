import WaymarkLinks

/// Tells an iPad that calls itself a Mac from a Mac, where the two are led to different places. Without script
/// everyone is taken for what they say they are.
enum DevicePage {
    static func page(mac: Resolution.Destination, ipad: Resolution.OnIPad, application: String) -> Page {
        let heading = application.isEmpty ? "Open in the app" : application
        var scripts: Markup = "<script src=\"/_/ipad.js\" defer></script>"
        var onIPad: Markup = ""
        var address = ""
        switch ipad {
        case .redirect(let destination): address = destination.url
        case .openApp(let opening):
            scripts = "\(scripts)\n<script src=\"/_/open.js\" defer></script>"
            onIPad = """
                <div id="app" hidden>
                <h1>\(heading)</h1>
                \(OpenAppPage.choices(opening))
                </div>
                """
        }
        // An app is opened by a tap and by nothing else, also on a Mac.
        guard mac.kind != .app else {
            return Page(
                title: heading, head: scripts,
                content: """
                    <div id="choice" data-ipad="\(address)"></div>
                    <div id="mac">
                    <h1>\(heading)</h1>
                    <p class="soft">This link continues in the app.</p>
                    <p><a class="button" href="\(mac.url)">Open the app</a></p>
                    </div>
                    \(onIPad)
                    """)
        }
        return Page(
            title: application.isEmpty ? "One moment" : application,
            head: """
                <noscript><meta http-equiv="refresh" content="0; url=\(mac.url)"></noscript>
                \(scripts)
                """,
            content: """
                <div id="choice" data-mac="\(mac.url)" data-ipad="\(address)"></div>
                \(onIPad)
                <noscript><p><a class="button" href="\(mac.url)">Continue</a></p></noscript>
                """)
    }
}
