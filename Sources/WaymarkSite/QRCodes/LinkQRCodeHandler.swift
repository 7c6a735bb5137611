import WaymarkAPI
import WaymarkHTTP
import WaymarkLinks
import WaymarkServer
import WaymarkService

/// `GET /api/v1/links/{domain}/{slug}/qr.svg` and `qr.png`: the QR code of a link in any state, for dashboards. Public
/// codes (`QRCodeVisit`) are only drawn of active links.
enum LinkQRCodeHandler {
    static func png(_ call: Call, _ site: Site) async throws -> Response { try await answer(.png, call, site) }

    static func svg(_ call: Call, _ site: Site) async throws -> Response { try await answer(.svg, call, site) }

    private static func answer(_ format: QRCodeOrder.Format, _ call: Call, _ site: Site) async throws -> Response {
        try QRCodePicture.checkAvailability()
        let order = try QRCodeOrder(format, call.query)
        let (link, application) = try await LinkLookup.link(call, site)
        let logo = order.hasLogo ? await site.service.logo(of: application.id) : nil
        let picture = try QRCodePicture(of: link.smartlinkURL(application), logo: logo, order)
        var fields = HeaderFields((.cacheControl, "no-store"))
        fields.append(picture.fields)
        return Response(.ok, fields: fields, body: .bytes(picture.bytes))
    }
}
