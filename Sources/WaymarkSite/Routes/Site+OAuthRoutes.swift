import WaymarkHTTP

extension Site {
    /// OAuth 2.1 for `/_/mcp`, by the standards' own names.
    static let oauthRoutes: [SiteRoute] = [
        .oauth(
            .get, "/.well-known/oauth-protected-resource", .protectedResource,
            APIOperation(
                "protectedResource", .operation, "What OAuth protects (RFC 9728): `/_/mcp`",
                [.text(200, "application/json", "The resource, its authorization server and the scopes.")])),
        .oauth(
            .get, "/.well-known/oauth-protected-resource/_/mcp", .protectedResource,
            APIOperation(
                "protectedResourceMCP", .operation, "The same, where RFC 9728 section 3.1 has it",
                [.text(200, "application/json", "The resource, its authorization server and the scopes.")])),
        .oauth(
            .get, "/.well-known/oauth-authorization-server", .authorizationServer,
            APIOperation(
                "authorizationServer", .operation, "How programs get tokens (RFC 8414)",
                [.text(200, "application/json", "Addresses, and what they support.")])),
        .oauth(
            .post, "/_/oauth/register", .register,
            APIOperation(
                "registerClient", .operation, "Register a program that acts for people (RFC 7591)",
                """
                The body is JSON with `redirect_uris` (1 to 10) and `client_name`. Clients are public: they have no secret, and \
                PKCE proves who they are. Those that nobody lets act are forgotten after a day.
                """,
                [
                    .text(201, "application/json", "The client, with its `client_id`."),
                    .text(400, "application/json", "`error` and `error_description`."), 413, 415,
                ])),
        .oauth(
            .get, "/_/oauth/authorize", .authorize,
            APIOperation(
                "authorize", .operation, "Ask the person whether a program may act",
                """
                The page needs a dashboard session; without one the browser goes to the dashboard first. `code_challenge` \
                with `S256` is required. `scope` is a list of `read`, `links` and `admin`.
                """,
                [
                    .text(200, "text/html", "The page that asks."),
                    .empty(303, "To the dashboard, or back to the program with an error.", .location),
                    .page(400, "The program or its address is unknown."), .page(403, "Not allowed from here."),
                ])),
        .oauth(
            .post, "/_/oauth/authorize", .authorize,
            APIOperation(
                "answerConsent", .operation, "Answer the page that asks",
                "A form of the page, in the same session. A code is good for 60 seconds, and once.",
                [
                    .empty(303, "Back to the program, with a code or an error.", .location),
                    .page(400, "The program or its address is unknown."),
                    .page(403, "Not from the page, or not in its session."), 413, 415,
                ])),
        .oauth(
            .post, "/_/oauth/token", .token,
            APIOperation(
                "token", .operation, "Exchange a code or a refresh token for tokens (RFC 6749)",
                """
                A form. An access token lasts an hour and holds at `/_/mcp` alone; a refresh token lasts 30 days and works \
                once. One that comes a second time ends both.
                """,
                [
                    .text(200, "application/json", "The tokens."),
                    .text(400, "application/json", "`error` and `error_description`."), 413, 415,
                ])),
        .oauth(
            .post, "/_/oauth/revoke", .revoke,
            APIOperation(
                "revokeToken", .operation, "End a token and those that belong to it (RFC 7009)",
                "A form with `token`. Unknown tokens are no error.",
                [
                    .empty(200, "It has ended."), .text(400, "application/json", "`error` and `error_description`."),
                    413, 415,
                ])),
    ]
}
