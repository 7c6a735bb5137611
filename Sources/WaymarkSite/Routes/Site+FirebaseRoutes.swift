import WaymarkHTTP
import WaymarkLinks
import WaymarkServer
import WaymarkStores

extension Site {
    /// Google's API for Firebase Dynamic Links.
    static let firebaseRoutes: [SiteRoute] = [
        .firebase(
            .post, "/v1/shortLinks", .shortLinks,
            APIOperation(
                "createFirebaseShortLink", .firebase, "Create a short link",
                """
                The same parameters and suffix option give the same link. Scope `create`, or an API key; URLs may then \
                only lead to hosts that the application names.
                """,
                body: "FirebaseLinkBody", [.json(200, "FirebaseShortLink", "As Google answers.")])),
        .firebase(
            .post, "/v1/managedShortLinks:create", .managedShortLinks,
            APIOperation(
                "createFirebaseManagedLink", .firebase, "Create a named link",
                "A `CUSTOM` suffix needs the scope `links`.", body: "FirebaseLinkBody",
                [.json(200, "FirebaseManagedLink", "As Google answers."), 409])),
        .firebase(
            .get, "/v1/{link}/linkStats", .linkStatistics,
            APIOperation(
                "getFirebaseLinkStatistics", .firebase, "Statistics of a link",
                """
                `link` is the short link, percent-encoded or not. Scope `read`. An unknown code on an own domain is an \
                empty object.
                """,
                query: ["durationDays"],
                [.json(200, "FirebaseLinkStatistics", "As Google answers.")])),
        .firebase(
            .post, "/v1/reopenAttribution", .reopenAttribution,
            APIOperation(
                "reopenFirebaseAttribution", .firebase, "Expand a link that opened an app",
                "Short and long links. Counts APP_RE_OPEN and no click. Scope `resolve`, or an API key.",
                body: "FirebaseRequestedLink", [.json(200, "FirebaseAttribution", "As Google answers.")])),
        .firebase(
            .post, "/v1/exchangeShortLink", .exchangeShortLink,
            APIOperation(
                "exchangeFirebaseShortLink", .firebase, "Expand a link", "Scope `resolve`, or an API key.",
                body: "FirebaseRequestedLink", [.json(200, "FirebaseLongLink", "As Google answers.")])),
        .firebase(
            .post, "/v1/installAttribution", .installAttribution,
            APIOperation(
                "installFirebaseAttribution", .firebase, "Find the link of an installation",
                """
                Exact matches only: `uniqueMatchLinkToCheck` must have a click ID. A click ID is claimed by one device \
                (bundle ID, installation time and `device`), which gets the same answer for 24 hours. Scope `resolve`, \
                or an API key.
                """,
                body: "FirebaseInstallBody", [.json(200, "FirebaseAttribution", "As Google answers.")])),
    ]
}
