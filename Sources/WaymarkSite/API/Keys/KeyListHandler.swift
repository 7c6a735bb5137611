import WaymarkAPI
import WaymarkHTTP
import WaymarkServer
import WaymarkService

/// `GET /api/v1/keys`: without the keys themselves.
enum KeyListHandler {
    static func answer(_ call: Call, _ site: Site) async throws -> Response {
        let keys = try await site.service.keys.list(for: call.key)
        return .json(.ok, KeyResponse.list(keys.map { KeyResponse($0, text: nil) }))
    }
}
