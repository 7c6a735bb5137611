import WaymarkHTTP
import WaymarkServer
import WaymarkService
import WaymarkStores

/// The pages of `/_/oauth/authorize`, without scripts.
enum ConsentPage {
    static func response(
        _ request: AuthorizationRequest, _ order: Assistants.Request, granted scopes: Set<KeyScope>,
        to session: DashboardSession, proof: String
    ) -> Response {
        let fields = (request.fields(order) + [("consent", proof)]).reduce("" as Markup) { fields, field in
            "\(fields)<input type=\"hidden\" name=\"\(field.name)\" value=\"\(field.value)\">\n"
        }
        let rights = OAuthResource.scopes.filter(scopes.contains).reduce("" as Markup) { rights, scope in
            "\(rights)<li><code>\(scope.rawValue)</code>: \(sentence(scope))</li>\n"
        }
        var page = Page(
            language: .english, title: "Allow access",
            content: """
                <article class="card">
                <h1>Allow access?</h1>
                <p>A program that calls itself <strong>\(request.client.name)</strong> wants to use Waymark as \
                <strong>\(session.key.name)</strong>.</p>
                <ul>
                \(rights)</ul>
                <p class="soft">You will be sent to <strong>\(request.redirect.shownHost)</strong>. Allow it only if you \
                have just begun this there. It never gets more than you may do yourself.</p>
                <form method="post" action="/_/oauth/authorize">
                \(fields)<div class="choices">
                <p><button class="button" name="decision" value="allow">Allow</button></p>
                <p><button class="button" name="decision" value="deny">Deny</button></p>
                </div>
                </form>
                </article>
                """)
        page.formTarget = .source(request.redirect.policySource)
        return .page(.ok, page)
    }

    /// What keeps the browser from being sent back.
    static func refusal(_ sentence: String, _ status: Status = .badRequest) -> Response {
        .page(
            status,
            Page(
                language: .english, title: "Access",
                content: """
                    <article class="card">
                    <h1>No access was given</h1>
                    <p class="soft">\(sentence)</p>
                    <div class="choices"><p><a class="button" href="/_/">To the dashboard</a></p></div>
                    </article>
                    """))
    }

    /// Asks again from here: with a request that another site caused browsers don't send the session's cookie.
    static func again(_ target: String) -> Response {
        .page(
            .ok,
            Page(
                language: .english, title: "Access",
                head: "<meta http-equiv=\"refresh\" content=\"0;url=\(target)\">",
                content: """
                    <article class="card"><p><a class="button" href="\(target)">Continue</a></p></article>
                    """))
    }

    private static func sentence(_ scope: KeyScope) -> String {
        switch scope {
        case .read: "read links and their statistics"
        case .links: "create, change and delete links"
        default: "change applications, keys, webhooks and people"
        }
    }
}
