import WaymarkAPI
import WaymarkJSON
import WaymarkLinks

extension Schemas {
    static let rules: [NamedSchema] = [
        NamedSchema(
            "Rules", .list(of: .named("Rule"), atMost: Rule.limit),
            """
            The first that matches wins over `urls` and the template. A rule that can never match is 422. \
            A link's rules come before its application's, whose URLs hold no variables.
            """),
        NamedSchema(
            "Rule",
            RuleRequest.members.body([
                Field(
                    "name", .ruleName,
                    """
                    For statistics: the value of `rule`, which else is the rule's number, from 1. Unique among the \
                    rules, and not digits only.
                    """),
                Field(
                    "when",
                    RuleRequest.Condition.members.body([
                        Field(
                            "platform", .oneOrMore(.platform, atMost: Rule.valueLimit),
                            "`ios` holds for iPhones and iPads."),
                        Field(
                            "device", .oneOrMore(.choice(of: Visitor.Device.self), atMost: Rule.valueLimit),
                            "The kind of device."),
                        Field(
                            "browser", .oneOrMore(.choice(of: VisitorClass.Browser.self), atMost: Rule.valueLimit),
                            "The browser's family."),
                        Field(
                            "inApp", .oneOf(.flag, .text, .list(of: .text, atLeast: 1)),
                            "The app whose own browser it is, as explanations name it; or whether it is any."),
                        Field(
                            "store", .oneOrMore(.choice(of: Visitor.Store.self), atMost: Rule.valueLimit),
                            """
                            The store that the visitor's device has: `appGallery` on devices of Huawei without \
                            Google Play, `galaxy` on Samsung's, `amazon` on Amazon's, `play` on all others \
                            with Android, `microsoft` on Windows.
                            """),
                        Field(
                            "language", .oneOrMore(.text, atMost: Rule.valueLimit),
                            "The preferred language: `de` holds for `de-AT` too."),
                        Field(
                            "country", .oneOrMore(.text.pattern("^[A-Za-z]{2}$"), atMost: Rule.valueLimit),
                            """
                            ISO 3166-1 alpha-2; known only where `countryHeader` or `countryFile` is \
                            configured.
                            """),
                        Field(
                            "query",
                            .map(
                                of: .oneOf(
                                    .text,
                                    .number,
                                    .constant(true),
                                    .list(of: .anyType("string", "number", "boolean"), atLeast: 1)
                                ).described("A value, several of which one is enough, or `true` for any.")),
                            "Parameters of the click."),
                        Field(
                            "referrerHost", .oneOrMore(.text, atMost: Rule.valueLimit),
                            """
                            `example.com`, `*.example.com` for every host below, or `app:com.example.mail` for \
                            an Android app.
                            """),
                        Field("after", .time, "From then on."),
                        Field("before", .time, "Up to then, and no longer."),
                        Field(
                            "percentage", .integer(1...100),
                            """
                            This share of all visitors, behind the shares of the rules ahead. A visitor stays \
                            in one share.
                            """),
                    ]),
                    """
                    All that is given must hold; of several values one is enough; nothing given holds for \
                    everyone.
                    """),
                Field(
                    "to", .oneOf(.uri, .named("URLs")),
                    """
                    One http(s) URL for every platform, or URLs as in `urls`; a platform that is given nothing \
                    goes on to the next rule.
                    """),
            ])),
        NamedSchema(
            "Version", .text.pattern(#"^[0-9]{1,18}(\.[0-9]{1,18}){0,7}$"#).examples("4.2.1"),
            "Numbers with dots between them, compared number by number; a missing one is 0."),
        NamedSchema(
            "MinimumVersion",
            MinimumVersionRequest.members.body([
                Field("ios", .named("Version").orNull),
                Field(
                    "android", .anyOf(.named("Version"), .count.orNull.described("A version code; answered as text."))),
            ]).orNull,
            "The oldest versions of the apps that the link works in; they win over the application's."),
        NamedSchema(
            "LinkRehearsalBody",
            .body([
                Field(required: "patch", .named("LinkPatch")),
                Field("days", .integer(1...30).usually(1), "Whole days (UTC) before today."),
            ]),
            example: #"{"patch": {"rules": [{"name": "all", "to": "https://shop.example/"}]}, "days": 7}"#),
        NamedSchema(
            "LinkRehearsal",
            .answer([
                Field("clicks", .count, "The recorded clicks of people on these days."),
                Field("changed", .count, "Those that would have ended in another way."),
                Field(
                    "byOutcome",
                    .list(
                        of: .answer([
                            Field("from", .named("VisitEnding")), Field("to", .named("VisitEnding")),
                            Field("clicks", .count),
                        ])),
                    "Those that can be decided; at most 1,000 entries, the most frequent first."),
                Field("undecidable", .count),
                Field("why", .list(of: .text), "What records don't hold, in sentences."),
            ])),
        NamedSchema(
            "VisitEnding",
            .answer([
                Field(
                    "outcome",
                    .choice(["redirect", "store", "openApp", "page", "preview", "gone", "scheduled", "notFound"])),
                Field("rule", .text.orNull, "Its name, or else its number; null if none decided."),
                Field("url", .text.orNull, "The destination of visitors without a query; null if there is none."),
            ]),
            "How a click ended, or would have ended."),
    ]
}
