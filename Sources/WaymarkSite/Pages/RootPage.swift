import WaymarkAPI
import WaymarkHTTP
import WaymarkLinks
import WaymarkServer

/// `/` of a host with links whose application has no redirect for it.
enum RootPage {
    /// - Parameter applications: the applications with links on the host.
    static func response(
        _ applications: [Application], as format: ProblemFormat,
        sha256: @escaping @Sendable (_ bytes: [UInt8]) -> [UInt8]
    ) -> Response {
        guard case .page(let language) = format else {
            return StatePage.response(Site.nowhere, as: format)
        }
        let message = language.texts.root
        // The host can only be attributed to an application if there is just one.
        guard applications.count == 1, let application = applications.first else {
            return .page(.notFound, StatePage.page(message, language), fields: StatePage.varyFields)
        }
        let context = PageContext(language: language, application: application, social: nil, sha256: sha256)
        let website: Markup =
            application.webBaseURL.map {
                """
                <div class="choices"><p><a class="button" href="\($0.text)">\(language.texts.visitWebsite)</a></p></div>
                """
            } ?? ""
        let page = context.page(
            title: application.name,
            content: """
                <article class="card">
                \(context.brand)
                <h1>\(message.title)</h1>
                <p class="soft">\(message.text)</p>
                \(website)
                </article>
                """)
        return .page(.notFound, page, fields: StatePage.varyFields)
    }
}
