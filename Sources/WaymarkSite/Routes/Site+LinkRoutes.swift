import WaymarkAPI
import WaymarkHTTP
import WaymarkLinks
import WaymarkServer
import WaymarkStores

extension Site {
    /// Links: creating, reading, changing and deleting them, one or many.
    static let linkRoutes: [SiteRoute] = [
        .api(
            .post, "/api/v1/links", .create, body: .json, idempotencyKey: true, limit: .create, crossOrigin: true,
            executionHint: .onEventLoop, LinkCreationHandler.answer,
            APIOperation(
                "createLink", .links, "Create a link",
                """
                From a template (`route` with `routeParameters`), from URLs of its own (`urls`), or both. A key with \
                the scope `create` alone can name no slug and leads only to hosts and schemes of the application. \
                Pages of the origins in `cors.origins` may call it (CORS, without credentials): a preflight is \
                answered for the origins of all applications, the request for those of the application of its key.
                """,
                body: "LinkBody",
                [
                    .json(200, "Link", "`unique` found the link that this body made before.", .location, .eTag),
                    .json(201, "Link", "Created.", .location, .eTag),
                    409,
                ])),
        .api(
            .get, "/api/v1/links", .read, query: LinkListHandler.parameters, compressible: true, limit: .list,
            LinkListHandler.answer,
            APIOperation(
                "listLinks", .links, "List links",
                """
                All conditions apply together. A page examines links for at most 50 ms, and at most 100,000 of them: \
                it may hold fewer than `limit`, or none, and still have a cursor. Only the last page has none.
                """,
                [.json(200, "LinkList", "A page.")])),
        .api(
            .get, "/api/v1/folders", .read, query: ["app"], compressible: true, limit: .list, FolderListHandler.answer,
            APIOperation(
                "listFolders", .links, "List the folders that have links",
                """
                `links` counts those in the folder itself; the links in it and below it are the sum over the folders \
                that begin with its path and `/`. A folder that has only folders is not in the list. The first 10,000 \
                by path, whatever application they belong to.
                """,
                [
                    .json(
                        200, "FolderList", "Sorted by path.",
                        example: #"{"folders": [{"folder": "campaigns/spring", "links": 12}]}"#)
                ])),
        .api(
            .post, "/api/v1/links:batch", .links, body: .batch, idempotencyKey: true, limit: .create,
            LinkBatchHandler.answer,
            APIOperation(
                "createLinks", .links, "Create up to 1,000 links", "The body may be up to 8 MiB.",
                body: .list(of: "LinkBody", atMost: BatchRequest.limit),
                [.json(200, "BatchAnswer", "What became of each, in order."), 409])),
        .api(
            .patch, "/api/v1/links:batch", .links, body: .batch, idempotencyKey: true, limit: .create,
            LinkBulkPatchHandler.answer,
            APIOperation(
                "patchLinks", .links, "Change many links",
                """
                Applies one JSON merge patch (RFC 7396) to each selected link, with the checks of a single one, then \
                removes and adds tags. Each link has its own outcome. Up to 100,000 links, in transactions of 250. A \
                request that was interrupted can be sent again: what is done stays done. The body may be up to 8 MiB.
                """,
                body: "BulkPatchBody",
                [
                    .json(200, "BulkAnswer", "How many links were found and changed, and the first results."), 409, 412,
                    .planNeeded,
                ])),
        .api(
            .post, "/api/v1/links:delete", .links, body: .batch, idempotencyKey: true, limit: .create,
            LinkBulkDeletionHandler.answer,
            APIOperation(
                "deleteLinks", .links, "Delete many links",
                """
                Deletes each selected link. Up to 100,000 links, in transactions of 250. A request that was \
                interrupted can be sent again: what is done stays done. The body may be up to 8 MiB.
                """,
                body: "BulkDeleteBody",
                [
                    .json(200, "BulkAnswer", "How many links were found and changed, and the first results."),
                    .planNeeded,
                ])),
        .api(
            .post, "/api/v1/links:lock", .admin, body: .batch, adminOnly: true, ApplyLockHandler.answer,
            APIOperation(
                "lockLinks", .links, "Let one program at a time apply files of links",
                """
                Takes the lock for 20 seconds; with its `token` it is renewed, or freed with `release`. `held` is false \
                while another holds it, of whichever application. It stops no other change. The holder may send the \
                `versions` of its links in `app` for the next plan, which reads them with GET.
                """,
                body: "ApplyLockBody", [.json(200, "ApplyLock", "Whether the caller holds the lock.")])),
        .api(
            .get, "/api/v1/links:lock", .read, query: AppliedVersionsHandler.parameters, AppliedVersionsHandler.answer,
            APIOperation(
                "appliedVersions", .links, "Read the versions of links that the last apply of an owner left",
                "A link of the owner with another version was changed elsewhere since. Takes no lock.",
                [.json(200, "AppliedVersions", "By `domain/slug`, where they are not 1.")])),
        .api(
            .get, "/api/v1/links/{slug}", .read, executionHint: .onEventLoop, LinkReadingHandler.answer,
            APIOperation(
                "getLinkBySlug", .links, "Read a link",
                "`If-None-Match` is ignored: the ETag moves with patches only, clicks and redeems change without.",
                [.json(200, "Link", "The link.", .eTag), 404, 409])),
        .api(
            .patch, "/api/v1/links/{slug}", .links, body: .mergePatch, executionHint: .onEventLoop,
            LinkPatchHandler.answer,
            APIOperation(
                "patchLinkBySlug", .links, "Change a link", "A JSON merge patch (RFC 7396).", body: "LinkPatch",
                [.json(200, "Link", "The link as it is now.", .eTag), 404, 409, 412])),
        .api(
            .delete, "/api/v1/links/{slug}", .links, executionHint: .onEventLoop, LinkDeletionHandler.answer,
            APIOperation("deleteLinkBySlug", .links, "Delete a link", [.empty(204, "Deleted."), 404, 409, 412])),
        .api(
            .get, "/api/v1/links/{domain}/{slug}", .read, executionHint: .onEventLoop, LinkReadingHandler.answer,
            APIOperation(
                "getLink", .links, "Read a link",
                "`If-None-Match` is ignored: the ETag moves with patches only, clicks and redeems change without.",
                [.json(200, "Link", "The link.", .eTag), 404])),
        .api(
            .patch, "/api/v1/links/{domain}/{slug}", .links, body: .mergePatch, executionHint: .onEventLoop,
            LinkPatchHandler.answer,
            APIOperation(
                "patchLink", .links, "Change a link", "A JSON merge patch (RFC 7396).", body: "LinkPatch",
                [.json(200, "Link", "The link as it is now.", .eTag), 404, 409, 412])),
        .api(
            .delete, "/api/v1/links/{domain}/{slug}", .links, executionHint: .onEventLoop, LinkDeletionHandler.answer,
            APIOperation("deleteLink", .links, "Delete a link", [.empty(204, "Deleted."), 404, 412])),
        .api(
            .post, "/api/v1/links/{domain}/{slug}:rename", .links, body: .json, LinkRenameHandler.answer,
            APIOperation(
                "renameLink", .links, "Give a link another slug",
                """
                The link keeps answering under the slug that it had, which becomes one of its `aliases`: visits, the \
                API, QR codes, clicks and reports of apps belong to the same link, whichever slug they name. No other \
                link can take an alias. A link may take one of its own aliases back, and has at most 20. The slug that \
                it has already changes nothing.
                """,
                body: "LinkRenameBody",
                [.json(200, "Link", "The link as it is now.", .eTag), 404, 409, 412])),
        .api(
            .post, "/api/v1/links/{domain}/{slug}:restore", .links, body: .json, LinkRestoreHandler.answer,
            APIOperation(
                "restoreLink", .links, "Give a link the values of an earlier version",
                """
                Makes a new version, by the rules of a change: values that the application no longer allows are 422. \
                Metadata, the password and counts stay. The slug of that version comes back, and the present one becomes \
                an alias; a slug that another link has is 409. A version that the link has not had is 404, one whose \
                values were not stored 422.
                """,
                body: "LinkRestoreBody",
                [.json(200, "Link", "The link as it is now.", .eTag), 404, 409, 412])),
        .api(
            .get, "/api/v1/links/{domain}/{slug}/history", .read, query: LinkHistoryHandler.parameters,
            compressible: true, LinkHistoryHandler.answer,
            APIOperation(
                "linkHistory", .links, "List who changed which fields of a link, and when",
                """
                The changes of all versions, kept as long as the link, with the values of the changed fields. Values of \
                metadata and passwords are never stored.
                """,
                [.json(200, "LinkHistory", "The changes, newest first."), 404])),
        .api(
            .get, "/api/v1/links/{domain}/{slug}/metadata", .admin, MetadataHandler.answer,
            APIOperation(
                "getMetadata", .links, "Read a link's metadata",
                [.json(200, "Metadata", "The metadata as it was sent, or null."), 404])),
        .api(
            .get, "/api/v1/links/{domain}/{slug}/qr.png", .read, query: QRCodeOrder.parameters, limit: .qrCode,
            LinkQRCodeHandler.png,
            APIOperation(
                "linkQRCodePNG", .links, "Draw the QR code of a link, as PNG",
                """
                Encodes the smart link, in any state of it; the public `/{slug}/qr.png` only draws links that are \
                active. A build without the package trait `QRCode` answers 404.
                """,
                [
                    .binary(200, "image/png", "The picture, black on white unless other colours are asked for."),
                    404,
                ])),
        .api(
            .get, "/api/v1/links/{domain}/{slug}/qr.svg", .read, query: QRCodeOrder.parameters, limit: .qrCode,
            LinkQRCodeHandler.svg,
            APIOperation(
                "linkQRCodeSVG", .links, "Draw the QR code of a link, as SVG",
                """
                Encodes the smart link, in any state of it; the public `/{slug}/qr.svg` only draws links that are \
                active. A build without the package trait `QRCode` answers 404.
                """,
                [
                    .text(200, "image/svg+xml", "The picture, black on white unless other colours are asked for."),
                    404,
                ])),
    ]
}

extension APIResponse {
    fileprivate static let planNeeded = problem(
        428, "An assistant changes more links than it may without a plan (`plan-needed`).")
}
