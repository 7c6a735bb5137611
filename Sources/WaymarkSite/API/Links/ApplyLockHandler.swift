import WaymarkAPI
import WaymarkHTTP
import WaymarkJSON
import WaymarkLinks
import WaymarkServer
import WaymarkService
import WaymarkStores

/// `POST /api/v1/links:lock`: takes, renews or frees the lock of those who apply files of links, and keeps what they left.
enum ApplyLockHandler {
    static func answer(_ call: Call, _ site: Site) async throws -> Response {
        let request = try ApplyLockRequest(json: call.body)
        guard let lock = ApplyLock(site.service, read: state, written: json) else {
            throw Problem(StoreError.unavailable("the store keeps no locks"))
        }
        let (isHeld, state) = try await lock.take(for: request.owner, in: call.reach.single, token: request.token)
        if isHeld, let versions = request.versions {
            try await keep(versions, of: request.owner, in: request.app ?? "", call, site)
        }
        var isFreed = false
        if isHeld, request.release == true, let token = request.token { isFreed = try await lock.release(token) }
        return answer(isHeld: isHeld && !isFreed, isFreed ? ApplyLock.State() : state, call.reach, isFreed: isFreed)
    }

    private static func keep(
        _ versions: [String: Int], of owner: String, in app: String, _ call: Call, _ site: Site
    ) async throws {
        guard let application = ApplicationID(app), call.reach.contains(application),
            site.service.applications.directory.current.application(application) != nil
        else {
            throw Problem(invalid: [FieldProblem(field: "app", problem: "is not an application of this key")])
        }
        guard let applied = AppliedVersionsHandler.applied(site),
            try await applied.merge(versions, of: owner, in: application)
        else {
            throw Problem(invalid: [
                FieldProblem(
                    field: "versions", problem: "must leave at most \(AppliedVersions.limit) links an application")
            ])
        }
    }

    private static func answer(
        isHeld: Bool, _ state: ApplyLock.State, _ reach: ApplicationReach, isFreed: Bool
    ) -> Response {
        // An owner's name is for those who may see its links.
        let showsOwner = isHeld || reach.contains(state.application)
        return .json(
            .ok,
            JSONWriter.text { writer in
                writer.beginObject()
                writer.member("held", isHeld)
                writer.member("released", isFreed)
                // The token frees the lock, so only its holder gets it.
                writer.member("token", isHeld ? state.token : nil)
                writer.member("owner", state.owner.isEmpty || !showsOwner ? nil : state.owner)
                writer.member("until", state.token == nil ? nil : state.until.wholeSecond)
                writer.endObject()
            })
    }

    private static func json(_ state: ApplyLock.State) -> [UInt8] {
        JSONWriter.text { writer in
            writer.beginObject()
            writer.member("token", state.token)
            writer.member("owner", state.owner)
            writer.member("app", state.application?.text)
            writer.member("until", state.until.rfc3339)
            writer.endObject()
        }
    }

    private static func state(_ bytes: [UInt8]) -> ApplyLock.State? {
        guard let value = try? JSONValue(parsing: bytes) else { return nil }
        var state = ApplyLock.State()
        state.token = value["token"]?.string
        state.owner = value["owner"]?.string ?? ""
        state.application = value["app"]?.string.flatMap { ApplicationID($0) }
        state.until = value["until"]?.string.flatMap { Timestamp(rfc3339: $0) } ?? state.until
        return state
    }
}
