import WaymarkAPI
import WaymarkHTTP
import WaymarkLinks
import WaymarkServer

/// `/` of a host whose application has no redirect for it.
enum RootPage {
    /// - Parameters:
    ///   - owner: nil if the host's links belong to several applications.
    ///   - offersDashboard: whether the visitor may be the operator, who opens this page first after the installation.
    static func response(
        of owner: PageOwner?, offersDashboard: Bool, as format: ProblemFormat
    ) -> Response {
        guard case .page(let language) = format else {
            return StatePage.response(Site.nowhere, as: format)
        }
        let page = StatePage.page(
            language.texts.root, language, of: owner, title: owner?.application.name,
            further: offersDashboard ? dashboard : "")
        return .page(.notFound, page, fields: StatePage.varyFields)
    }

    /// In the language of the dashboard.
    private static let dashboard: Markup = """
        <div class="choices" lang="en" dir="ltr"><p><a href="/_/">Open the dashboard of this server</a></p></div>
        """
}
