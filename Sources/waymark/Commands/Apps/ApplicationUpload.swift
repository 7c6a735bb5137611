import WaymarkBytes
import WaymarkClient
import WaymarkJSON

/// Puts an application on a server.
///
/// The API has no conditional creation: `PUT` creates or replaces. An application that is created after the check and
/// before `PUT` is replaced, which only the status of the response tells.
struct ApplicationUpload {
    let id: String
    let document: JSONValue
    /// Whether to replace an application of this id.
    let replaces: Bool

    private var target: String { "/api/v1/apps/\(PercentEncoding.encode(id))" }

    /// - Throws: `CommandFailure` with status 2 if the application exists and `replaces` is false; with status 1 if the
    ///   server refuses, or if the application was created by another request during the upload.
    func send(to server: some API) async throws {
        if !replaces { try await checkAbsence(on: server) }
        let response = try await server.send(APIRequest(method: "PUT", target: target, body: document.bytes()))
        guard (200..<300).contains(response.status) else {
            throw CommandFailure.failed(APIFailure.sentence(response))
        }
        guard replaces || response.status == 201 else {
            throw CommandFailure.failed(
                "another request created the application \(id) at the same time, and this one has replaced it; "
                    + "see waymark apps show \(id)")
        }
    }

    private func checkAbsence(on server: some API) async throws {
        let present = try await server.send(APIRequest(method: "GET", target: target))
        switch present.status {
        case 404: return
        case 200:
            throw CommandFailure.usage(
                "the application \(id) is there already; give another --id, or --force to replace it")
        default: throw CommandFailure.failed(APIFailure.sentence(present))
        }
    }
}
