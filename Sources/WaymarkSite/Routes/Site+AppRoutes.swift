import WaymarkHTTP
import WaymarkLinks
import WaymarkServer
import WaymarkStores

extension Site {
    /// What apps call, and explanations of visits.
    static let appRoutes: [SiteRoute] = [
        .api(
            .post, "/api/v1/resolve", .resolve, body: .json, idempotencyKey: true, limit: .resolve, crossOrigin: true,
            executionHint: .onEventLoop, ResolveHandler.answer,
            APIOperation(
                "resolve", .apps, "Resolve a link in the app, and redeem it",
                """
                Takes one redeem where the link has metadata and a limit: with limit N, exactly N resolves receive the \
                metadata. Pages of the origins in `cors.origins` may call it (CORS, without credentials): a preflight \
                is answered for the origins of all applications, the request for those of the application of its key.
                """,
                body: "ResolveBody",
                [.json(200, "ResolveAnswer", "Where to go, and the metadata where it is given."), 404, 410])),
        .api(
            .post, "/api/v1/events", .resolve, body: .json, limit: .event, executionHint: .onEventLoop,
            EventsHandler.answer,
            APIOperation(
                "reportEvents", .apps, "Report what happened in the app",
                """
                At most 100 events at once. Each is counted once by its `id` within 7 days, among the events of the \
                key's application; it is stored before the answer is sent, so that an app may send whatever was not \
                answered again. Where `clickID` leads to a link of the key's application, or without one that holds \
                `smartlink` does, the event counts for that link, whatever its state. An event that leads nowhere (no \
                click id and no link, a forged or old click id, a link that is gone or another application's) is taken \
                too and counted as unattributed: sending it again would not make it better.
                """,
                body: "EventsBody",
                [
                    .json(202, "EventsAnswer", "What became of them; the three numbers add up to the events sent.")
                ])),
        .api(
            .post, "/api/v1/conversions", .resolve, body: .json, limit: .event, ConversionsHandler.answer,
            APIOperation(
                "reportConversions", .apps, "Report conversions",
                """
                Up to 100. Each `id` is counted once within 90 days; ids of keys without the scope `links`, which apps \
                ship, are apart from those of back ends. Of these keys 100 names a day are counted for an application, \
                and a negative `amount` is 422. Those whose click, link or installation is unknown, or of another \
                application, are accepted and not counted: sending them again would not help.
                """,
                body: "ConversionsBody", [.json(202, "EventsAnswer", "What became of them.")])),
        .api(
            .post, "/api/v1/deferred/claim", .resolve, body: .json, idempotencyKey: true, limit: .claim,
            executionHint: .onEventLoop, ClaimHandler.answer,
            APIOperation(
                "claimDeferredLink", .apps, "Find the link that an installation was made for",
                """
                For the app's first start. The click id is looked for in `referrer` (`waymark=<click id>&…`), then in \
                `clipboard` (the smart link with `_hk_cid`); nothing is guessed. A claim counts as one resolve and \
                takes a redeem as one does. The installation gets the same answer again for 24 hours; a click is \
                claimed by one installation only, until its id ends. Where nothing can be claimed (no click id, a \
                forged or old one, another installation's, one claimed more than 24 hours ago, a link that is gone, \
                another application's or not active) the answer is 200 with `deeplink` and `match` null.
                """,
                body: "ClaimBody",
                [.json(200, "ClaimAnswer", "Where to go, or that there is nothing.")])),
        .api(
            .post, "/api/v1/installations:forget", .resolve, body: .json, limit: .claim, InstallationHandler.forget,
            APIOperation(
                "forgetInstallation", .apps, "Forget an installation",
                """
                Removes what claims have stored about an installation, for example when its user asks for it. The clicks \
                that it claimed can't be claimed again, and conversions no longer find a link by it. An unknown \
                installation is answered the same way.
                """,
                body: "InstallationBody", [.empty(204, "Nothing is stored about the installation.")])),
        .api(
            .post, "/api/v1/explain", .read, body: .json, ExplainHandler.answer,
            APIOperation(
                "explain", .links, "Ask how a visit would end, and why",
                """
                The whole decision of a `GET` of the URL with these header fields, from this address, at this time. It \
                is made by what answers visits, and counts nothing. Where the answer to a click would hold the click's \
                id, 32 times `_` stand. Fields about the connection and `Host` are passed over: the URL names the \
                host. A `countryField` of the configuration is believed.
                """,
                body: "ExplainBody",
                [
                    .json(
                        200, "ExplainAnswer",
                        "How the visit would end. `link` is null if the URL has no link.")
                ])),
        .api(
            .post, "/api/v1/explain:difference", .read, body: .json, ExplainDifferenceHandler.answer,
            APIOperation(
                "explainDifference", .links, "Say why a visit ends differently at two moments",
                """
                Explains the visit twice, as `POST /api/v1/explain` does, and compares. `from` and `to` are times or versions of \
                the link; a version stands for the time at which the link got it.
                """,
                body: "ExplainDifferenceBody",
                [.json(200, "ExplainDifference", "Both explanations, and what differs.")])),
    ]
}
