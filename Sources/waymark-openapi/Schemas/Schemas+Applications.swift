import WaymarkAPI
import WaymarkJSON
import WaymarkLinks

extension Schemas {
    static let applications: [NamedSchema] = [
        NamedSchema("ApplicationID", .text.pattern("^[A-Za-z0-9]([A-Za-z0-9._-]{0,62}[A-Za-z0-9])?$")),
        NamedSchema(
            "Application",
            ApplicationRequest.members.body([
                Field("id", .named("ApplicationID"), "As in the path."),
                Field("name", "Shown to visitors on the open-the-app page."),
                Field(
                    "domains",
                    "Empty: every host that no application names."),
                Field(
                    "baseURL",
                    "What smart links begin with. Default: `https://` and the first domain."),
                Field(
                    "ios",
                    ApplicationRequest.IOS.members.body([
                        Field(
                            "appIDs",
                            "Team id and bundle id: `ABCDE12345.com.example.shop`."),
                        Field("urlScheme", "The app's custom scheme, without `://`."),
                        Field("appStoreID", "The digits of the App Store URL."),
                        Field(
                            "components", .list(of: .anyObject, atMost: 10_000),
                            """
                            The app's URLs, as in Apple's file. Where this and `paths` are absent they are \
                            generated: the service's own pages are excluded, every other URL opens the app.
                            """),
                        Field("paths", "The same in the older form."),
                        Field(
                            "details", .list(of: .anyObject, atMost: 50),
                            "Several apps: objects with `appIDs` and `components` or `paths`, in order."),
                        Field(
                            "appClips",
                            "App ids of App Clips. Pages on iPhones show the card of the first."),
                        Field(
                            "webCredentials",
                            "App ids that share passwords with the site."),
                        Field(
                            "minimumVersion", .named("Version").orNull,
                            "The oldest version of the app that its links work in."),
                    ]),
                    "The iOS app."),
                Field(
                    "android",
                    ApplicationRequest.Android.members.body([
                        Field("package", "The package name."),
                        Field("urlScheme", "The app's custom scheme, without `://`."),
                        Field(
                            "sha256CertFingerprints",
                            "SHA-256 fingerprints of the signing certificates."),
                        Field(
                            "components", .list(of: .anyObject, 1...10_000),
                            """
                            The app's URLs as dynamic App Links rules (Android 15 and later), in the form of \
                            `ios.components`: objects with `/`, `?` (an object), `#`, `exclude` and `comment`. \
                            Generated where absent, with the same exclusions as for iOS.
                            """),
                        Field(
                            "apps", .list(of: .anyObject, atMost: 100),
                            """
                            Several apps: objects with `package`, `sha256CertFingerprints` and `components`, \
                            which replace those members of `android`.
                            """),
                        Field(
                            "minimumVersion", .anyOf(.named("Version"), .count.orNull),
                            """
                            The oldest version of the app that its links work in: a version, or a version \
                            code.
                            """),
                        Field(
                            "appGallery", .text.pattern("^C[0-9]{1,19}$"),
                            """
                            The app's ID in Huawei's AppGallery, where devices without Google Play go that \
                            don't have the app.
                            """),
                        Field(
                            "galaxy",
                            """
                            The package in Samsung's Galaxy Store, for Samsung's devices if there is no \
                            `package`.
                            """),
                        Field(
                            "amazon",
                            """
                            The package or ASIN in Amazon's Appstore, where Amazon's devices go that don't \
                            have the app.
                            """),
                    ]),
                    "The Android app."),
                Field(
                    "windows",
                    ApplicationRequest.Windows.members.body([
                        Field(
                            "microsoft", .text.pattern("^[A-Za-z0-9]{12,14}$"),
                            """
                            The product ID in Microsoft Store, where Windows goes without the app if a link \
                            has an app's URL for it.
                            """)
                    ]),
                    "The Windows app."),
                Field(
                    "web",
                    .body([
                        Field("baseURL", .text.orNull, "What the `web` destination falls back to.")
                    ]),
                    "The web site."),
                Field(
                    "templates",
                    .list(
                        of: ApplicationRequest.Template.members.body([
                            Field("name"),
                            Field("route"),
                            Field("urls", .named("TemplateURLs")),
                        ]), atMost: ApplicationRequest.Limits.templates
                    ),
                    "Routes with a URL pattern for each platform. Links follow a change of their template."),
                Field("redirectStatus", .redirectStatus.usually(302), "The status of redirects."),
                Field("onExpired", "Where visitors of expired links go. Default: a page that says so."),
                Field("onUnknown", "Where visitors of unknown slugs go. Default: a page that says so."),
                Field("onRoot", "Where visitors of a domain's root go. Default: as `onUnknown`."),
                Field(
                    "openHost",
                    """
                    A second host of the same links: the button of the open-the-app page leads there, so that \
                    iOS opens the app.
                    """),
                Field(
                    "forwardQuery", .flag.orNull.usually(true),
                    "Whether links pass on query parameters of the visit."),
                Field(
                    "queryOverride", .flag.orNull.usually(false),
                    """
                    Whether a parameter of the visit replaces the link's own and its campaign's with the same \
                    name; never host or path.
                    """),
                Field(
                    "extraPath", .choice(["append", "unknown"]).usually("unknown"),
                    """
                    What becomes of a path behind a slug: `append` adds it to the destination's path, before \
                    query and fragment (`/sale/more` leads to `…/more`); `unknown`: 404. The longest slug \
                    wins.
                    """),
                Field(
                    "slugCase", .choice(["sensitive", "insensitive"]).usually("sensitive"),
                    """
                    `insensitive`: slugs are looked up without regard to case (`/SALE` is `/Sale`), returned \
                    as created, and two links can't differ in case alone (409). 409 as well where two links of \
                    the application already do.
                    """),
                Field(
                    "clickDetail", .clickDetail.usually("full"),
                    """
                    How much of a click is stored: `full`; `noVisitors`: records that don't tell visitors apart; \
                    `countOnly`: only the number of the link's clicks. A stricter level of the link or of the \
                    configuration holds.
                    """),
                Field(
                    "continueTicked", .flag.orNull.usually(false),
                    """
                    Whether the box "Continue where I left off" of the open-the-app page, which copies the link to \
                    the clipboard, is ticked from the start.
                    """),
                Field(
                    "schemes",
                    "Further custom schemes that links may lead to."),
                Field(
                    "cors",
                    .body([
                        Field("origins", .list(of: .text, atMost: ApplicationRequest.Limits.origins).orNull)
                    ]),
                    "The origins whose pages may call `POST /api/v1/links` and `/api/v1/resolve`."),
                Field(
                    "destinations",
                    ApplicationRequest.Destinations.members.body([
                        Field(
                            "allowedHosts", .list(of: .text, 1...DestinationPolicy.limit),
                            "Absent: every host."),
                        Field("blockedHosts"),
                    ]),
                    """
                    The hosts that links of the application may lead to over http and https: exact names, or \
                    *.example.com for every host below.
                    """),
                Field(
                    "appearance",
                    ApplicationRequest.Appearance.members.body([
                        Field(
                            "iconURL", .uri.pattern("^[Hh][Tt][Tt][Pp][Ss]://"),
                            """
                            An https URL of a square picture, at least 128 pixels wide. Visitors' browsers \
                            fetch it.
                            """),
                        Field(
                            "accentColor", .text.pattern("^#[0-9A-Fa-f]{6}$"),
                            """
                            The colour of the main button. The text on it is black or white, whichever is \
                            readable.
                            """),
                    ]),
                    "How the application looks on the pages that visitors see."),
                Field(
                    "firebase",
                    ApplicationRequest.Firebase.members.body([
                        Field(
                            "enabled",
                            "Whether Google's REST API is served for this application. Default: false."),
                        Field(
                            "longLinks",
                            """
                            Whether long links, `https://<domain>/?link=…`, are served. Needs `enabled`. \
                            Default: false.
                            """),
                        Field(
                            "apiKeys",
                            .list(
                                of: .text(FirebaseSettings.Limits.apiKey).pattern("^[!-~]+$"),
                                atMost: FirebaseSettings.Limits.apiKeys
                            ),
                            """
                            Google API keys that apps send. They may create links and ask for attribution, for \
                            this application only. A key of another application is 409.
                            """),
                    ]),
                    "Firebase Dynamic Links, for apps and back ends that use Google's API."),
                Field(
                    "rules", .named("Rules"),
                    "Exceptions for all links of the application, behind those of the link."),
                Field(
                    "hoko",
                    ApplicationRequest.Hoko.members.body([
                        Field(
                            "enabled",
                            "Whether the paths under /v2 answer for the application. Default: false."),
                        Field("lazy", "Whether /lazy?uri= makes links on its domains. Default: false."),
                    ]),
                    "HOKO's REST API, for apps that still have its SDK."),
                Field(
                    "branch",
                    .body([
                        Field("enabled", .flag.orNull, "Whether they are served on its domains. Default: false.")
                    ]),
                    "Links of Branch that carry their data in the URL."),
                Field("managedBy", .text(atMost: LinkLabel.managedBy.limit).orNull, managedBy),
            ]),
            example: """
                {"id": "shop", "name": "Shop", "domains": ["go.example.com"], "ios": {"appIDs": \
                ["ABCDE12345.com.example.shop"], "urlScheme": "shop", "appStoreID": "123456789"}, "android": \
                {"package": "com.example.shop", "urlScheme": "shop"}, "web": {"baseURL": \
                "https://www.example.com"}, "templates": [{"name": "product", "route": "products/:product_id", \
                "urls": {"web": "https://www.example.com/products/:product_id"}}]}
                """),
        NamedSchema(
            "ApplicationSummary",
            .answer([
                Field("id", .named("ApplicationID")),
                Field(optional: "name", .text),
                Field(
                    "domains", .list(of: .text),
                    "The hosts of its links. Empty: every host that no application names."),
                Field(optional: "routes", .list(of: .text), "The routes of its templates."),
                Field(
                    "platforms", .list(of: .choice(["ios", "android", "web"])),
                    "Those that the application describes."),
                Field(
                    "urlSchemes", .answer([Field("ios", .text.orNull), Field("android", .text.orNull)]),
                    "The app's own URL schemes, without a colon."),
                Field(
                    optional: "appearance",
                    .answer([
                        Field("iconURL", .text.orNull, "An https URL of a square image."),
                        Field("accentColor", .text.orNull, "`#rrggbb`."),
                    ])),
                Field(optional: "managedBy", .text, managedBy),
            ]),
            "The part of an application that keys without the scope `admin` can read."),
        NamedSchema("ApplicationAnswer", .anyOf(.named("ApplicationSummary"), .named("Application"))),
        NamedSchema(
            "ApplicationList",
            .answer([
                Field("apps", .list(of: .anyOf(.named("ApplicationSummary"), .named("Application"))))
            ])),
        NamedSchema(
            "RegisteredRoute",
            .answer([
                Field("path", .text, "Such as products/:id."),
                Field("version", .text.orNull),
                Field("build", .text.orNull),
                Field("platform", .text.orNull, "Of the key that reported it."),
                Field("device", .text.orNull),
                Field("urlSchemes", .list(of: .text)),
                Field("registeredAt", .time),
            ])),
        NamedSchema("RegisteredRouteList", .answer([Field("routes", .list(of: .named("RegisteredRoute")))])),
        NamedSchema(
            "Domain",
            .answer([
                Field("domain", .text),
                Field("app", .text.orNull, "null: a host of the configuration that belongs to no application."),
                Field(
                    "certificate",
                    .answer([
                        Field(
                            "source", .choice(["file", "acme"]),
                            "From `certificates` in the configuration, or from an authority."),
                        Field("since", .time),
                        Field("until", .time),
                        Field("renewsAt", .time.orNull, "null: the service does not renew it."),
                    ]).orNull,
                    "null: there is none."),
                Field(
                    "problem",
                    .answer([
                        Field("at", .time),
                        Field("detail", .text),
                        Field("nextAttempt", .time.orNull),
                    ]).orNull,
                    "Why the last order failed; null if it did not."),
                Field(
                    "association",
                    .answer([
                        Field("apple-app-site-association", .named("ServedAssociationFile")),
                        Field("assetlinks.json", .named("ServedAssociationFile")),
                    ]).orNull,
                    "By file; null for a host of no application."),
            ])),
        NamedSchema(
            "ServedAssociationFile",
            .answer([
                Field("etag", .text.orNull, "Of what is served now; null: there is no file."),
                Field(
                    "since", .time.orNull, "When this version replaced another one; null: no other one is known."),
                Field(
                    "fetches",
                    .answer([
                        Field("apple", .named("AssociationFetch").orNull, "By `AASA-Bot`."),
                        Field("google", .named("AssociationFetch").orNull, "By `GoogleAssociationService`."),
                    ]),
                    "The last one by each service, as its User-Agent says; null: none is known."),
                Field(
                    "devicesMayHoldOldUntil", .time.orNull,
                    """
                    Until when devices that are in use may go by an earlier version; null: none does, as far as is known. While \
                    `pending` is true it is the earliest time possible.
                    """),
                Field("pending", .flag, "Whether the service that devices ask has yet to fetch this version."),
            ])),
        NamedSchema(
            "AssociationFetch",
            .answer([
                Field("last", .time),
                Field("status", .integer, "Of the response."),
                Field("etag", .text.orNull, "null: there was no file."),
            ])),
        NamedSchema(
            "UTMTemplates",
            UTMTemplates.members.body([
                Field(
                    "templates",
                    .list(
                        of: UTMTemplate.members.body([
                            Field("name", .text(atMost: UTMTemplate.nameLimit), "Unique within the application."),
                            Field("campaign", .named("Campaign")),
                        ]), atMost: UTMTemplates.limit))
            ])),
        NamedSchema("DomainList", .answer([Field("domains", .list(of: .named("Domain")))])),
        NamedSchema(
            "RevocationBody",
            .object([
                Field(
                    "reason", .choice(["unspecified", "keyCompromise", "superseded", "cessationOfOperation"]),
                    "Default: `unspecified`.")
            ])),
    ]
}

private let managedBy =
    "Whose files describe the application, as `waymark apply` sets it: others leave it alone. In no public response."
