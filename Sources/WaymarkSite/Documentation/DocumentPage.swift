/// The frame around a page of the documentation, without anything of other hosts. `Public/documentation/page.js` searches, and
/// translates the frame; the documentation itself is English.
enum DocumentPage {
    /// - Parameter outline: The headings of the second level are listed, if there are some.
    static func markup(_ page: MarkdownPage) -> Markup {
        let outline = page.sections.filter { $0.level == 2 }
        let entries = outline.reduce("" as Markup) { "\($0)<li><a href=\"#\($1.anchor)\">\($1.title)</a></li>\n" }
        let contents: Markup =
            outline.count < 2
            ? ""
            : """
            <details><summary data-text="contents">On this page</summary>
            <ul>
            \(entries)</ul>
            </details>

            """
        return """
            <!doctype html>
            <html lang="en">
            <head>
            <meta charset="utf-8">
            <meta name="viewport" content="width=device-width, initial-scale=1, viewport-fit=cover">
            <meta name="color-scheme" content="light dark">
            <meta name="robots" content="noindex">
            <title>\(page.title) – Waymark</title>
            <link rel="icon" href="/_/icon.svg" type="image/svg+xml">
            <link rel="stylesheet" href="/_/style.css">
            <link rel="stylesheet" href="/_/documentation/page.css">
            <link rel="modulepreload" href="/_/documentation/search.js">
            <script type="module" src="/_/documentation/page.js"></script>
            </head>
            <body>
            <main class="documentation">
            <nav aria-label="Waymark"><a href="/_/">Waymark</a> · <a href="/_/docs/">Documentation</a> · <a href="/_/reference">API</a></nav>
            <form role="search" action="/_/docs/">
            <input type="search" id="question" autocomplete="off" maxlength="100" aria-label="Search the documentation" data-text="search">
            <p id="outcome" class="soft" role="status"></p>
            <ul id="results"></ul>
            </form>
            \(contents)<article>
            \(page.content)</article>
            </main>
            </body>
            </html>

            """
    }
}
