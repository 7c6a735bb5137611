import WaymarkJSON

extension Schemas {
    static let imports: [NamedSchema] = [
        NamedSchema(
            "ImportBody",
            .object([
                Field(required: "source", .importSource),
                Field("app", .text, "Default: the key's application, or the only one."),
                Field(
                    "domain", .text,
                    """
                    For all links. Default: the domain that the source names, if the application has it, else \
                    its only domain.
                    """),
                Field("dryRun", .flag.usually(false), "Checks every row and creates nothing."),
                Field(
                    "map", .map(of: .text),
                    #"Fields of a link by the headings or numbers of columns, such as `{"Target": "urls.web"}`."#),
                Field("timeZone", .text, "Of times that name no zone, such as `Europe/Berlin`. Default: UTC."),
                Field(
                    required: "credentials",
                    .body([
                        Field(required: "apiKey", .text, "The key of the service's API, for YOURLS its signature."),
                        Field("apiURL", .uri, "The API's address; needed for `shlink`, `kutt` and `yourls`."),
                    ]),
                    "A string is the key alone."),
            ]),
            example: #"{"source": "bitly", "app": "shop", "dryRun": true, "credentials": {"apiKey": "…"}}"#),
        NamedSchema(
            "ImportForm",
            .object([
                Field(required: "source", .importSource),
                Field("app", .text, "Default: the key's application, or the only one."),
                Field(
                    "domain", .text,
                    """
                    For all links. Default: the domain that the source names, if the application has it, else \
                    its only domain.
                    """),
                Field("dryRun", .flag.usually(false), "Checks every row and creates nothing."),
                Field("map", .list(of: .text), "`COLUMN=FIELD` for each column, or one JSON object."),
                Field("timeZone", .text, "Of times that name no zone, such as `Europe/Berlin`. Default: UTC."),
                Field(
                    "credentials", .text,
                    "For files with URLs of Branch: the key, or a JSON object as in the JSON body."),
                Field("file", .list(of: .binary), "One part for each file, up to 100."),
            ])),
        NamedSchema(
            "Import",
            .answer([
                Field("id", .text),
                Field("source", .text),
                Field("app", .text),
                Field("domain", .text.orNull),
                Field("dryRun", .flag),
                Field("state", .choice(["running", "stopping", "finished", "stopped", "failed"])),
                Field(
                    "error", .text.orNull,
                    """
                    Why it failed: the source can't be read on, or the store is unavailable. Rows that were \
                    counted keep their outcome.
                    """),
                Field("createdAt", .time),
                Field("endedAt", .time.orNull),
                Field(
                    "counts",
                    .answer([
                        Field("rows", .integer),
                        Field("created", .integer, "New links; in a dry run those that would be created."),
                        Field(
                            "same", .integer,
                            "The link exists and equals the row, apart from the number of imported clicks."),
                        Field("clash", .integer, "The slug belongs to another link."),
                        Field("refused", .integer, "The row can't become a link."),
                    ])),
                Field("fileBytes", .integer, "Of all files; 0 for an API."),
                Field("fileBytesRead", .integer),
                Field("reportComplete", .flag, "False: the report ends at its limit of 128 MiB."),
                Field(
                    "notes", .list(of: .text),
                    """
                    What was not taken over of the source, such as columns that were not used; also the last \
                    lines of the report. Complete once the import has ended.
                    """),
            ])),
        NamedSchema("ImportList", .answer([Field("imports", .list(of: .named("Import")))])),
    ]
}
