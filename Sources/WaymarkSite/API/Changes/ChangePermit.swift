import WaymarkAPI
import WaymarkLinks
import WaymarkService
import WaymarkStores

/// Whether a bulk request may be made, and which versions its links must still have.
///
/// An assistant that changes more links than `unplannedLinks` must have planned or rehearsed exactly this change, of exactly these
/// versions; where people can sign in, one of them must have confirmed it. Other programs may name a plan, too.
struct ChangePermit: Sendable {
    /// Nil: any.
    private(set) var versions: [LinkID: Int]?
    private(set) var confirmedBy: String?

    /// - Parameter change: nil for a deletion.
    /// - Throws: `Problem` if it may not; `StoreError`. A hash that it takes is used up.
    init(
        for change: BulkChange?, _ request: BulkRequest<LinkFilter>, _ targets: [BulkSelection.Target], _ call: Call,
        _ site: Site
    ) async throws {
        if request.dryRun { return }
        let isBounded = call.isAssistant && Self.isBounded(targets, site)
        guard let change else {
            guard !isBounded else {
                throw Problem(
                    .planNeeded,
                    "An assistant deletes at most \(site.options.unplannedLinks) links in one request. Let a person delete them."
                )
            }
            return
        }
        guard let hash = request.plan else {
            guard !isBounded else {
                throw Problem(
                    .planNeeded,
                    "An assistant changes more than \(site.options.unplannedLinks) links, here \(targets.count), only with the hash of a plan. \(Self.advice)"
                )
            }
            return
        }
        let changes = try PlannedChanges.of(site)
        guard let planned = try await changes.find(hash), planned.owner == call.key.id else {
            throw Problem(
                .planNeeded, "This hash is unknown, used up, older than an hour or another key's. \(Self.advice)")
        }
        let basis = try await ChangeBasis(targets, keeping: 0, call, site)
        guard try await basis.digest(of: change, changes) == planned.digest else {
            throw Problem(
                .versionMismatch,
                "The change, a link that it selects or their application is not as planned any more. \(Self.advice)")
        }
        if isBounded, planned.confirmedBy == nil {
            switch site.service.keys.confirmers(of: planned.applications) {
            case .none: break
            case .some:
                throw Problem(
                    .confirmationNeeded,
                    "A person who may change these links has to confirm it first, in the dashboard under /_/#/changes. Then send it again."
                )
            case .divided:
                throw Problem(
                    .confirmationNeeded,
                    "A person has to confirm it first, and nobody may change links of all its applications. Plan a change for each application."
                )
            }
        }
        guard try await changes.take(planned) else {
            throw Problem(.planNeeded, "Another request has just used up this hash. \(Self.advice)")
        }
        versions = basis.versions
        confirmedBy = planned.confirmedBy
    }

    /// Whether so many need a plan from an assistant. Links that are named twice count twice, so that nothing has to be read.
    static func isBounded(_ targets: [BulkSelection.Target], _ site: Site) -> Bool {
        targets.count > site.options.unplannedLinks
    }

    private static let advice =
        "Plan it with plan_change or rehearse_change (POST /api/v1/changes:plan or :rehearse), and send the same change with that hash as plan."
}

extension PlannedChanges {
    static func of(_ site: Site) throws(Problem) -> PlannedChanges {
        guard let changes = PlannedChanges(site.service) else {
            throw Problem(.storeUnavailable, "Changes can't be planned without a database.")
        }
        return changes
    }
}
