import WaymarkLinks

/// The parts of a link's page that don't depend on its kind: the application, and the link's title, text and image.
struct PageContext: Sendable {
    let language: PageLanguage
    let application: Application
    let social: SocialCard?
    let sha256: @Sendable (_ bytes: [UInt8]) -> [UInt8]

    var texts: PageTexts { language.texts }

    private var appearance: Appearance { application.appearance }

    /// - Parameter showsLink: whether the page shows the link's title, text and image.
    func page(title: String, head: Markup = "", content: Markup, showsLink: Bool = true) -> Page {
        let picture = showsLink ? social?.imageURL : nil
        return Page(
            language: language, title: title, head: head, content: content,
            pictures: [appearance.iconURL, picture].compactMap { $0 },
            accent: appearance.accentColor.map { AccentStyle($0, sha256: sha256) })
    }

    /// The link's image, title and text, with the application's icon and name. If the link has none, only icon and
    /// name, above `otherwise`.
    func introduction(otherwise: String) -> Markup {
        guard let title = social?.title else {
            return """
                \(picture)
                <div class="app">\(icon)</div>
                <h1><bdi>\(application.name)</bdi></h1>
                <p class="soft" dir="auto">\(social?.description ?? otherwise)</p>
                """
        }
        let description: Markup = social?.description.map { "<p class=\"soft\" dir=\"auto\">\($0)</p>" } ?? ""
        return """
            \(picture)
            \(brand)
            <h1 dir="auto">\(title)</h1>
            \(description)
            """
    }

    /// The icon and the name in one line.
    var brand: Markup {
        application.name.isEmpty ? "" : "<p class=\"brand\">\(icon)<bdi>\(application.name)</bdi></p>"
    }

    /// Without an icon, the first letter of the name.
    private var icon: Markup {
        if let url = appearance.iconURL {
            return
                "<img class=\"icon\" src=\"\(url.text)\" alt=\"\" width=\"64\" height=\"64\" referrerpolicy=\"no-referrer\">"
        }
        guard let first = application.name.first(where: { $0.isLetter || $0.isNumber }) else { return "" }
        return "<span class=\"icon\" aria-hidden=\"true\">\(first.uppercased())</span>"
    }

    private var picture: Markup {
        guard let url = social?.imageURL else { return "" }
        return
            "<img class=\"picture\" src=\"\(url.text)\" alt=\"\" width=\"1200\" height=\"630\" referrerpolicy=\"no-referrer\">"
    }
}
