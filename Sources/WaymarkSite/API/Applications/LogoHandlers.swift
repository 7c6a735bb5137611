import WaymarkAPI
import WaymarkHTTP
import WaymarkLinks
import WaymarkServer
import WaymarkService
import WaymarkStores

/// `GET /api/v1/apps/{id}/logo`.
enum LogoReadingHandler {
    static let contents = [QRCodeLogo.png, QRCodeLogo.svg].map {
        APIResponse.Content(mediaType: $0, schema: .binary, example: nil)
    }

    static func answer(_ call: Call, _ site: Site) async throws -> Response {
        let id = try ExtraAccess.application(call, site)
        guard let stored = try await site.service.extra(ApplicationExtra.logo, of: id),
            let logo = try? QRCodeLogo(stored.content)
        else { throw Problem(.resourceUnknown, "The application has no logo.") }
        var fields = HeaderFields.eTag(stored.version)
        fields.append(HeaderFields((.cacheControl, "no-store")))
        fields.append(QRCodePicture.fields(of: logo))
        return Response(.ok, fields: fields, body: .bytes(logo.bytes))
    }
}

/// `PUT /api/v1/apps/{id}/logo`.
enum LogoPutHandler {
    static func answer(_ call: Call, _ site: Site) async throws -> Response {
        let id = try ExtraAccess.application(call, site)
        do throws(QRCodeLogo.Failure) {
            _ = try QRCodeLogo(call.body, mediaType: call.mediaType)
        } catch {
            throw Problem(invalid: [FieldProblem(field: "body", problem: error.problem)])
        }
        let version = try await ExtraAccess.change(ApplicationExtra.logo, of: id, to: call.body, call, site)
        var response = Response.noContent
        response.fields.append(HeaderFields.eTag(version))
        return response
    }
}

/// `DELETE /api/v1/apps/{id}/logo`.
enum LogoDeletionHandler {
    static func answer(_ call: Call, _ site: Site) async throws -> Response {
        let id = try ExtraAccess.application(call, site)
        _ = try await ExtraAccess.change(ApplicationExtra.logo, of: id, to: nil, call, site)
        return .noContent
    }
}
