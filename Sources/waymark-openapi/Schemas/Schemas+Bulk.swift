import WaymarkAPI
import WaymarkJSON
import WaymarkLinks

extension Schemas {
    static let bulk: [NamedSchema] = [
        NamedSchema(
            "BatchAnswer",
            .answer([
                Field(
                    "results",
                    .list(
                        of: .object([
                            Field(required: "status", .integer),
                            Field("link", .named("Link")),
                            Field("problem", .named("Problem")),
                        ])))
            ])),
        NamedSchema(
            "FolderList",
            .answer([
                Field(
                    "folders",
                    .list(
                        of: .answer([
                            Field("folder", .text(atMost: LinkLabel.folder.limit), "Its path."),
                            Field("links", .count, "In the folder itself."),
                        ])))
            ])),
        NamedSchema(
            "ApplyLockBody",
            .body([
                Field(required: "owner", .text(1...LinkLabel.managedBy.limit), "Whose links are applied."),
                Field("token", .text.orNull, "Of the lock that the caller holds."),
                Field("release", .flag.usually(false), "Free the lock."),
                Field("app", .text.orNull, "Whose versions `versions` are."),
                Field(
                    "versions", .map(of: .integer).orNull,
                    """
                    Of the owner's links in `app` now, by `domain/slug`, and as `application` of `app` itself; 1 or less \
                    forgets it.
                    """),
            ]),
            example: #"{"owner": "links"}"#),
        NamedSchema(
            "ApplyLock",
            .answer([
                Field("held", .flag, "Whether the caller holds the lock now."),
                Field("released", .flag, "Whether the caller has just freed it."),
                Field("token", .text.orNull, "Renews and frees the lock; for its holder only."),
                Field("owner", .text.orNull, "Whose links are applied now."),
                Field("until", .time.orNull, "When the lock ends by itself."),
            ])),
        NamedSchema(
            "AppliedVersions",
            .answer([
                Field("versions", .map(of: .integer)),
                Field("keyApp", .text.orNull, "The only application of the key; null: all, or several."),
            ])),
        NamedSchema(
            "LinkSelection",
            .body([
                Field(
                    "links", .list(of: .text, atMost: BulkLimits.links),
                    "Each as `domain/slug`; an alias names its link too."),
                Field(
                    "versions", .list(of: .integer, atMost: BulkLimits.links),
                    "Of each of `links`: the version that it must have, or it is left alone (412)."),
                Field("app", .text, "Only links of this application."),
                Field("domain", .text, "Only links of this domain."),
                Field("tag", .text, "Only links with this tag."),
                Field("folder", .text, "Only links in this folder or below it."),
                Field("campaign", .text, "Only links whose `campaign.name` is this."),
                Field("managedBy", .text, "Only links whose `managedBy` is this."),
                Field("state", .linkState, "Only links in this state."),
                Field(
                    "verified", .choice(["good", "broken", "unknown"]),
                    "Only active links that the verification found so."),
                Field(
                    "createdFrom", .text,
                    "Only links created at this time or later: a date (UTC) or an RFC 3339 time."),
                Field("createdTo", .text, "Only links created before this time, or on this date (UTC) or earlier."),
                Field(
                    "query", .text(1...2_048),
                    """
                    Literal text found in slug, \(LinkLabel.names), route or destination, 1 to 200 bytes. Or the \
                    address of a link, with or without scheme, query and fragment: then this link alone is \
                    listed.
                    """),
                Field(
                    "search", .text(1...2_048),
                    """
                    Up to 16 words. Each is the beginning, without regard to case, of a word in slug, \
                    \(LinkLabel.names), destinations, route or tags; letters and digits make words. Or the address of a \
                    link, with or without scheme, query and fragment: then this link alone is listed.
                    """),
            ]).membersAtLeast(1),
            "Links by name, or all links that match every given filter; one of the two.",
            example: #"{"links": ["go.example.com/sale", "go.example.com/spring/sale"]}"#),
        NamedSchema(
            "BulkPatchBody",
            .body([
                Field(required: "select", .named("LinkSelection")),
                Field("patch", .named("LinkPatch")),
                Field("addTags", .list(of: .text, atMost: LinkLimits.tags), "Added to each link that lacks them."),
                Field("removeTags", .list(of: .text, atMost: LinkLimits.tags), "Removed from each link."),
                Field("dryRun", .flag.usually(false), "Answer what would happen, and change nothing."),
                Field(
                    "plan", .text.orNull,
                    """
                    The `hash` of a plan or rehearsal of this change. It is made only if all links have the versions of then. \
                    Assistants need it for more than `assistants.unplannedLinks`.
                    """),
            ]),
            example: """
                {"select": {"tag": "spring"}, "patch": {"expiresAt": "2027-01-01T00:00:00Z"}, "addTags": \
                ["archive"], "removeTags": ["spring"], "dryRun": true}
                """),
        NamedSchema(
            "BulkDeleteBody",
            .body([
                Field(required: "select", .named("LinkSelection")),
                Field("dryRun", .flag.usually(false), "Answer what would happen, and delete nothing."),
            ]),
            example: #"{"select": {"links": ["go.example.com/sale"]}, "dryRun": true}"#),
        NamedSchema(
            "BulkAnswer",
            .answer([
                Field("matched", .count, "Links that were found."),
                Field(
                    "changed", .count,
                    """
                    Of these, those that were changed or deleted, or would be in a dry run. A link that \
                    already is as wanted is not.
                    """),
                Field(
                    "results",
                    .list(
                        of: .answer([
                            Field("domain", .text),
                            Field("slug", .text),
                            Field(
                                "status", .integer, "200 for a change, 204 for a deletion, else that of the problem."),
                            Field(optional: "problem", .named("Problem")),
                        ]), atMost: BulkLimits.results),
                    "The first 1,000."),
            ]),
            example: """
                {"matched": 2, "changed": 1, "results": [{"domain": "go.example.com", "slug": "sale", \
                "status": 200}, {"domain": "go.example.com", "slug": "spring/sale", "status": 200}]}
                """),
    ]
}
