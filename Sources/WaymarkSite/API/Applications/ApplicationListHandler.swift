import WaymarkAPI
import WaymarkHTTP
import WaymarkJSON
import WaymarkServer
import WaymarkService

/// `GET /api/v1/apps`: all that the key may see, by id.
enum ApplicationListHandler {
    static func answer(_ call: Call, _ site: Site) async throws -> Response {
        let applications = site.service.applications.directory.current.applications.filter { call.key.reaches($0.id) }
        return .json(
            .ok,
            JSONWriter.text { writer in
                writer.beginObject()
                writer.array("apps", applications) { $1.raw($0.document) }
                writer.endObject()
            })
    }
}
