import WaymarkAPI
import WaymarkJSON

extension Schemas {
    static let webhooks: [NamedSchema] = [
        NamedSchema(
            "Webhook",
            .answer([
                Field("id", .text),
                Field(optional: "secret", .text, "Only in the answer that makes it."),
                Field("url", .uri),
                Field("app", .text.orNull, "Null: events of all applications."),
                Field("events", .eventPatterns),
                Field("name", .text.orNull),
                Field("managedBy", .text.orNull, managedBy),
                Field("disabled", .flag),
                Field(
                    "disabledReason", .choice(["manual", "failures", "gone", "unreadable"]).orNull,
                    """
                    `failures`: no attempt succeeded for five days. `gone`: the receiver answered 410. \
                    `unreadable`: what is stored is damaged, or of a later version; delete the webhook, or \
                    upgrade the server.
                    """),
                Field("createdAt", .time),
                Field(
                    "failingSince", .time.orNull,
                    "When the first attempt failed since the last one that succeeded."),
            ])),
        NamedSchema("WebhookList", .answer([Field("webhooks", .list(of: .named("Webhook")))])),
        NamedSchema(
            "WebhookBody",
            WebhookRequest.members.body([
                Field(
                    "url", .text(atMost: 2_048).examples("https://example.com/webhooks"),
                    "https, without user and fragment."),
                Field("app", "Left out: the application of the key, or all."),
                Field("events", .eventPatterns),
                Field("name", .text(1...200)),
                Field("managedBy", .text(atMost: LinkLabel.managedBy.limit).orNull, managedBy),
            ])),
        NamedSchema(
            "WebhookPatch",
            WebhookPatch.members.body([
                Field("url", .text(atMost: 2_048)),
                Field("events", .eventPatterns),
                Field("name", .text(1...200), "Null removes it."),
                Field("managedBy", .text(atMost: LinkLabel.managedBy.limit), "\(managedBy) Null removes it."),
                Field("disabled"),
            ])),
        NamedSchema(
            "WebhookSecret",
            .answer([
                Field("secret", .text.examples("whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"))
            ])),
        NamedSchema("WebhookTestAnswer", .answer([Field("id", .text, "The `webhook-id`.")])),
        NamedSchema(
            "WebhookDelivery",
            .answer([
                Field("id", .text, "The `webhook-id`, the same for all attempts."),
                Field("type", .text),
                Field("at", .time, "When the event happened."),
                Field("state", .choice(["delivered", "waiting", "failed"])),
                Field(
                    "nextAttemptAt", .time.orNull,
                    "Null unless it waits for this time; also while it waits for an earlier one of its link."),
                Field(
                    "attempts",
                    .list(
                        of: .answer([
                            Field("at", .time),
                            Field("status", .integer.orNull, "Null: there was no answer."),
                            Field("error", .text.orNull, "Why it failed; null: it succeeded."),
                            Field("milliseconds", .integer),
                            Field("answer", .text, "The first 1,024 bytes of the answer."),
                        ]))),
            ])),
        NamedSchema(
            "WebhookDeliveryList",
            .answer([
                Field("deliveries", .list(of: .named("WebhookDelivery"))),
                Field("cursor", .text.orNull, "Of the next page; null behind the last one."),
            ])),
        NamedSchema(
            "ReplayBody",
            ReplayRequest.members.body([
                Field("since", .time, "All messages of events since then."),
                Field("ids", "Messages with these ids."),
            ])),
        NamedSchema("ReplayAnswer", .answer([Field("replayed", .integer, "The number of messages.")])),
        NamedSchema("LinkEvent", .event([Field("link", .named("Link"))])),
        NamedSchema(
            "LinkVerifiedEvent",
            .event([
                Field("link", .named("Link")), Field("state", .choice(["broken", "good"])), Field("at", .time),
                Field("findings", .list(of: .text), "Each with its visitor and code."),
            ])),
        NamedSchema(
            "LinkUpdatedEvent",
            .event([
                Field("link", .named("Link")),
                Field("changed", .list(of: .text), "The names of the changed fields."),
            ])),
        NamedSchema(
            "LinkClickedEvent",
            .event([
                Field(
                    "clicks",
                    .list(
                        of: .object([
                            Field("at", .time),
                            Field("smartlink", .text),
                            Field("domain", .text),
                            Field("slug", .text),
                            Field("platform", .text.orNull),
                            Field("device", .text.orNull),
                            Field("browser", .text.orNull),
                            Field("inApp", .text.orNull),
                            Field("bot", .text.orNull),
                            Field("language", .text.orNull),
                            Field("country", .text.orNull),
                            Field("referrerHost", .text.orNull),
                            Field("campaign", .text.orNull),
                            Field("destination", .text.orNull),
                            Field("rule", .text.orNull, "The name or number of the rule that decided."),
                            Field("variant", .text.orNull, "The same, of a rule with a name and a `percentage` only."),
                        ]), atMost: 100))
            ])),
        NamedSchema(
            "DeferredClaimedEvent",
            .event([
                Field("link", .named("Link")),
                Field("method", .choice(["referrer", "clipboard"])),
                Field("platform", .text),
                Field("rule", .text.orNull, "The name or number of the rule by which the click was led on."),
                Field("variant", .text.orNull, "The same, if that rule has a name and a percentage."),
            ])),
        NamedSchema(
            "ConversionRecordedEvent",
            .event([
                Field("link", .named("Link")),
                Field(
                    "conversion",
                    .object([
                        Field("id", .text),
                        Field("name", .text),
                        Field("at", .time),
                        Field("rule", .text.orNull, "The name or number of the rule by which the click was led on."),
                        Field("variant", .text.orNull, "The same, if that rule has a name and a percentage."),
                        Field("amount", .text.orNull),
                        Field("currency", .text.orNull),
                    ])),
            ])),
        NamedSchema(
            "ImportFinishedEvent",
            .event([
                Field(
                    "import",
                    .object([
                        Field("id", .text),
                        Field("source", .text),
                        Field("state", .choice(["finished", "stopped", "failed"])),
                        Field("created", .integer),
                        Field("same", .integer),
                        Field("clash", .integer),
                        Field("refused", .integer),
                    ]))
            ])),
        NamedSchema(
            "WebhookDisabledEvent",
            .event([
                Field(
                    "webhook",
                    .object([
                        Field("id", .text),
                        Field("name", .text.orNull),
                        Field("reason", .choice(["failures", "gone"])),
                    ]))
            ])),
        NamedSchema(
            "KeyEvent",
            .event([
                Field(
                    "key",
                    .object([
                        Field("id", .text),
                        Field("name", .text),
                        Field("scopes", .list(of: .named("Scope"))),
                    ]))
            ])),
        NamedSchema(
            "WeeklyReportEvent",
            .event([
                Field(
                    "report",
                    .object([
                        Field("from", .time), Field("to", .time),
                        Field("clicks", .count, "Of people."), Field("visitors", .count.orNull), Field("bots", .count),
                        Field("clicksBefore", .count, "In the week before."), Field("visitorsBefore", .count.orNull),
                        Field("links", weeklyCounts, "At most ten, as in all lists."),
                        Field("countries", weeklyCounts), Field("referrers", weeklyCounts),
                        Field("campaigns", weeklyCounts),
                    ]))
            ])),
        NamedSchema("WebhookTestEvent", .event([Field("webhook", .object([Field("id", .text)]))])),
    ]
}

private let managedBy =
    "Whose files describe the webhook, as `waymark apply` sets it: others leave it alone."

private let weeklyCounts = Schema.list(
    of: .object([
        Field("value", .text.orNull, "Null: clicks without one."),
        Field("clicks", .count),
    ]))
