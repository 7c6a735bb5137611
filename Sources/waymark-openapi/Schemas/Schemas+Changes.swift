import WaymarkAPI
import WaymarkJSON
import WaymarkLinks

extension Schemas {
    private static let change = [
        Field(required: "select", .named("LinkSelection")),
        Field("patch", .named("LinkPatch")),
        Field("addTags", .list(of: .text, atMost: LinkLimits.tags), "Added to each link that lacks them."),
        Field("removeTags", .list(of: .text, atMost: LinkLimits.tags), "Removed from each link."),
    ]

    private static let example = """
        {"select": {"tag": "spring"}, "patch": {"urls": {"web": "https://shop.example/summer"}}
        """

    static let changes: [NamedSchema] = [
        NamedSchema("ChangePlanBody", .body(change), example: example + "}"),
        NamedSchema(
            "ChangeRehearsalBody",
            .body(change + [Field("days", .integer(1...30).usually(1), "Whole days (UTC) before today.")]),
            example: example + #", "days": 7}"#),
        NamedSchema(
            "ChangePlan",
            .answer([
                Field("hash", .text, "For `plan` of `PATCH /api/v1/links:batch`."),
                Field("expiresAt", .time, "Until when the hash is good, for one request."),
                Field("matched", .count, "Links that are selected."),
                Field("changed", .count, "Of these, those that would be changed."),
                Field("unchanged", .count, "Those that already are as wanted."),
                Field("refused", .count, "Those that can't be changed like this."),
                Field(
                    "changes",
                    .list(
                        of: .answer([
                            Field("link", .text, "`domain/slug`."),
                            Field("version", .integer),
                            Field(
                                "fields",
                                .list(
                                    of: .answer([
                                        Field("field", .text),
                                        Field(optional: "from", .anything), Field(optional: "to", .anything),
                                    ])),
                                "`from` and `to` are left out for metadata, passwords and what is too large."),
                        ])),
                    "The first 100."),
                Field(
                    "refusals",
                    .list(of: .answer([Field("link", .text), Field("problem", .named("Problem"))])),
                    "The first 100."),
                Field(
                    "needsConfirmation", .flag,
                    "Whether an assistant's change has to be confirmed by a person first."),
                Field(optional: "rehearsal", .named("ChangeRehearsal")),
            ])),
        NamedSchema(
            "ChangeRehearsal",
            .answer([
                Field("days", .integer, "Whole days (UTC) before today."),
                Field("clicks", .count, "The recorded clicks of people on these days."),
                Field("equal", .count, "Those that would have ended as they did."),
                Field(
                    "equalPercent", .integer.orNull,
                    "Of those that can be decided, rounded down; null if none can."),
                Field("changed", .count, "Those that would have ended in another way."),
                Field("undecidable", .count),
                Field("why", .list(of: .text), "What records don't hold, in sentences."),
                Field(
                    "byOutcome",
                    .list(
                        of: .answer([
                            Field("from", .named("VisitEnding")), Field("to", .named("VisitEnding")),
                            Field("clicks", .count),
                        ])),
                    "The most frequent first; at most 100."),
                Field(
                    "links",
                    .list(
                        of: .answer([
                            Field("link", .text), Field("clicks", .count), Field("changed", .count),
                            Field("undecidable", .count),
                        ])),
                    "Those with clicks."),
            ])),
        NamedSchema(
            "PlannedChange",
            .answer([
                Field("hash", .text),
                Field("links", .count, "How many it selects."),
                Field("apps", .list(of: .text), "Their applications."),
                Field(
                    "change", .text,
                    "`select` and the whole patch, as JSON; of `password` and `metadata` only that they change."),
                Field(
                    "rehearsal",
                    .anyOf(
                        .answer([
                            Field("days", .integer, "Whole days (UTC) before the plan."),
                            Field("clicks", .count), Field("changed", .count), Field("undecidable", .count),
                        ]), .null),
                    "What recorded clicks said; null where it was not rehearsed."),
                Field("plannedBy", .text, "The key or person whose assistant planned it."),
                Field("plannedAt", .time),
                Field("expiresAt", .time),
                Field("confirmedBy", .text.orNull, "The person who confirmed it."),
            ])),
        NamedSchema("PlannedChangeList", .answer([Field("changes", .list(of: .named("PlannedChange")))])),
        NamedSchema(
            "ExplainDifferenceBody",
            .body([
                Field(required: "url", .uri, "The smart link as it is followed, with its query."),
                Field("headers", .map(of: .text).orNull.membersAtMost(100), "The request's header fields."),
                Field("ip", .text.orNull, "The visitor's address; it decides about shares (`percentage`) only."),
                Field("country", .text.orNull, "The visitor's country (ISO 3166-1 alpha-2)."),
                Field(required: "from", .anyOf(.time, .integer), "A time, or a version of the link."),
                Field("to", .anyOf(.time, .integer, .null), "A time, or a version of the link; now where absent."),
            ]),
            example: #"{"url": "https://go.example.com/summer", "from": "2026-11-21T10:00:00Z"}"#),
        NamedSchema(
            "ExplainDifference",
            .answer([
                Field("same", .flag, "Whether the visit ends alike at both moments."),
                Field(
                    "differences",
                    .list(of: .answer([Field("field", .text), Field("from", .anything), Field("to", .anything)])),
                    "The members of the explanations that differ."),
                Field(
                    "decided",
                    .anyOf(.answer([Field("from", .anything), Field("to", .anything)]), .null),
                    "The first candidate that was decided otherwise; null if there is none."),
                Field(
                    "changes",
                    .list(
                        of: .answer([
                            Field("version", .integer), Field("at", .time), Field("fields", .list(of: .text)),
                        ])),
                    "The changes of the link between the two moments, the newest first."),
                Field("from", .named("ExplainAnswer")),
                Field("to", .named("ExplainAnswer")),
            ])),
    ]
}
