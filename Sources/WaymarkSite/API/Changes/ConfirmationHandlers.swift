import WaymarkAPI
import WaymarkHTTP
import WaymarkJSON
import WaymarkLinks
import WaymarkServer
import WaymarkService

/// `GET /api/v1/changes`: what assistants have planned, the newest first.
enum PlannedChangeListHandler {
    static func answer(_ call: Call, _ site: Site) async throws -> Response {
        let changes = try await PlannedChanges.of(site).list(for: call.reach)
        return .json(
            .ok,
            JSONWriter.text { writer in
                writer.beginObject()
                writer.array("changes", changes) { change, writer in PlannedChangeResponse(change).write(to: &writer) }
                writer.endObject()
            })
    }
}

/// `POST /api/v1/changes/{hash}:confirm`: a person lets an assistant make a planned change.
enum ChangeConfirmationHandler {
    static func answer(_ call: Call, _ site: Site) async throws -> Response {
        // A key may be the assistant's own, and a token is a program's.
        guard call.key.person != nil, call.key.person == call.key.id, call.key.sessionID != nil, !call.isAssistant
        else {
            throw Problem(
                .confirmationNeeded,
                "Only a person confirms a change, signed in to the dashboard: not a key, and not an assistant.")
        }
        switch try await PlannedChanges.of(site).confirm(call.parameters[0], by: call.key, for: call.reach) {
        case .confirmed(let change):
            return .json(.ok, JSONWriter.text { PlannedChangeResponse(change).write(to: &$0) })
        case .unknown: throw Problem(.resourceUnknown, "No planned change has this hash; it may be made or expired.")
        case .forbidden:
            throw Problem(.applicationForbidden, "The change has links of applications that you may not change.")
        }
    }
}

extension PlannedChangeResponse {
    fileprivate init(_ change: PlannedChange) {
        self.init(
            hash: change.id, links: change.links, apps: change.applications.map(\.text), change: change.summary ?? "",
            rehearsal: change.rehearsal.map {
                .init(days: $0.days, clicks: $0.clicks, changed: $0.changed, undecidable: $0.undecidable)
            },
            plannedBy: change.ownerName, plannedAt: change.createdAt.wholeSecond,
            expiresAt: change.expiresAt.wholeSecond, confirmedBy: change.confirmedBy)
    }
}
