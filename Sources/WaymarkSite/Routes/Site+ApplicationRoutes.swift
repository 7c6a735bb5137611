import WaymarkHTTP
import WaymarkLinks
import WaymarkServer
import WaymarkStores

extension Site {
    /// Applications, domains and keys.
    static let applicationRoutes: [SiteRoute] = [
        .api(
            .get, "/api/v1/apps", .read, orScope: .create, adminOnly: true, compressible: true,
            ApplicationListHandler.answer,
            APIOperation(
                "listApplications", .applications, "List applications",
                """
                Summaries; whole documents for keys with the scope `admin`. A key of one application sees that one \
                only.
                """,
                [
                    .json(
                        200, "ApplicationList", "Sorted by id.",
                        example: """
                            {"apps": [{"id": "shop", "name": "Shop", "domains": ["go.example.com"], "routes": \
                            ["products/:product_id"], "platforms": ["ios", "android", "web"], "urlSchemes": {"ios": \
                            "shop", "android": "shop"}, "appearance": {"iconURL": "https://shop.example.com/icon.png", \
                            "accentColor": "#0b6e4f"}}]}
                            """)
                ])),
        .api(
            .get, "/api/v1/apps/{id}", .read, orScope: .create, .resolve, adminOnly: true,
            ApplicationReadingHandler.answer,
            APIOperation(
                "getApplication", .applications, "Read an application",
                """
                Its summary; the whole document as it was applied, with an `ETag`, for keys with the scope `admin`; \
                `id`, `domains` and `platforms` for those with the scope `resolve` alone.
                """,
                [
                    .json(
                        200, "ApplicationAnswer", "The application.", .eTag,
                        example: """
                            {"id": "shop", "name": "Shop", "domains": ["go.example.com"], "routes": \
                            ["products/:product_id"], "platforms": ["ios", "android", "web"], "urlSchemes": {"ios": \
                            "shop", "android": "shop"}, "appearance": {"iconURL": "https://shop.example.com/icon.png", \
                            "accentColor": "#0b6e4f"}}
                            """),
                    404,
                ])),
        .api(
            .put, "/api/v1/apps/{id}", .admin, body: .json, adminOnly: true, ApplicationPutHandler.answer,
            APIOperation(
                "putApplication", .applications, "Create or replace an application",
                """
                Templates bind at visit time: a change applies to existing links. Dropping a domain or a route that \
                links still use is refused (409).
                """,
                body: "Application",
                [
                    .json(200, "Application", "Replaced whole.", .eTag),
                    .json(201, "Application", "New.", .eTag, .location),
                    409, 412,
                ])),
        .api(
            .delete, "/api/v1/apps/{id}", .admin, adminOnly: true, ApplicationDeletionHandler.answer,
            APIOperation(
                "deleteApplication", .applications, "Delete an application", "Refused while links exist (409).",
                [.empty(204, "Deleted."), 404, 409, 412])),
        .api(
            .get, "/api/v1/apps/{id}/routes", .admin, adminOnly: true, compressible: true,
            RegisteredRoutesHandler.answer,
            APIOperation(
                "listRegisteredRoutes", .applications, "List the routes that apps have registered",
                [.json(200, "RegisteredRouteList", "One for each path, the newest registration, by path."), 404])),
        .api(
            .get, "/api/v1/apps/{id}/utm-templates", .read, orScope: .create, adminOnly: true,
            UTMTemplateReadingHandler.answer,
            APIOperation(
                "getUTMTemplates", .applications, "Read an application's UTM templates",
                "Campaigns with names, for people who make links. Links don't follow them.",
                [
                    .json(
                        200, "UTMTemplates", "In the order in which they were sent.", .eTag,
                        example: """
                            {"templates": [{"name": "Newsletter", "campaign": {"source": "newsletter", "medium": \
                            "email", "name": null, "term": null, "content": null}}]}
                            """),
                    404,
                ])),
        .api(
            .put, "/api/v1/apps/{id}/utm-templates", .links, body: .json, adminOnly: true,
            UTMTemplatePutHandler.answer,
            APIOperation(
                "putUTMTemplates", .applications, "Replace an application's UTM templates",
                "All of them. No two have one name.", body: "UTMTemplates",
                example: """
                    {"templates": [{"name": "Newsletter", "campaign": {"source": "newsletter", "medium": "email"}}]}
                    """,
                [.json(200, "UTMTemplates", "Replaced whole.", .eTag), 404, 412])),
        .api(
            .get, "/api/v1/apps/{id}/logo", .read, adminOnly: true, LogoReadingHandler.answer,
            APIOperation(
                "getLogo", .applications, "Read the logo in an application's QR codes",
                [
                    APIResponse(200, "The picture, as it was sent.", LogoReadingHandler.contents, [.eTag]),
                    .problem(404, "No such application (`application-unknown`) or no logo (`resource-unknown`)."),
                ])),
        .api(
            .put, "/api/v1/apps/{id}/logo", .admin, body: .picture, adminOnly: true, LogoPutHandler.answer,
            APIOperation(
                "putLogo", .applications, "Put a logo into an application's QR codes",
                """
                A PNG of at most 1,024 × 1,024 pixels, not interlaced, or an SVG of shapes: without scripts, events, \
                references to other files, DOCTYPE and entities. At most 64 KiB. A PNG is in all pictures, an SVG in \
                `qr.svg` only. Such codes have error correction H, or Q if that is asked for.
                """,
                [.empty(204, "It is in the codes from now on.", .eTag), 404, 412])),
        .api(
            .delete, "/api/v1/apps/{id}/logo", .admin, adminOnly: true, LogoDeletionHandler.answer,
            APIOperation(
                "deleteLogo", .applications, "Remove the logo from an application's QR codes",
                [
                    .empty(204, "Removed."),
                    .problem(404, "No such application (`application-unknown`) or no logo (`resource-unknown`)."), 412,
                ])),
        .api(
            .get, "/api/v1/domains", .read, compressible: true, DomainListHandler.answer,
            APIOperation(
                "listDomains", .applications, "The hosts of smart links, their certificates and association files",
                "With the last fetches of association files by Apple and Google, and until when devices may have old ones.",
                [
                    .json(
                        200, "DomainList",
                        "In the order of applications. A key of one application sees only that one's.",
                        example: """
                            {"domains": [{"domain": "go.example.com", "app": "shop", "certificate": {"source": "acme", \
                            "since": "2026-11-01T00:00:00Z", "until": "2027-01-30T00:00:00Z", "renewsAt": \
                            "2026-12-31T00:00:00Z"}, "problem": null, "association": {"apple-app-site-association": {"etag": \
                            "\\\"5f2b\\\"", "since": "2026-11-20T08:00:00Z", "fetches": {"apple": {"last": \
                            "2026-11-20T17:31:04Z", "status": 200, "etag": "\\\"5f2b\\\""}, "google": null}, \
                            "devicesMayHoldOldUntil": "2026-11-27T17:31:04Z", "pending": false}, "assetlinks.json": \
                            {"etag": null, "since": null, "fetches": {"apple": null, "google": null}, \
                            "devicesMayHoldOldUntil": null, "pending": false}}}]}
                            """)
                ])),
        .api(
            .post, "/api/v1/domains/{domain}:revoke", .admin, body: .json, adminOnly: true, RevocationHandler.answer,
            APIOperation(
                "revokeCertificate", .applications, "Revoke a certificate from an authority",
                "A new certificate is ordered at once.", body: "RevocationBody",
                example: #"{"reason": "keyCompromise"}"#,
                [
                    .empty(204, "It is revoked."),
                    .problem(404, "The host has no certificate from an authority (`resource-unknown`)."),
                    .problem(409, "The authority refuses (`request-refused`), or can't be reached."),
                ])),
        .api(
            .get, "/api/v1/keys", .admin, adminOnly: true, KeyListHandler.answer,
            APIOperation("listKeys", .keys, "List API keys", [.json(200, "KeyList", "Without the keys themselves.")])),
        .api(
            .post, "/api/v1/keys", .admin, body: .json, adminOnly: true, KeyCreationHandler.answer,
            APIOperation(
                "createKey", .keys, "Make an API key", body: "KeyBody",
                [.json(201, "Key", "With `key`, shown this once.", .location), 409])),
        .api(
            .delete, "/api/v1/keys/{id}", .admin, adminOnly: true, KeyDeletionHandler.answer,
            APIOperation("deleteKey", .keys, "Revoke an API key", [.empty(204, "Revoked."), 404])),
    ]
}
