import WaymarkHTTP
import WaymarkLinks
import WaymarkServer
import WaymarkStores

extension Site {
    /// Files, pages, sessions, assistants and probes.
    static let operationRoutes: [SiteRoute] = [
        .open(
            "/.well-known/acme-challenge/{token}", .acmeChallenge,
            .file(
                "acmeChallenge",
                """
                The answer to a certificate authority's challenge of the type http-01 (RFC 8555), or a file of one's \
                own
                """,
                "The key authorization, or the file.", folders: true)),
        .file(
            "/.well-known/{file}", .wellKnown,
            .file(
                "wellKnown",
                "A file of one's own under `.well-known` of the public folder, such as `security.txt`", folders: true)),
        .open(
            "/healthz", .health,
            APIOperation("health", .operation, "Whether the process answers", [.json(200, "Health", "It does.")])),
        .open(
            "/readyz", .readiness,
            APIOperation(
                "readiness", .operation, "Whether requests should be sent here", [.json(200, "Health", "Yes."), 503])),
        .open(
            "/metrics", .metrics, adminOnly: true, compressible: true,
            APIOperation(
                "metrics", .operation, "Figures in Prometheus' text format",
                [.text(200, "text/plain", "The figures.")])),
        .file(
            "/_/openapi.json", .openAPI,
            APIOperation(
                "openapi", .operation, "This document",
                [.json(200, "APIDocument", "OpenAPI 3.1.", .fileETag, .fileVary), 206, 304, 404, 412, 416, 503])),
        .open(
            "/_/problems", .problems,
            APIOperation(
                "problems", .operation, "Every type of problem: status, title, cause and remedy",
                "A page with an anchor for the last part of each `type`; JSON where the client prefers it.",
                [.json(200, "ProblemTypes", "The types of problem.", or: .text("text/html"))])),
        .mcp(
            .post,
            APIOperation(
                "mcp", .operation, "Talk to an assistant",
                """
                The Model Context Protocol (revisions 2025-11-25, 2025-06-18) over HTTP, without sessions: one \
                JSON-RPC message in the body, its answer as JSON. Each tool is a call of this API, with the key of the \
                request; what the API refuses is the result of the tool. A key of any scope may call it; a dashboard \
                session may not. `Origin` may be absent, or that of the request on a host of an application, on the \
                machine itself or on the admin listener.
                """,
                body: "MCPMessage", fields: ["MCP-Protocol-Version"],
                [
                    .json(200, "MCPMessage", "The answer to a request: a result, or an error."),
                    .empty(202, "A notification, which has no answer."),
                    .json(
                        400, "MCPMessage",
                        """
                        The body is no valid message: a batch, for one, is none. Or `MCP-Protocol-Version` is unknown \
                        (`malformed-request`).
                        """,
                        or: .problem),
                    401, 403,
                    .problem(406, "`Accept` does not allow `application/json` (`request-refused`)."),
                    413, 415, 429, 503,
                ])),
        .mcp(
            .get,
            APIOperation(
                "mcpStream", .operation, "Refused: there is no stream and no session",
                [.problem(405, "Only POST is answered.", .allow)])),
        .mcp(
            .delete,
            APIOperation(
                "mcpSession", .operation, "Refused: there is no stream and no session",
                [.problem(405, "Only POST is answered.", .allow)])),
        .open(
            "/_/llms.txt", .documentationIndex, adminOnly: true,
            APIOperation(
                "documentationIndex", .operation, "List the documentation for assistants",
                [.text(200, "text/plain", "In the form of llmstxt.org.", .fileETag), 304, 412])),
        .open(
            "/_/docs/{name}.md", .documentation, adminOnly: true,
            APIOperation(
                "documentationPage", .operation, "Show a page of the documentation",
                [
                    .text(200, "text/markdown", "Markdown. Links lead to other pages here.", .fileETag),
                    304, 404, 412,
                ])),
        .open(
            "/_/docs/", .documentationStart, adminOnly: true, compressible: true,
            APIOperation(
                "documentationStart", .operation, "Show the first page of the documentation",
                [.text(200, "text/html", "Every page, by its question.", .fileETag, .fileVary), 304, 412])),
        .open(
            "/_/docs/search.json", .documentationSearch, adminOnly: true, compressible: true,
            APIOperation(
                "documentationSearch", .operation, "List the sections of the documentation for its search",
                [.text(200, "application/json", "Sections with their words.", .fileETag, .fileVary), 304, 412])),
        .open(
            "/_/docs/{name}", .documentationPage, adminOnly: true, compressible: true,
            APIOperation(
                "documentationHTML", .operation, "Show a page of the documentation to people",
                [.text(200, "text/html", "A page with a search.", .fileETag, .fileVary), 304, 404, 412])),
        .session(
            .post,
            APIOperation(
                "signIn", .operation, "Start a dashboard session, or make a link that starts one",
                """
                With `key`, `token` or `credential`: starts a session, which can do what the key or person can, lasts \
                12 hours at most, and \
                ends with the key. Requests with its cookie that change something need `X-Waymark-Dashboard: 1` and \
                the same origin. With `key` and `link`: makes a link that signs in once, within ten minutes; opening \
                it uses nothing up until the dashboard sends its token. With `token` and `look`: describes the session \
                that the link would start, and uses nothing up. Needs TLS, except at `localhost` and from \
                `dashboard.plainNetworks` (403 `tls-required`).
                """,
                body: "SignInBody",
                [
                    .json(200, "Session", "What the link signs in to."),
                    .json(201, "SignInLink", "The link was made."),
                    .empty(204, "Signed in.", .setCookie),
                    400, 409, 413, 415, 422,
                ])),
        .session(
            .get,
            APIOperation(
                "getSession", .operation, "The dashboard session of the request's cookie",
                [.json(200, "Session", "The key that the session was started with.")])),
        .session(
            .delete,
            APIOperation(
                "signOut", .operation, "End the dashboard session",
                """
                Where a provider of OpenID Connect began the session and has a page that ends its own, the response has the \
                address of that page.
                """,
                [
                    .json(200, "SignedOut", "Signed out here; `logoutURL` signs out at the provider.", .setCookie),
                    .empty(204, "Signed out on this server at once, on others within two seconds.", .setCookie),
                ])),
        .session(
            .post, "/_/session/options", .signInOptions,
            APIOperation(
                "passkeySignInOptions", .operation, "Options for signing in with a passkey",
                """
                For `navigator.credentials.get`, in WebAuthn's JSON form. The answer is the `credential` of \
                `POST /_/session`, within five minutes. Passkeys belong to the host of the request, which is a name over \
                https, or `localhost`.
                """,
                [.json(200, "PasskeySignInOptions", "PublicKeyCredentialRequestOptionsJSON.")])),
        .session(
            .post, "/_/passkeys/options", .passkeyOptions,
            APIOperation(
                "passkeyOptions", .operation, "Options for making a passkey",
                """
                For `navigator.credentials.create`, in WebAuthn's JSON form: for the person of the invitation, else of \
                the session, whose cookie needs `X-Waymark-Dashboard: 1` and the same origin. Opening an invitation \
                uses nothing up.
                """,
                body: "PasskeyOptionsBody",
                [
                    .json(200, "PasskeyOptions", "PublicKeyCredentialCreationOptionsJSON."), 400, 413, 415, 422,
                ])),
        .session(
            .post, "/_/passkeys", .newPasskey,
            APIOperation(
                "registerPasskey", .operation, "Register a passkey, and sign in with it",
                """
                The answer to the options, within five minutes. It uses the invitation up. A passkey that is registered \
                already is refused (403 `sign-in-refused`).
                """,
                body: "PasskeyBody",
                [
                    .json(201, "Session", "Registered and signed in.", .setCookie), 400, 409, 413, 415, 422,
                ])),
        .session(
            .get, "/_/oidc", .providerSignIn,
            APIOperation(
                "signInByProvider", .operation, "Send the browser to the provider of OpenID Connect",
                "With `invitation`, the account becomes one of the invited person.",
                [
                    .empty(303, "To the provider.", .location, .setCookie), .page(403, "Not allowed from here."),
                    .page(503, "The provider can't be reached."), 404,
                ])),
        .session(
            .get, "/_/oidc/callback", .providerCallback,
            APIOperation(
                "providerCallback", .operation, "Receive the browser from the provider of OpenID Connect",
                [
                    .empty(303, "Signed in: to the dashboard.", .location, .setCookie),
                    .page(403, "Not signed in, and why."), .page(503, "The provider can't be reached."), 404,
                ])),
        .file("/_/", .startPage, adminOnly: true, .file("startPage", "The dashboard")),
        .file(
            "/_/association", .associationPage, adminOnly: true,
            .file("associationPage", "The page that tests association files")),
        .file(
            "/_/reference", .referencePage, adminOnly: true,
            .file("referencePage", "The reference of this API, for people")),
        .file("/_/{file}", .file, .file("file", "A page of the service or what belongs to it", folders: true)),
        .file("/favicon.ico", .rootFile, .file("favicon", "The public folder's icon, where there is one")),
        .file(
            "/robots.txt", .rootFile,
            .file("robots", "The public folder's rules for crawlers, where there are any")),
    ]
}
