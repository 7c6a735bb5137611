import WaymarkLinks

/// Tells an iPad that calls itself a Mac from a Mac, where the two are led to different places. Without script
/// everyone is taken for what they say they are, and so they are where the script does not arrive.
enum DevicePage {
    static func page(mac: Resolution.OnDevice, ipad: Resolution.OnDevice, application: String) -> Page {
        var head: Markup = "<script src=\"/_/ipad.js\" defer></script>"
        let onMac: Markup
        var onIPad: Markup = ""
        var macAddress = ""
        var ipadAddress = ""
        var opensApp = true
        switch mac {
        case .redirect(let destination):
            macAddress = destination.url
            head = "<noscript><meta http-equiv=\"refresh\" content=\"0; url=\(macAddress)\"></noscript>\n\(head)"
            onMac = "<p><a class=\"button\" href=\"\(macAddress)\">Continue</a></p>"
            opensApp = false
        // An app is opened by a tap and by nothing else, also on a Mac.
        case .openApp(let opening):
            onMac = OpenAppPage.choices(opening)
        }
        switch ipad {
        case .redirect(let destination):
            ipadAddress = destination.url
        case .openApp(let opening):
            onIPad = "<div id=\"app\" hidden>\n\(OpenAppPage.choices(opening))\n</div>"
            opensApp = true
        }
        if opensApp { head = "\(head)\n<script src=\"/_/open.js\" defer></script>" }
        let heading = !application.isEmpty ? application : opensApp ? "Open in the app" : "One moment"
        return Page(
            title: heading, head: head,
            content: """
                <h1 id="choice" data-mac="\(macAddress)" data-ipad="\(ipadAddress)">\(heading)</h1>
                <div id="mac">
                \(onMac)
                </div>
                \(onIPad)
                """)
    }
}
