import WaymarkLinks

/// The frame of all pages for visitors.
struct Page: Sendable {
    var language: PageLanguage
    var title: String
    /// Further elements of the head.
    var head: Markup = ""
    /// The content of `main`.
    var content: Markup
    /// Images on other hosts.
    var pictures: [WebURL] = []
    var accent: AccentStyle?
    /// Where the response to a form of the page may lead.
    var formTarget = FormTarget.ownOrigin

    enum FormTarget: Sendable {
        case ownOrigin
        /// There, or to this other source.
        case source(String)
        /// Anywhere, an app included: no `form-action` is said, because it has no word for that.
        case anywhere
    }

    var markup: Markup {
        let style: Markup = accent.map { "<style>\(Markup(css: $0.css))</style>" } ?? ""
        return """
            <!doctype html>
            <html lang="\(language.tag)" dir="\(language.direction)">
            <head>
            <meta charset="utf-8">
            <meta name="viewport" content="width=device-width, initial-scale=1, viewport-fit=cover">
            <meta name="color-scheme" content="light dark">
            <meta name="robots" content="noindex">
            <meta name="format-detection" content="telephone=no">
            <title>\(title)</title>
            <link rel="icon" href="/_/icon.svg" type="image/svg+xml">
            <link rel="stylesheet" href="/_/style.css">
            \(style)
            \(head)
            </head>
            <body>
            <main class="small">
            \(content)
            </main>
            </body>
            </html>

            """
    }

    /// Allows nothing from other hosts except the page's images, no inline scripts, and no embedding in frames (Content
    /// Security Policy Level 3).
    var contentSecurityPolicy: String {
        var images = ""
        for picture in pictures {
            let source = " " + picture.origin
            if !images.contains(source) { images += source }
        }
        return Self.policy(
            images: images, styles: accent.map { " " + $0.source } ?? "", forms: formTarget)
    }

    /// For pages without images from other hosts.
    static let contentSecurityPolicy = policy(images: "", styles: "")

    /// For pictures that hold others.
    static let pictureContentSecurityPolicy = policy(images: " data:", styles: "")

    /// For files of the public folder: their scripts can't make text into markup or code, and images may be in the page.
    static let fileContentSecurityPolicy =
        policy(images: " data:", styles: "") + "; require-trusted-types-for 'script'; trusted-types 'none'"

    private static func policy(images: String, styles: String, forms: FormTarget = .ownOrigin) -> String {
        let action =
            switch forms {
            case .ownOrigin: "form-action 'self'; "
            case .source(let source): "form-action 'self' \(source); "
            case .anywhere: ""
            }
        return "default-src 'none'; style-src 'self'\(styles); script-src 'self'; img-src 'self'\(images); "
            + "connect-src 'self'; base-uri 'none'; \(action)frame-ancestors 'none'"
    }
}
