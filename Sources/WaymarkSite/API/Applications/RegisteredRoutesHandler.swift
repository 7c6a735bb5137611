import WaymarkAPI
import WaymarkHTTP
import WaymarkJSON
import WaymarkLinks
import WaymarkServer
import WaymarkService
import WaymarkStores

/// `GET /api/v1/apps/{id}/routes`: the routes registered by apps.
enum RegisteredRoutesHandler {
    static func answer(_ call: Call, _ site: Site) async throws -> Response {
        guard let id = ApplicationID(call.parameters[0]), call.reach.contains(id),
            site.service.applications.directory.current.application(id) != nil
        else { throw Problem.applicationUnknown }
        let routes = try await site.service.registeredRoutes(of: id)
        return .json(
            .ok,
            JSONWriter.text { writer in
                writer.beginObject()
                writer.array("routes", routes) { route, writer in
                    writer.beginObject()
                    writer.member("path", route.path.text)
                    writer.member("version", route.version)
                    writer.member("build", route.build)
                    writer.member("platform", route.platform?.rawValue)
                    writer.member("device", route.device)
                    writer.strings("urlSchemes", route.urlSchemes)
                    writer.member("registeredAt", route.registeredAt.wholeSecond)
                    writer.endObject()
                }
                writer.endObject()
            })
    }
}
