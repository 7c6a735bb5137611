import WaymarkLinks

/// Distinguishes an iPad that identifies itself as a Mac from a Mac, if their destinations differ. Without scripts,
/// visitors are treated as the device that they claim to have.
enum DevicePage {
    static func page(
        mac: Resolution.OnDevice, ipad: Resolution.OnDevice, _ context: PageContext, tags: Markup
    ) -> Page {
        let texts = context.texts
        var head: Markup = """
            <script src="/_/fragment.js" defer></script>
            <script src="/_/ipad.js" defer></script>
            """
        let onMac: Markup
        var onIPad: Markup = ""
        var macAddress = ""
        var ipadAddress = ""
        var opensApp = true
        switch mac {
        case .redirect(let destination):
            macAddress = destination.url
            head = "<noscript><meta http-equiv=\"refresh\" content=\"0; url=\(macAddress)\"></noscript>\n\(head)"
            onMac =
                "<div class=\"choices\"><p><a class=\"button\" href=\"\(macAddress)\">\(texts.proceed)</a></p></div>"
            opensApp = false
        // Apps are only opened by a tap, even on a Mac.
        case .openApp(let opening):
            onMac = OpenAppPage.choices(opening, context)
        case .scan(let scan):
            onMac = ScanPage.choices(scan, context)
        }
        switch ipad {
        case .redirect(let destination):
            ipadAddress = destination.url
        case .openApp(let opening):
            onIPad = "<div id=\"app\" hidden>\n\(OpenAppPage.choices(opening, context))\n</div>"
            opensApp = true
        // Only computers get it.
        case .scan: break
        }
        if opensApp { head = "\(tags)\n\(head)\n<script src=\"/_/open.js\" defer></script>" }
        let introduction: Markup =
            opensApp ? context.introduction(otherwise: texts.opensInApp) : "<h1>\(texts.oneMoment)</h1>"
        return context.page(
            title: opensApp ? context.application.name : texts.oneMoment, head: head,
            content: """
                <article class="card" id="choice" data-mac="\(macAddress)" data-ipad="\(ipadAddress)">
                \(introduction)
                <div id="mac">
                \(onMac)
                </div>
                \(onIPad)
                </article>
                """,
            showsLink: opensApp)
    }
}
