import WaymarkAPI
import WaymarkJSON

extension Schemas {
    static let clicks: [NamedSchema] = [
        NamedSchema(
            "ClicksAnswer",
            .answer([
                Field("from", .time, "Where the first interval begins."),
                Field("to", .time, "Where the last interval ends."),
                Field("interval", .choice(["hour", "day"])),
                Field("timeZone", .constant("UTC")),
                Field(
                    "complete", .flag,
                    """
                    false if some clicks may be missing: they are older than the retention period, or too many to be \
                    counted while ClickHouse does not answer.
                    """),
                Field("by", .text.orNull),
                Field(
                    "total",
                    .answer([
                        .people,
                        .bots,
                        Field(
                            "visitors", .count.orNull,
                            """
                            Those of each day, added up: the same person on two days can't be told to be the same. \
                            null if visitor numbers were off on a day.
                            """),
                    ])),
                Field(
                    "series",
                    .list(
                        of: .answer([
                            Field("start", .time, "When it begins; the next one begins when it ends."),
                            .people,
                            .bots,
                            Field(
                                "visitors", .count.orNull,
                                """
                                Different people, exactly up to 65,536 and within one in a hundred beyond; null where \
                                they were not told apart.
                                """),
                            Field(
                                optional: "by", .list(of: .named("ClickGroup")),
                                "With `by`: the most frequent values first, at most 100, and the rest."),
                        ]))),
            ])),
        NamedSchema(
            "ActivityAnswer",
            .answer([
                Field("from", .time, "Where the first day begins."),
                Field("to", .time, "Where the last day ends."),
                Field("timeZone", .constant("UTC")),
                Field("total", .answer(Field.activity)),
                Field("series", .list(of: .answer([Field("start", .time, "When the day begins.")] + Field.activity))),
            ])),
        NamedSchema(
            "ClickReport",
            .answer([
                Field("from", .time, "The start of the first interval."),
                Field("to", .time, "The end of the last interval."),
                Field("interval", .choice(["hour", "day", "total"])),
                Field("timeZone", .text),
                Field("asOf", .time, "Clicks up to this time are included."),
                Field(
                    "complete", .flag,
                    """
                    false if some clicks may be missing: they are older than the retention period, their links \
                    were deleted, or a filtered field had too many values to count each of them.
                    """),
                Field("by", .oneOf(.text, .list(of: .text), .null), "The field, or the fields."),
                Field("total", .answer([.people, .bots, .visitors])),
                Field(
                    "series",
                    .list(
                        of: .answer([
                            Field("start", .time, "The start; the next interval starts when it ends."),
                            .people,
                            .bots,
                            .visitors,
                            Field(
                                optional: "by",
                                .oneOf(.list(of: .named("ClickGroup")), .map(of: .list(of: .named("ClickGroup")))),
                                """
                                With one field in `by` its values, the most frequent ones first, at most 100, and the \
                                rest; with several an object of such lists by field.
                                """),
                        ]))),
                Field(
                    optional: "top",
                    .object([
                        Field(
                            "links",
                            .list(
                                of: .answer([
                                    Field("domain", .text),
                                    Field("slug", .text),
                                    Field("title", .text.orNull),
                                    .people,
                                    .bots,
                                ]))),
                        Field("referrers", .list(of: .named("ClickGroup"))),
                        Field("countries", .list(of: .named("ClickGroup"))),
                        Field("campaigns", .list(of: .named("ClickGroup"))),
                        Field(
                            "unknown", .list(of: .visitedAddress),
                            "Addresses that no link has, without `probes`, by visits of people."),
                        Field(
                            "probes", .list(of: .visitedAddress),
                            """
                            Addresses that no link has and that browsers and scanners request from every host, by \
                            visits of people.
                            """),
                    ])),
                Field(
                    optional: "compared",
                    .answer([
                        Field("from", .time),
                        Field("to", .time),
                        Field("total", .answer([.people, .bots, .visitors])),
                    ])),
            ])),
        NamedSchema(
            "ClickGroup",
            .answer([
                Field(optional: "value", .text.orNull, "null: clicks without a value."),
                Field(optional: "rest", .constant(true)),
                .people,
                .bots,
            ]),
            """
            The clicks with one value, or with `rest` those of all further values together, and of values \
            that were too many to be recorded.
            """),
        NamedSchema(
            "Conversions",
            .answer([
                Field(
                    "groups",
                    .list(
                        of: .answer([
                            Field("value", .text.orNull, "Null: links that were deleted, or links without a campaign."),
                            Field("count", .integer),
                            Field("sums", .map(of: .text).examples(["EUR": "12.50"]), "By currency."),
                            Field(
                                optional: "fromApps",
                                .answer([
                                    Field("count", .integer),
                                    Field("sums", .map(of: .text), "By currency."),
                                ]),
                                """
                                The part that keys without the scope `links` reported, which apps ship; missing if \
                                there is none.
                                """),
                        ])))
            ])),
        NamedSchema(
            "SharedReportBody",
            SharedReportRequest.members.body([
                Field(
                    "query", .text(0...4_096),
                    """
                    Of `GET /api/v1/clicks`, without `format`. Without `from` and `to`, the report is of the last 30 days \
                    whenever it is read.
                    """),
                Field("title", .text(1...200), "Shown above the report."),
                Field("expiresAt", .time, "At most 400 days ahead; null: in 30 days."),
            ]),
            example: #"{"title": "Spring sale", "query": "campaign=spring&interval=day&top=links"}"#),
        NamedSchema("SharedReport", .answer(sharedReport)),
        NamedSchema("SharedReportList", .answer([Field("reports", .list(of: .answer(sharedReport)))])),
        NamedSchema(
            "SharedReportToken",
            .object([Field("token", .text, "Of the link, behind `#report=`.")]),
            example: #"{"token": "4fGk…"}"#),
        NamedSchema(
            "SharedReportClicks",
            .answer([
                Field("title", .text),
                Field("expiresAt", .time),
                Field("clicks", .named("ClickReport")),
            ])),
    ]
}

private let sharedReport: [Field] = [
    Field("id", .text),
    Field("title", .text),
    Field("query", .text),
    Field("createdAt", .time),
    Field("expiresAt", .time),
    Field(
        optional: "link", .text.examples("/_/#report=4fGk…"),
        "Path and fragment, on the origin of the request. Only in the response to the request that shared the report."),
]
