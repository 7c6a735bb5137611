/// The frame that all pages of the service share.
struct Page: Sendable {
    var title: String
    /// What else stands in the head.
    var head: Markup = ""
    /// What stands in `main`.
    var content: Markup

    var markup: Markup {
        """
        <!doctype html>
        <html lang="en">
        <head>
        <meta charset="utf-8">
        <meta name="viewport" content="width=device-width, initial-scale=1, viewport-fit=cover">
        <meta name="color-scheme" content="light dark">
        <meta name="robots" content="noindex">
        <title>\(title)</title>
        <link rel="icon" href="/_/icon.svg" type="image/svg+xml">
        <link rel="stylesheet" href="/_/style.css">
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

    /// Nothing from elsewhere, no script in the page itself, no frame around it (Content Security Policy Level 3).
    static let contentSecurityPolicy =
        "default-src 'none'; style-src 'self'; script-src 'self'; img-src 'self'; connect-src 'self'; "
        + "base-uri 'none'; form-action 'self'; frame-ancestors 'none'"
}
