import WaymarkJSON
import WaymarkLinks

extension Schemas {
    static let hoko: [NamedSchema] = [
        NamedSchema(
            "HokoError",
            .answer([
                Field("error", .text),
                Field(
                    "status", .integer(1...11),
                    """
                    2 missing parameters, 3 unknown token, 4 unsupported method, 5 no JSON, 6 not saved, 7 no \
                    such record, 8 bad route, 9 no smart link made, 10 too many redeems, 11 wrong token.
                    """),
            ])),
        NamedSchema(
            "HokoSmartlink",
            .answer([
                Field("code", .text),
                Field("tags", .list(of: .text)),
                Field("routes", .named("HokoRoutes")),
            ])),
        NamedSchema(
            "HokoRoutes",
            .body([
                Field("web", .hokoRoute),
                Field("iphone", .hokoRoute),
                Field("ipad", .hokoRoute),
                Field("universal", .hokoRoute),
                Field("android", .hokoRoute),
            ])),
        NamedSchema(
            "HokoSmartlinkBody",
            .object([
                Field("uri", .text.orNull, "A path, a web URL or a URL of the app."),
                Field("routes", .named("HokoRoutes").orNull),
                Field("metadata", .anyObject.orNull),
                Field("unique", .flag.orNull),
                Field("redeem_limit", .count.orNull, "0: unlimited."),
            ])),
        NamedSchema(
            "HokoResolveBody",
            .answer([
                Field("smartlink", .text, "The whole URL, one of a lazy link, or `__banner?uri=…`."),
                Field(optional: "uid", .text.orNull),
            ])),
        NamedSchema("HokoRedeemBody", .object([Field("_hk_cid", .text.orNull), Field("_hk_sid", .text.orNull)])),
        NamedSchema(
            "HokoOpenBody",
            .object([
                Field(required: "deeplink", .text),
                Field("referrer", .text.orNull),
                Field("uid", .text.orNull),
            ])),
        NamedSchema(
            "HokoRouteBody",
            .answer([
                Field(
                    "route",
                    .object([
                        Field(required: "path", .text),
                        Field("device", .text.orNull),
                        Field("build", .text.orNull),
                        Field("version", .text.orNull),
                        Field("url_schemes", .list(of: .text, atMost: RegisteredRoute.schemeLimit).orNull),
                    ]))
            ])),
        NamedSchema("HokoDeviceBody", .answer([Field("device", .anyObject)])),
        NamedSchema("HokoReferrerBody", .answer([Field("deeplink", .text)])),
        NamedSchema("HokoSmartlinkURL", .answer([Field("smartlink", .text)])),
        NamedSchema(
            "HokoSmartlinkList",
            .answer([
                Field("smartlinks", .list(of: .named("HokoSmartlink"))),
                Field("cursor", .text.orNull),
            ])),
        NamedSchema("HokoSmartlinkRecord", .answer([Field("smartlink", .named("HokoSmartlink"))])),
        NamedSchema(
            "HokoDeeplink",
            .answer([
                Field("deeplink", .text.orNull),
                Field(optional: "metadata", .anyObject),
            ])),
        NamedSchema("HokoMetadata", .anyObject),
        NamedSchema("HokoEmpty", .object([])),
        NamedSchema("HokoWarning", .object([Field("warning", .text), Field("status", .integer)])),
        NamedSchema("HokoNoDeeplink", .answer([Field("deeplink", .text.orNull.with("const", .null))])),
        NamedSchema("HokoVersion", .answer([Field("version", .text)])),
    ]
}
