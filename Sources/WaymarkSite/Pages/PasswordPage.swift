import WaymarkHTTP
import WaymarkLinks
import WaymarkServer

/// The form of a link with a password. It is sent to the link's own address, and says nothing about where the link leads.
enum PasswordPage {
    static let field = "password"

    static func response(
        _ status: Status, _ language: PageLanguage, of owner: PageOwner, isWrong: Bool = false
    ) -> Response {
        var fields = HeaderFields((.vary, "Accept-Language"))
        // Browsers show the page for a scheme that they don't know.
        if status.code == 401 { fields.append(.wwwAuthenticate, "Form" as StaticString) }
        return .form(status, page(language, of: owner, isWrong: isWrong), fields: fields)
    }

    private static func page(_ language: PageLanguage, of owner: PageOwner, isWrong: Bool) -> Page {
        let context = PageContext(
            language: language, application: owner.application, social: nil, sha256: owner.sha256)
        let texts = language.texts
        let message: Markup =
            isWrong ? "<p class=\"wrong\" id=\"wrong\" role=\"alert\">\(texts.wrongPassword)</p>" : ""
        let state: Markup = isWrong ? " aria-invalid=\"true\" aria-describedby=\"wrong\"" : ""
        // Without an action the form goes to the page's own address, with its query and fragment.
        var page = context.page(
            title: texts.isProtected,
            content: """
                <article class="card">
                \(context.brand)
                <h1>\(texts.isProtected)</h1>
                <p class="soft">\(texts.enterPassword)</p>
                <form method="post">
                \(message)
                <label>\(texts.password)
                <input type="password" name="password" dir="auto" required autofocus autocomplete="current-password"\(state)></label>
                <button class="button">\(texts.proceed)</button>
                </form>
                </article>
                """,
            showsLink: false)
        page.formTarget = .anywhere
        return page
    }
}
