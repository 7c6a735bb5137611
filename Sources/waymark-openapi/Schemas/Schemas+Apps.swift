import WaymarkAPI
import WaymarkJSON
import WaymarkLinks

extension Schemas {
    static let apps: [NamedSchema] = [
        NamedSchema(
            "ResolveBody",
            .body([
                Field("smartlink", .text.orNull, "The URL as opened."),
                Field("clickID", .text.orNull, "The `_hk_cid` that the app was opened with."),
                Field("platform", .platform.usually("web")),
                Field("redeem", .flag.usually(true)),
                Field(
                    "appVersion", .named("Version").orNull,
                    """
                    The installed app's own version. Where it is older than the link wants, the answer has \
                    `update`.
                    """),
            ]),
            "Exactly one of `smartlink` and `clickID` is given."),
        NamedSchema(
            "ResolveAnswer",
            .answer([
                Field("deeplink", .text.orNull),
                Field("route", .text.orNull),
                Field("routeParameters", .map(of: .text)),
                Field("queryParameters", .map(of: .text)),
                Field("metadata", .anyObject.orNull, "Private; at most 16 KiB. Only a resolve hands it out."),
                Field(
                    "redeem",
                    .allOf(
                        .named("RedeemCount"),
                        .object([
                            Field("status", .choice(["redeemed", "exhausted", "none", "unlimited", "skipped"]))
                        ]))),
                Field(
                    optional: "update",
                    .answer([
                        Field("minimumVersion", .named("Version")),
                        Field("url", .text.orNull, "The app's page in its store."),
                    ]),
                    "Only where `appVersion` was given and is older than the link or its application wants."),
            ])),
        NamedSchema("EventsBody", .body([Field(required: "events", .list(of: .named("Event"), atMost: 100))])),
        NamedSchema(
            "Event",
            .body([
                Field(
                    required: "id", .text(1...255).pattern(#"^[^\u0000-\u001F\u007F]+$"#),
                    "Chosen by the app: 1 to 255 bytes without control characters."),
                Field(required: "type", .choice(["open", "install"])),
                Field("clickID", .text.orNull, "The `_hk_cid` that the app was opened with."),
                Field(
                    "smartlink", .text.orNull,
                    "The smart link that the app was opened with; looked at where no click id holds."),
                Field(required: "platform", .platform),
                Field(required: "at", .time, "By the app's clock. Checked, and not kept."),
            ])),
        NamedSchema(
            "EventsAnswer",
            .answer([
                Field("counted", .integer, "Counted for a link."),
                Field("unattributed", .integer, "Taken, and leading to no link of the key's application."),
                Field("duplicates", .integer, "Taken before, or standing twice in the request."),
            ])),
        NamedSchema(
            "ClaimBody",
            .body([
                Field(required: "app", .named("ApplicationID")),
                Field(required: "platform", .platform),
                Field(
                    required: "installID", .text(1...255),
                    """
                    Random, made at the first start and kept: 1 to 255 bytes without control characters. \
                    Stored as a digest only.
                    """),
                Field("referrer", .text.orNull, "Play's install referrer."),
                Field(
                    "clipboard", .text.orNull,
                    "What the person let the app paste. Text that holds no click id is not kept."),
                Field(
                    "appVersion", .named("Version").orNull,
                    """
                    The installed app's own version. Where it is older than the link wants, the answer has \
                    `update`.
                    """),
            ])),
        NamedSchema(
            "InstallationBody",
            .body([
                Field(required: "app", .named("ApplicationID")),
                Field(required: "installID", .text(1...255), "As the installation's claims have it."),
            ])),
        NamedSchema(
            "ClaimAnswer",
            .allOf(
                .named("ResolveAnswer"),
                .answer([
                    Field("match", .answer([Field("method", .choice(["referrer", "clipboard"]))]).orNull)
                ])),
            """
            A resolve's answer and how it was found. Where there is nothing, `deeplink`, `route`, \
            `metadata` and `match` are null, the parameters empty, and `redeem.status` is `none`.
            """),
        NamedSchema(
            "ConversionsBody",
            ConversionsRequest.members.body([
                Field("conversions", .list(of: .named("ConversionBody"), atMost: 100))
            ])),
        NamedSchema(
            "ConversionBody",
            ConversionRequest.members.body([
                Field("id", .text(1...255)),
                Field("name", .text(1...100).examples("purchase")),
                Field("clickID", "The `_hk_cid` of the click."),
                Field("smartlink"),
                Field("installID", "Of the installation that claimed a click."),
                Field("at", .time),
                Field("value", .named("ConversionValue")),
            ]),
            "With one of `clickID`, `smartlink` and `installID`, which leads to the link."),
        NamedSchema(
            "ConversionValue",
            ConversionRequest.Value.members.body([
                Field(
                    "amount", .text.pattern(#"^-?[0-9]{1,12}(\.[0-9]{1,6})?$"#).examples("12.50"),
                    "At most 12 digits before the point and 6 behind it."),
                Field("currency", .text.pattern("^[A-Z]{3}$").examples("EUR")),
            ])),
        NamedSchema(
            "ExplainBody",
            .body([
                Field(required: "url", .uri, "The smart link as it is followed, with its query."),
                Field(
                    "headers", .map(of: .text).orNull.membersAtMost(100),
                    """
                    The request's header fields, such as `User-Agent`, `Accept-Language`, \
                    `Sec-CH-UA-Platform`, `Referer`.
                    """),
                Field("ip", .text.orNull, "The visitor's address; it decides about shares (`percentage`) only."),
                Field("at", .time.orNull, "When the visit comes; now where absent."),
                Field(
                    "country", .text.orNull,
                    "The visitor's country (ISO 3166-1 alpha-2). Replaces the country of the IP address."),
                Field(
                    "variant", .text.orNull,
                    """
                    The name of a rule with a `percentage`: a visitor in its share. Null: a visitor whom no rule takes by \
                    a percentage. Absent: the visitor of the address.
                    """),
            ]),
            example: """
                {"url": "https://go.example.com/summer", "headers": {"User-Agent": "Mozilla/5.0 (iPhone; CPU \
                iPhone OS 18_0 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.0 \
                Mobile/15E148 Safari/604.1"}}
                """),
        NamedSchema(
            "ExplainAnswer",
            .answer([
                Field(
                    "link",
                    .answer([
                        Field("domain", .text),
                        Field("slug", .text),
                        Field("state", .linkState),
                    ]).orNull),
                Field(
                    "visitor",
                    .answer([
                        Field("platform", .platform),
                        Field("device", .choice(of: Visitor.Device.self)),
                        Field(
                            "browser", .text.orNull,
                            "The browser's family: `safari`, `chrome`, `edge`, `firefox`, `opera`, `samsung`…"),
                        Field(
                            "inApp", .text.orNull,
                            """
                            The app whose in-app browser this is: `facebook`, `instagram`, `line`…; `webview` \
                            where it does not say.
                            """),
                        Field("bot", .choice(of: Visitor.Bot.self).orNull),
                        Field("prefetch", .flag),
                        Field("language", .text.orNull, "The preferred language without its region."),
                        Field("country", .text.orNull, "ISO 3166-1 alpha-2."),
                        Field("why", .list(of: .text)),
                    ])),
                Field(
                    "association",
                    .answer([
                        Field(
                            "opens", .flag.orNull,
                            """
                            Whether a tap opens the app, so that the visit never comes. Null where it does not \
                            apply (no file, a crawler) or can't be decided.
                            """),
                        Field(
                            "rule", .text.orNull,
                            #"The rule that decided, as in the file: `{"/":"/*"}`. Null where none did."#),
                        Field("why", .text),
                    ]).orNull,
                    """
                    What the host's association file does with the URL on a device that has the app: Apple's \
                    file for iPhones and iPads, `assetlinks.json` for Android; null for other visitors. It is \
                    decided as `POST /api/v1/association/simulate` does.
                    """),
                Field(
                    "outcome",
                    .choice(["redirect", "openApp", "store", "page", "preview", "gone", "scheduled", "notFound"])),
                Field(
                    "leadsTo", .text.orNull,
                    """
                    The URL that the visitor gets to, or the deep link that the app receives, without the service's own \
                    parameters (`_hk_*`, click ids). Null for a page that leads nowhere by itself.
                    """),
                Field(
                    "rule", .text.orNull,
                    """
                    The rule that decided, as statistics show it: its name, else its number from 1; of a rule of the \
                    application its name, else `app/1`. Null where none did.
                    """),
                Field(
                    optional: "variant", .text.orNull,
                    "If `variant` was asked for: the same, if the rule has a name and a `percentage`; else null."),
                Field(
                    "candidates",
                    .list(
                        of: .answer([
                            Field("source", .text),
                            Field("url", .text.orNull, "Null where it gives none."),
                            Field("taken", .flag),
                            Field("why", .text),
                        ])),
                    "Where a destination was looked for, in order."),
                Field("response", .answer([Field("status", .integer), Field("headers", .map(of: .text))])),
                Field("click", .answer([Field("counted", .flag), Field("why", .text)])),
            ])),
    ]
}
