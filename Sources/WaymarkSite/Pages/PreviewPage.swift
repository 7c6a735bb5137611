import WaymarkLinks

/// What link-preview crawlers read: Open Graph tags (ogp.me), and the card tags of those that read only their own.
enum PreviewPage {
    static func page(_ card: SocialCard, url: String) -> Page {
        let title = card.title ?? "A link"
        var head: Markup = """
            <meta property="og:type" content="website">
            <meta property="og:title" content="\(title)">
            <meta property="og:url" content="\(url)">
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
        return Page(
            title: title, head: head,
            content: "<h1>\(title)</h1>\n<p class=\"soft\">\(card.description ?? "")</p>")
    }
}
