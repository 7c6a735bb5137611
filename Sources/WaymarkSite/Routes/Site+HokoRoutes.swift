import WaymarkHTTP
import WaymarkLinks
import WaymarkServer
import WaymarkStores

extension Site {
    /// HOKO's API.
    static let hokoRoutes: [SiteRoute] = [
        .hoko(
            .post, "/v2/smartlinks", .create, limit: .create, HokoSmartlinks.create,
            APIOperation(
                "hokoCreateSmartlink", .hoko, "Create a smart link", "Scope: `create`.", body: "HokoSmartlinkBody",
                [.json(200, "HokoSmartlinkURL", "The link's address."), 422])),
        .hoko(
            .get, "/v2/smartlinks", .read, limit: .list, HokoSmartlinks.list,
            APIOperation(
                "hokoListSmartlinks", .hoko, "List smart links", "Scope: `read`.", query: ["cursor"],
                [.json(200, "HokoSmartlinkList", "The newest 100.")])),
        .hoko(
            .get, "/v2/smartlinks/{code}", .read, HokoSmartlinks.read,
            APIOperation(
                "hokoGetSmartlink", .hoko, "Read a smart link", "Scope: `read`.",
                [.json(200, "HokoSmartlinkRecord", "With the URLs of each platform.")])),
        .hoko(
            .post, "/v2/smartlinks/resolve", .resolve, limit: .resolve, HokoResolving.resolve,
            APIOperation(
                "hokoResolve", .hoko, "Resolve a smart link", "Scope: `resolve`.", body: "HokoResolveBody",
                [
                    .json(
                        200, "HokoDeeplink",
                        "The deep link for the token's platform. Takes one redeem; past the limit without metadata."),
                    422,
                ])),
        .hoko(
            .get, "/v2/smartlinks/metadata", .resolve, limit: .resolve, HokoResolving.metadata,
            APIOperation(
                "hokoMetadata", .hoko, "Read the metadata", "Scope: `resolve`.", query: ["_hk_cid", "_hk_sid"],
                [
                    .json(
                        200, "HokoMetadata",
                        "The metadata itself. Takes one redeem: once for a click, each time by the link's code."),
                    409,
                ])),
        .hoko(
            .post, "/v2/smartlinks/redeem", .resolve, limit: .resolve, HokoResolving.redeem,
            APIOperation(
                "hokoRedeem", .hoko, "Redeem the metadata", "Scope: `resolve`.", body: "HokoRedeemBody",
                [.json(200, "HokoEmpty", "Taken, or taken before by the same click."), 409, 422])),
        .hoko(
            .post, "/v2/smartlinks/open", .resolve, limit: .event, HokoReports.open,
            APIOperation(
                "hokoOpen", .hoko, "Report that the app was opened", "Scope: `resolve`.", body: "HokoOpenBody",
                [.json(200, "HokoEmpty", "Counted, where the URL names a click or a link."), 422])),
        .hoko(
            .post, "/v2/routes", .resolve, limit: .event, HokoReports.registerRoute,
            APIOperation(
                "hokoRegisterRoute", .hoko, "Register a route of the app", "Scope: `resolve`.", body: "HokoRouteBody",
                [
                    .json(200, "HokoWarning", "Stored; with a warning (1) where the path was registered before."),
                    422,
                ])),
        .hoko(
            .post, "/v2/installs/ios", .resolve, limit: .event, HokoReports.installIOS,
            APIOperation(
                "hokoInstallIOS", .hoko, "Report the first start on iOS", "Scope: `resolve`.", body: "HokoDeviceBody",
                [.json(200, "HokoNoDeeplink", "Never a deep link: none is guessed."), 422])),
        .hoko(
            .post, "/v2/installs/android", .resolve, limit: .event, HokoReports.installAndroid,
            APIOperation(
                "hokoInstallAndroid", .hoko, "Report the first start on Android", "Scope: `resolve`.",
                body: "HokoReferrerBody",
                [.json(200, "HokoEmpty", "Counted, where the referrer names a click."), 422])),
        .hoko(
            .get, "/v2/version", .resolve, HokoReports.version,
            APIOperation(
                "hokoVersion", .hoko, "The last version of HOKO's SDK", "Scope: `resolve`.",
                [.json(200, "HokoVersion", "2.5.0.")])),
        .open(
            "/lazy", .lazy,
            APIOperation(
                "lazyLink", .hoko, "Follow a lazy link",
                """
                Makes the link of the `uri` at first, and visits it. Only on hosts of applications with `hoko.lazy`; \
                elsewhere 404.
                """,
                query: ["uri"],
                APIResponse.linkVisit([
                    .page(400, "No uri, or one that leads where it may not. Nothing is made."),
                    .page(404, "The host has no lazy links."),
                ]))),
    ]
}
