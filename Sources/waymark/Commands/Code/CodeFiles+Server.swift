import WaymarkAPI
import WaymarkBytes
import WaymarkClient
import WaymarkJSON
import WaymarkLinks
import WaymarkService
import WaymarkSite

extension CodeFiles {
    /// Completes the links with the applications of the files, and with those that the server has.
    ///
    /// - Throws: `CommandFailure` if the server does not show a whole application, or is not Waymark.
    mutating func complete(on api: any API) async throws {
        // What another program answers would be taken for a refusal or for an older server.
        if let server = api as? RemoteAPI { try server.check(try await server.sendPatiently(RemoteAPI.probe)) }
        var known = appsByID
        for id in Set(links.compactMap(\.request.app)).sorted() where known[id] == nil {
            let answer = try await api.sendPatiently(
                APIRequest(method: "GET", target: "/api/v1/apps/\(PercentEncoding.encode(id))"))
            if answer.status == 404 { continue }
            guard answer.isSuccess else { throw CommandFailure.failed(APIFailure.sentence(answer)) }
            guard let application = ApplicationDocument.application(answer.body) else {
                throw CommandFailure.failed(
                    "application \(id) is not shown whole; use a key with the scope admin, or put it into the files")
            }
            known[id] = application
        }
        let place = api is LocalAPI ? "in the database" : "on the server"
        try complete(missing: "is neither in the files nor \(place)") { known[$0] }
    }
}
