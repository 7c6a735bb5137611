import WaymarkAPI
import WaymarkServer
import WaymarkService

/// `DELETE /api/v1/keys/{id}`: once it is answered the key is refused.
enum KeyDeletionHandler {
    static func answer(_ call: Call, _ site: Site) async throws -> Response {
        guard try await site.service.keys.delete(call.parameters[0], by: call.key) else {
            throw Problem(.apiKeyUnknown, "No API key has this id.")
        }
        return .noContent
    }
}
