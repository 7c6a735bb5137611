extension Schemas {
    static let firebase: [NamedSchema] = [
        NamedSchema(
            "FirebaseError",
            .answer([
                Field(
                    "error",
                    .answer([
                        Field("code", .integer),
                        Field("message", .text),
                        Field("status", .text),
                    ]))
            ]),
            "An error as Google's APIs write it."),
        NamedSchema(
            "FirebaseWarning",
            .object([
                Field("warningCode", .text),
                Field("warningMessage", .text),
                Field("warningDocumentLink", .text),
            ])),
        NamedSchema(
            "FirebaseLinkInfo",
            .object([
                Field("domainUriPrefix", .text),
                Field("dynamicLinkDomain", .text),
                Field("link", .text),
                Field("androidInfo", .anyObject),
                Field("iosInfo", .anyObject),
                Field("desktopInfo", .anyObject),
                Field("navigationInfo", .anyObject),
                Field("analyticsInfo", .anyObject),
                Field("socialMetaTagInfo", .anyObject),
            ]),
            """
            The parameters of a link. All members are optional but `link` and one of `domainUriPrefix` and \
            `dynamicLinkDomain`.
            """),
        NamedSchema(
            "FirebaseLinkBody",
            .object([
                Field("longDynamicLink", .text),
                Field("dynamicLinkInfo", .named("FirebaseLinkInfo")),
                Field(
                    "suffix",
                    .object([
                        Field("option", .text, "`UNGUESSABLE` (default), `SHORT` or `CUSTOM`, or its number."),
                        Field("customSuffix", .text),
                    ])),
                Field("name", .text, "Of a managed link; stored as its title."),
            ]),
            "Exactly one of `longDynamicLink` and `dynamicLinkInfo`."),
        NamedSchema(
            "FirebaseRequestedLink",
            .answer([
                Field("requestedLink", .text, "A short or long link."),
                Field(optional: "bundleId", .text),
            ])),
        NamedSchema(
            "FirebaseShortLink",
            .answer([
                Field("shortLink", .uri),
                Field("previewLink", .uri),
                Field(optional: "warning", .list(of: .named("FirebaseWarning")), "Absent if there are none."),
            ])),
        NamedSchema(
            "FirebaseManagedLink",
            .answer([
                Field(
                    "managedShortLink",
                    .object([
                        Field("link", .text),
                        Field("linkName", .text),
                        Field("info", .named("FirebaseLinkInfo")),
                        Field("creationTime", .text),
                        Field("visibility", .text),
                        Field("flaggedAttribute", .list(of: .text)),
                    ])),
                Field("previewLink", .text),
                Field(optional: "warning", .list(of: .named("FirebaseWarning")), "Absent if there are none."),
            ])),
        NamedSchema(
            "FirebaseLinkStatistics",
            .object([
                Field(
                    "linkEventStats",
                    .list(
                        of: .object([
                            Field("platform", .text),
                            Field("count", .text, "A 64-bit integer as text."),
                            Field("event", .text),
                        ])))
            ])),
        NamedSchema(
            "FirebaseInstallBody",
            .object([
                Field("bundleId", .text),
                Field("appInstallationTime", .text, "Seconds since 1970, also as text."),
                Field("uniqueMatchLinkToCheck", .text, "The link from the clipboard, with its click ID."),
                Field("device", .anyObject),
            ]),
            "What Firebase's SDK for iOS sends at the first start of an app."),
        NamedSchema(
            "FirebaseAttribution",
            .object([
                Field("deepLink", .text),
                Field("attributionConfidence", .text),
                Field("requestedLink", .text),
                Field("resolvedLink", .text),
                Field("fallbackLink", .text),
                Field("iosMinAppVersion", .text),
                Field("appMinimumVersion", .text),
                Field("matchMessage", .text),
                Field("requestIpVersion", .text),
                Field("utmSource", .text),
                Field("utmMedium", .text),
                Field("utmCampaign", .text),
                Field("utmTerm", .text),
                Field("utmContent", .text),
                Field("isStrongMatchExecutable", .flag),
            ]),
            "Without a match only `matchMessage`, which says why."),
        NamedSchema("FirebaseLongLink", .answer([Field("longLink", .uri)])),
    ]
}
