import WaymarkAssociation

extension Schemas {
    static let association: [NamedSchema] = [
        NamedSchema(
            "AssociationSubject",
            .body([
                Field(
                    "document", .text.orNull,
                    """
                    The text of the file, at most 262,144 bytes. Exactly one of `document` and `application` \
                    is given.
                    """),
                Field("application", .text.orNull, "The id of the application whose generated file is meant."),
                Field(
                    "kind", .associationKind.orNull,
                    "By default what the text's outermost value says; for an application Apple's."),
            ]),
            "Exactly one of `document` and `application` is given."),
        NamedSchema(
            "AssociationSimulateBody",
            .body([
                Field(
                    "document", .text,
                    """
                    The text of the file, at most 262,144 bytes. Exactly one of `document` and `application` \
                    is given.
                    """),
                Field("application", .text, "The id of the application whose generated file is meant."),
                Field(
                    "kind", .associationKind.orNull,
                    "By default what the text's outermost value says; for an application Apple's."),
                Field(
                    required: "url", .text,
                    "The URL that a person follows: at most 16,384 bytes and 1,000 query items."),
                Field(
                    "app", .text.orNull,
                    """
                    Only this app is installed: an app identifier, for Android a package. By default all apps \
                    of the file are.
                    """),
                Field("platform", .choice(["ios", "android"]).orNull, "By default what the file is for."),
                Field(
                    "at", .time.orNull,
                    "With `application` only: a past time takes its file of then, a future one that of now."),
                Field(
                    "context", .choice(of: NavigationContext.self).orNull,
                    "How the person gets there; by default the warnings name the ways that matter."),
                Field(
                    "domains", .list(of: .text, atMost: 100).orNull,
                    """
                    The entries of the app's entitlement, such as `applinks:*.example.com`; by default not \
                    looked at. At most 100, each of at most 500 bytes.
                    """),
            ])),
        NamedSchema(
            "SimulationAnswer",
            .answer([
                Field("opens", .flag),
                Field("appID", .text.orNull),
                Field(
                    "detail", .integer.orNull,
                    "The entry that decided: its place in `details`, or that of the statement."),
                Field("component", .integer.orNull, "The rule that decided, in its entry."),
                Field("excluded", .flag, "A rule keeps the URL in the browser."),
                Field(
                    "documented", .flag,
                    "False where the answer hangs on a question that nothing published answers."),
                Field(
                    "trace",
                    .list(
                        of: .answer([
                            Field("detail", .integer.orNull),
                            Field("component", .integer.orNull),
                            Field("fits", .flag),
                            Field("why", .text),
                        ]))),
                Field("warnings", .list(of: .text)),
                Field(
                    optional: "findings", .list(of: .named("LintFinding")),
                    """
                    Only where the answer is not whole: `budget-exceeded`, after a fixed amount of work. With \
                    an empty `trace` nothing is known, and `opens` says nothing.
                    """),
            ])),
        NamedSchema(
            "LintFinding",
            .answer([
                Field("code", .text, "Stable; docs/guide/association.md lists all."),
                Field("severity", .choice(["error", "warning", "note"])),
                Field("line", .integer.orNull),
                Field("column", .integer.orNull),
                Field("pointer", .text.orNull, "A JSON pointer (RFC 6901)."),
                Field("problem", .text),
                Field("mend", .text),
                Field("source", .text),
            ])),
        NamedSchema(
            "LintReport",
            .answer([
                Field("kind", .text.orNull),
                Field("bytes", .integer),
                Field("clean", .flag, "Neither an error nor a warning."),
                Field("errors", .integer),
                Field("warnings", .integer),
                Field("notes", .integer),
                Field("findings", .list(of: .named("LintFinding"))),
            ])),
        NamedSchema("AssociationFile", .anyObject),
        NamedSchema("AssetLinks", .list(of: .anyObject)),
    ]
}
