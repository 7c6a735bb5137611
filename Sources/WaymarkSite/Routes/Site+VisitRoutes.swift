import WaymarkHTTP
import WaymarkLinks
import WaymarkServer
import WaymarkStores

extension Site {
    /// Visits of smart links, and their QR codes.
    static let visitRoutes: [SiteRoute] = [
        .open(
            "/", .root,
            APIOperation(
                "visitRoot", .visits, "Open a domain without a slug",
                """
                Leads to `onRoot` of the host's application, else to its `onUnknown`. With `link` in the query, and \
                where the application has `firebase.longLinks`, this is a long dynamic link, answered like a short \
                one.
                """,
                APIResponse.visit([
                    .empty(302, "To `onRoot` or `onUnknown`.", .location),
                    .page(400, "The query holds control characters, or the path is not valid UTF-8."),
                    .page(404, "The application names neither. A page, or a problem where `Accept` prefers JSON."),
                    503,
                ]))),
        .open(
            "/{slug}/qr.png", .qrCode(.png),
            APIOperation(
                "qrCodePNG", .visits, "The smart link as a QR code, as PNG",
                """
                Encodes the link's whole address. Nobody's click; may be kept for a day, and then asked for with \
                `If-None-Match`. A build without the package trait `QRCode` answers 404.
                """,
                query: QRCodeOrder.parameters,
                APIResponse.picture(
                    .binary(
                        200, "image/png",
                        "The picture, black on white unless other colours are asked for.", .fileETag,
                        .pictureCacheControl)))),
        .open(
            "/{slug}/qr.svg", .qrCode(.svg),
            APIOperation(
                "qrCodeSVG", .visits, "The smart link as a QR code, as SVG",
                """
                Encodes the link's whole address. Nobody's click; may be kept for a day, and then asked for with \
                `If-None-Match`. A build without the package trait `QRCode` answers 404.
                """,
                query: QRCodeOrder.parameters,
                APIResponse.picture(
                    .text(
                        200, "image/svg+xml",
                        "The picture, black on white unless other colours are asked for.", .fileETag,
                        .pictureCacheControl)))),
        .open(
            "/{slug}", .visit,
            APIOperation(
                "visit", .visits, "Follow a smart link",
                """
                What browsers do. With a `+` behind the slug: a page that shows where the link leads, and goes \
                nowhere. `HEAD` gets the same answer and is not counted. Status pages are JSON for `Accept: \
                application/json`.
                """,
                APIResponse.linkVisit([
                    .page(400, "The query holds control characters, or the path is not valid UTF-8."),
                    .page(404, "No such link, or one that is not valid yet."),
                ]))),
    ]
}
