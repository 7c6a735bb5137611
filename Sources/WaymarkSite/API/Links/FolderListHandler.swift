import WaymarkAPI
import WaymarkHTTP
import WaymarkJSON
import WaymarkLinks
import WaymarkServer
import WaymarkService

/// `GET /api/v1/folders`: the folders that have links, of the applications that the caller may see.
enum FolderListHandler {
    static func answer(_ call: Call, _ site: Site) async throws -> Response {
        let values = call.query.all("app")
        guard values.count <= 1 else {
            throw Problem(invalid: [FieldProblem(field: "app", problem: "is given more than once")])
        }
        let text = values.first.flatMap { $0.isEmpty ? nil : $0 }
        let application = text.flatMap { ApplicationID($0) }
        guard text == nil || application != nil else {
            throw Problem(invalid: [FieldProblem(field: "app", problem: ApplicationID.rule)])
        }
        let folders = try await site.service.folders(of: application, for: call.reach)
        return .json(
            .ok,
            JSONWriter.text { writer in
                writer.beginObject()
                writer.array("folders", folders) { folder, writer in
                    writer.beginObject()
                    writer.member("folder", folder.folder)
                    writer.member("links", folder.links)
                    writer.endObject()
                }
                writer.endObject()
            })
    }
}
