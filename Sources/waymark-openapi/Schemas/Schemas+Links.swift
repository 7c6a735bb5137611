import WaymarkAPI
import WaymarkJSON
import WaymarkLinks

extension Schemas {
    static let links: [NamedSchema] = [
        NamedSchema(
            "LinkBody",
            LinkRequest.members.body([
                Field("app", "May be left out where there is only one."),
                Field(
                    "domain",
                    """
                    The link's host, one of the application's domains. Default: the application's first \
                    domain.
                    """),
                Field(
                    "slug", .text(1...Slug.maximumLength),
                    """
                    The path of the smart link, unique on its domain: one to four segments, such as \
                    `spring/sale`. Generated where it is absent. Keys with the scope `create` alone can't give \
                    one.
                    """),
                Field(
                    "route", .text.examples("products/:product_id"),
                    "A route of the application's templates; with `urls` also any other."),
                Field(
                    "routeParameters",
                    "A value for each `:variable` of `route`, and none beyond them."),
                Field(
                    "queryParameters",
                    "Added to every destination and to every deep link."),
                Field("urls", .named("URLs"), "Destinations by platform. They win over the template's."),
                Field("redeemLimit", .count, "How many resolves receive the metadata; 0: all."),
                Field("validFrom", .time, "Before this time the link is `scheduled` and leads nowhere."),
                Field("expiresAt", .time, "From this time on the link is `expired`."),
                Field(
                    "maxClicks", .integer(from: 1),
                    """
                    People's clicks; bots, HEAD and previews never count, and visits without a User-Agent use \
                    up none.
                    """),
                Field(
                    "password", .text(LinkPassword.lengths).writeOnly,
                    """
                    What visitors must enter before they are led on; null: nothing. It is never returned, and \
                    excludes `unique`.
                    """),
                Field("social", .named("Social").orNull, "The card that link previews show."),
                Field(
                    "campaign", .named("Campaign").orNull,
                    "Added to web destinations as `utm_*`, and to the Play referrer."),
                Field(
                    "tags",
                    "Up to 16 labels of your own; `GET /api/v1/links` filters by them."),
                Field.labels,
                Field("metadata", "Private; at most 16 KiB. Only a resolve hands it out."),
                Field(
                    "forwardQuery",
                    "Whether query parameters of the visit are passed on. Default: the application's."),
                Field(
                    "queryOverride",
                    """
                    Whether a parameter of the visit replaces the link's own and its campaign's with the same \
                    name; never host or path. Default: the application's.
                    """),
                Field(
                    "clickDetail", .clickDetail,
                    """
                    How much of a click is stored: `full`; `noVisitors`: records that don't tell visitors apart; \
                    `countOnly`: only the number of the link's clicks. A stricter level of the application or of the \
                    configuration holds.
                    """),
                Field(
                    "redirectStatus", .redirectStatus,
                    "The status of redirects to web pages. Default: the application's."),
                Field(
                    "onExpired",
                    "Where visitors go once the link has expired. Default: the application's."),
                Field("disabled", "Switches the link off."),
                Field("unique", "The same body again gives the same link again."),
                Field(
                    "rules", .named("Rules"),
                    """
                    Exceptions by the visitor's country, language, device and more; the first rule that fits \
                    wins.
                    """),
                Field(
                    "minimumVersion", .named("MinimumVersion"),
                    "The oldest version of the app that the link works in."),
            ]),
            example: """
                {"app": "shop", "slug": "summer", "title": "Summer sale", "urls": {"web": \
                "https://www.example.com/sale", "ios": {"link": "shop://sale", "fallback": "store"}}, \
                "campaign": {"source": "newsletter", "medium": "email", "name": "summer"}, "tags": ["summer"]}
                """),
        NamedSchema(
            "LinkPatch",
            LinkRequest.patchable.body([
                Field("route", .text.examples("products/:product_id")),
                Field("routeParameters", .map(of: .parameterValue.orNull)),
                Field("queryParameters", .map(of: .parameterValue.orNull)),
                Field("urls", .named("URLs").orNull),
                Field("redeemLimit", .count),
                Field("validFrom", .time),
                Field("expiresAt", .time),
                Field(
                    "maxClicks", .integer(from: 1),
                    """
                    People's clicks; bots, HEAD and previews never count, and visits without a User-Agent use \
                    up none.
                    """),
                Field("password", .text(LinkPassword.lengths).writeOnly),
                Field("social", .named("Social").orNull),
                Field("campaign", .named("Campaign").orNull),
                Field("tags"),
                Field.labels,
                Field("metadata", "Private; at most 16 KiB. Only a resolve hands it out."),
                Field("forwardQuery"),
                Field("queryOverride"),
                Field("redirectStatus", .redirectStatus),
                Field("clickDetail", .clickDetail),
                Field("onExpired"),
                Field("disabled"),
                Field("rules", .named("Rules")),
                Field("minimumVersion", .named("MinimumVersion")),
            ]),
            example: """
                {"title": "Summer sale, last days", "expiresAt": "2026-12-31T23:59:59Z", "tags": ["summer", \
                "last-days"]}
                """),
        NamedSchema(
            "Link",
            .answer(groups: [
                Field("smartlink", .uri, "The URL to share."),
                Field("domain", .text, "The host of the link's URL."),
                Field("slug", .text(1...Slug.maximumLength), "The path of the smart link."),
                Field(
                    optional: "aliases", .list(of: .text, 1...LinkLimits.aliases).readOnly,
                    """
                    Further slugs under which the link answers too: earlier ones, oldest first, and those of \
                    an import. One on another domain is `domain/slug`. Only in links that have some.
                    """),
                Field("app", .text, "The id of the application."),
                Field(
                    "route", .text.orNull.examples("products/:product_id"),
                    "The route that the link was made from."),
                Field("routeParameters", .map(of: .text), "The values of the route's variables."),
                Field("queryParameters", .map(of: .text), "Added to every destination and to every deep link."),
                Field(
                    "urls", .named("URLs"),
                    "The link's own destinations by platform. They win over the template's."),
                Field(
                    "hasMetadata", .flag,
                    """
                    Whether there is metadata. It is answered by a resolve, and by `/metadata` with an admin \
                    key.
                    """),
                Field("hasPassword", .flag, "Whether visitors must enter a password."),
                Field("redeemLimit", .count, "How many resolves receive the metadata; 0: all."),
                Field(
                    "redeem", .named("RedeemCount"),
                    "How many resolves have received the metadata, and how many still may."),
                Field("state", .linkState, "The first of these that holds."),
                Field("disabled", .flag, "Whether the link is switched off."),
                Field("validFrom", .time.orNull, "Before this time the link is `scheduled`."),
                Field("expiresAt", .time.orNull, "From this time on the link is `expired`."),
                Field(
                    "maxClicks", .integer(from: 1).orNull,
                    """
                    People's clicks; bots, HEAD and previews never count, and visits without a User-Agent use \
                    up none.
                    """),
                Field("clicks", .integer, "Clicks of people so far; right within two seconds of a click."),
                Field("social", .named("Social").orNull, "The card that link previews show."),
                Field(
                    "campaign", .named("Campaign").orNull,
                    "Added to web destinations as `utm_*`, and to the Play referrer."),
                Field("tags", .list(of: .text, atMost: LinkLimits.tags), "Labels of your own."),
                Field.labels,
                Field("forwardQuery", .flag, "Whether query parameters of the visit are passed on."),
                Field(
                    optional: "queryOverride", .flag,
                    """
                    Whether a parameter of the visit replaces the link's own and its campaign's with the same \
                    name. Absent where it is false.
                    """),
                Field(
                    optional: "ownSettings", .list(of: .choice(["forwardQuery", "queryOverride"])),
                    """
                    Which of `forwardQuery` and `queryOverride` the link sets itself; the others are the \
                    application's. Absent where it sets none.
                    """),
                Field(
                    optional: "clickDetail", .clickDetail,
                    "How much of a click is stored. Absent where the application's level holds."),
                Field(
                    optional: "redirectStatus", .redirectStatus,
                    "The status of redirects to web pages. Absent where it is the application's."),
                Field(
                    optional: "onExpired", .text,
                    "Where visitors go once the link has expired. Absent where that is the application's."),
                Field("createdAt", .time, "When the link was created."),
                Field("updatedAt", .time, "When the link was last changed."),
                Field("version", .integer(from: 1), "Moves with each PATCH and each new slug; the ETag."),
                Field(optional: "rules", .named("Rules"), "Exceptions; the first rule that fits wins."),
                Field(
                    optional: "minimumVersion", .named("MinimumVersion"),
                    "The oldest version of the app that the link works in."),
                Field(
                    optional: "firebase", .map(of: .text),
                    """
                    Present only on links that were made as Firebase Dynamic Links: the parameters that took \
                    effect, by their names in long links. Read-only.
                    """),
                Field(
                    optional: "importedClicks", .count.readOnly,
                    """
                    How often the link was followed at the service that it was imported from. No part of \
                    `clicks`. Only in imported links.
                    """),
                Field(
                    optional: "verified", .named("LinkVerified").readOnly,
                    "What the verification found. Only of an active link that was verified since its last change."),
            ]),
            example: """
                {"smartlink": "https://go.example.com/summer", "domain": "go.example.com", "slug": "summer", \
                "app": "shop", "route": null, "routeParameters": {}, "queryParameters": {}, "urls": {"web": \
                "https://www.example.com/sale", "ios": {"link": "shop://sale", "fallback": "store"}}, \
                "hasMetadata": false, "hasPassword": false, "redeemLimit": 0, "redeem": {"limit": null, "used": 0, \
                "remaining": null}, "state": "active", "disabled": false, "validFrom": null, "expiresAt": null, \
                "maxClicks": null, "clicks": 1280, "social": null, "campaign": {"source": "newsletter", \
                "medium": "email", "name": "summer", "term": null, "content": null}, "tags": ["summer"], \
                "title": "Summer sale", "note": null, "folder": "campaigns/2026", "forwardQuery": true, \
                "createdAt": "2026-11-26T12:00:00Z", "updatedAt": "2026-11-26T12:00:00Z", "version": 1}
                """),
        NamedSchema(
            "LinkList",
            .answer([
                Field("links", .list(of: .named("Link"))),
                Field("cursor", .text.orNull),
                Field(optional: "total", .count, "How many links match, with `count=true`; at most 10,000."),
                Field(
                    optional: "totalIsLowerBound", .constant(true),
                    "There may be more than `total`: counting ends at 10,000, and after half a second."),
                Field(
                    optional: "recentClicks", .named("RecentClicks"),
                    "People's clicks on the links, with `include=recentClicks`."),
            ])),
        NamedSchema("LinkVerification", .answer([Field("verified", .named("LinkVerified"))])),
        NamedSchema(
            "LinkVerified",
            .answer([
                Field("at", .time, "When the link was walked last."),
                Field("state", .choice(["good", "broken", "unknown"])),
                Field(
                    "findings",
                    .list(
                        of: .answer([
                            Field(
                                "as", .choice(["iphone", "ipad", "android", "desktop", "inApp", "crawler", "all"]),
                                "The visitor; `all` if it does not depend on one."),
                            Field("code", .text, "The kind of the finding."),
                            Field("message", .text),
                            Field(optional: "url", .text),
                        ])), "Faults, and reasons why it can't be known whether there are any."),
            ])),
        NamedSchema(
            "RecentClicks",
            .answer([
                Field("from", .date, "The first of 30 days in UTC."),
                Field("to", .date, "The last one: today."),
                Field("timeZone", .constant("UTC")),
                Field("complete", .flag, "Whether all clicks of these days are known."),
                Field(
                    "links",
                    .list(
                        of: .answer([
                            Field("people", .list(of: .count, 30...30), "Clicks of people on each day."),
                            Field(
                                "lastClicked", .date.orNull,
                                "The last of these days with a click of a person; null if there was none."),
                        ])), "In the order of the page's `links`."),
            ])),
        NamedSchema(
            "LinkRenameBody",
            .body([
                Field(
                    required: "slug", .text(1...Slug.maximumLength),
                    "The new slug, in the form of slugs at creation.")
            ]),
            example: #"{"slug": "spring/sale"}"#),
        NamedSchema(
            "LinkRestoreBody",
            .body([Field(required: "version", .count, "The version whose values the link gets, from 1.")]),
            example: #"{"version": 2}"#),
        NamedSchema(
            "LinkHistory",
            .answer([
                Field(
                    "changes",
                    .list(
                        of: .answer([
                            Field("version", .count, "The version that the change made; 1 is the creation."),
                            Field("at", .time),
                            Field(
                                "by",
                                .answer([
                                    Field("id", .text),
                                    Field("name", .text, "As it was at the time of the change."),
                                ]).orNull,
                                """
                                The key; null for the creation, and for changes without a key. Keys of one \
                                application see keys of other applications and of operators as `operator`, deleted \
                                ones as `deleted`.
                                """),
                            Field(
                                "fields", .list(of: .text), "The names of the changed members; empty for the creation."),
                            Field(
                                "before", .anyObject.orNull,
                                """
                                The changed members as they were, in the form of a body that creates a link, without \
                                those that were not set, `metadata` and `password`. Null for the creation, and for \
                                changes from before schema 32, whose values were not stored.
                                """),
                            Field(
                                "after", .anyObject.orNull,
                                "The same as they became; of the creation all members. Null where they were not stored."
                            ),
                        ])),
                    "Newest first; the creation is the last."),
                Field("cursor", .text.orNull, "Of the next page; null on the last one."),
            ]),
            example: """
                {"changes": [{"version": 2, "at": "2026-11-26T09:30:00Z", "by": {"id": "k7Qm2x", "name": "back end"}, \
                "fields": ["slug"], "before": {"slug": "spring"}, "after": {"slug": "spring/sale"}}, {"version": 1, \
                "at": "2026-11-25T16:00:00Z", "by": {"id": "k7Qm2x", "name": "back end"}, "fields": [], "before": null, \
                "after": {"slug": "spring", "urls": {"web": "https://example.com/spring"}}}], "cursor": null}
                """),
        NamedSchema("Metadata", .anyObject.orNull),
        NamedSchema(
            "RedeemCount",
            .answer([
                Field("limit", .integer.orNull),
                Field("used", .integer),
                Field("remaining", .integer.orNull),
            ])),
        NamedSchema(
            "URLs", .body(Platform.allCases.map { Field($0.rawValue, .named("URLEntry")) }),
            example: """
                {"web": "https://www.example.com/sale", "ios": {"link": "shop://sale", "fallback": "store"}}
                """),
        NamedSchema(
            "URLEntry",
            .oneOf(
                .text,
                .body([
                    Field(required: "link", .text),
                    Field("fallback", .text.orNull, "`store`, `web` or an absolute http(s) URL."),
                ]))),
        NamedSchema(
            "TemplateURLs",
            .body(
                Platform.allCases.map {
                    Field(
                        $0.rawValue,
                        .oneOf(
                            .text,
                            .body([
                                Field("name", .ruleName.orNull, "For people only; unique in the template."),
                                Field(required: "link", .text),
                                Field("fallback", .text.orNull, "`store`, `web` or an absolute http(s) URL."),
                            ])))
                })),
        NamedSchema(
            "Social",
            SocialRequest.members.body([
                Field("title"),
                Field("description"),
                Field("imageURL"),
            ])),
        NamedSchema(
            "Campaign",
            CampaignRequest.members.body([
                Field("source"),
                Field("medium"),
                Field("name"),
                Field("term"),
                Field("content"),
            ])),
    ]
}
