import WaymarkHTTP
import WaymarkLinks
import WaymarkServer
import WaymarkStores

extension Site {
    /// Association files, and what they do with a URL.
    static let associationRoutes: [SiteRoute] = [
        .api(
            .post, "/api/v1/association/lint", .links, body: .json, limit: .association, AssociationLintHandler.answer,
            APIOperation(
                "lintAssociation", .association, "Check an association file",
                "Of the text given, or of the file that is made for an application. The server fetches nothing.",
                body: "AssociationSubject", [.json(200, "LintReport", "What was found."), 404])),
        .api(
            .post, "/api/v1/association/simulate", .links, body: .json, limit: .association,
            AssociationSimulationHandler.answer,
            APIOperation(
                "simulateAssociation", .association, "Ask whether a URL opens an app",
                """
                By the text given, or by the file that is made for an application. What nothing published answers is \
                said to be so, with both readings.
                """,
                body: "AssociationSimulateBody",
                [
                    .json(
                        200, "SimulationAnswer",
                        "Whether it opens, in which app, by which rule, and what was passed over."),
                    404,
                ])),
        .open(
            "/.well-known/apple-app-site-association", .appleAssociation, compressible: true,
            APIOperation(
                "appleAssociation", .association, "Which apps open links of this host on Apple's systems",
                [
                    .json(
                        200, "AssociationFile",
                        "The file of this host: always whole, also for an `If-None-Match` that fits.",
                        .associationETag),
                    404, 503,
                ])),
        .open(
            "/apple-app-site-association", .appleAssociation, compressible: true,
            APIOperation(
                "appleAssociationAtRoot", .association, "The same where older systems look",
                [
                    .json(
                        200, "AssociationFile",
                        "The file of this host: always whole, also for an `If-None-Match` that fits.",
                        .associationETag),
                    404, 503,
                ])),
        .open(
            "/.well-known/assetlinks.json", .assetLinks, compressible: true,
            APIOperation(
                "assetLinks", .association, "Which apps open links of this host on Android",
                [
                    .json(
                        200, "AssetLinks",
                        "The file of this host: always whole, also for an `If-None-Match` that fits.",
                        .associationETag),
                    404, 503,
                ])),
    ]
}
