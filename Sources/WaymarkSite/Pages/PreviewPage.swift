import WaymarkLinks

/// The page for link-preview crawlers: Open Graph tags (ogp.me), and card tags for crawlers that only read those.
enum PreviewPage {
    /// - Parameters:
    ///   - destination: for people who are taken for a crawler; nil if the link has no web page for them.
    ///   - tags: further tags in the head (`AppLinkTags`).
    static func page(
        _ card: SocialCard, url: String, destination: String?, _ context: PageContext, tags: Markup
    ) -> Page {
        let title = card.title ?? context.application.name
        var head: Markup = """
            <meta property="og:type" content="website">
            <meta property="og:title" content="\(title)">
            <meta property="og:url" content="\(url)">
            <meta property="og:site_name" content="\(context.application.name)">
            """
        if let description = card.description {
            head = """
                \(head)
                <meta property="og:description" content="\(description)">
                <meta name="description" content="\(description)">
                """
        }
        if let image = card.imageURL {
            head = """
                \(head)
                <meta property="og:image" content="\(image.text)">
                <meta name="twitter:card" content="summary_large_image">
                """
        } else {
            head = "\(head)\n<meta name=\"twitter:card\" content=\"summary\">"
        }
        return context.page(
            title: title, head: "\(head)\n\(tags)",
            content: """
                <article class="card">
                <h1 dir="auto">\(title)</h1>
                <p class="soft" dir="auto">\(card.description ?? "")</p>
                <p><a class="button" href="\(destination ?? url + "+")" rel="nofollow noopener">\(context.texts.proceed)</a></p>
                </article>
                """,
            showsLink: false)
    }
}
