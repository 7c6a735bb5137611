import Synchronization
import WaymarkAPI
import WaymarkHTTP
import WaymarkJSON
import WaymarkLinks
import WaymarkServer
import WaymarkService
import WaymarkStores

/// `POST /api/v1/changes:plan`: what a change of many links would do, and the hash under which it may be made.
enum ChangePlanHandler {
    static func answer(_ call: Call, _ site: Site) async throws -> Response {
        let plan = try await ChangePlan(call, site, for: .plan)
        let answer = try await plan.answer(nil, call, site)
        return .json(.ok, answer.json)
    }
}

/// `POST /api/v1/changes:rehearse`: the same with the recorded clicks of whole days, decided as if the change had been made.
enum ChangeRehearsalHandler {
    /// Of one request.
    static let linkLimit = 100

    static func answer(_ call: Call, _ site: Site) async throws -> Response {
        let plan = try await ChangePlan(call, site, for: .rehearsal)
        guard plan.basis.versions.count <= linkLimit else {
            throw Problem(invalid: [
                FieldProblem(
                    field: "select",
                    problem: "matches more than \(linkLimit) links; rehearse fewer, or plan the change without clicks")
            ])
        }
        let rehearsal = try await ReportTurn.run(call, site) { try await rehearse(plan, site) }
        return .json(.ok, try await plan.answer(rehearsal, call, site).json)
    }

    private static func rehearse(_ plan: ChangePlan, _ site: Site) async throws -> ChangeRehearsal {
        var rehearsal = ChangeRehearsal(days: plan.request.days)
        var all = Rehearsal.Answer()
        for link in plan.basis.links where plan.isPossible(link) {
            let outcome = try await site.service.rehearse(
                link, days: plan.request.days, after: all.work, outcome: { $0.outcome(showsOnly: false) },
                change: { plan.change.decision($0, $1, $2) })
            let name = "\(link.domain.text)/\(link.slug.text)"
            switch outcome {
            case .rehearsed(let answer):
                if answer.clicks > 0 {
                    rehearsal.links.append(
                        .init(
                            link: name, clicks: answer.clicks, changed: answer.changed, undecidable: answer.undecidable)
                    )
                }
                all.add(answer)
            // Deleted, or not possible any more: the plan's hash is stale then.
            case .refused, .unknown: continue
            case .tooManyClicks, .tooManyKinds:
                throw Problem(invalid: [
                    FieldProblem(
                        field: "days", problem: "have too many different clicks up to \(name); give fewer days or links"
                    )
                ])
            }
        }
        rehearsal.total = LinkRehearsalResponse(all)
        return rehearsal
    }
}

extension Rehearsal.Answer {
    fileprivate mutating func add(_ other: Rehearsal.Answer) {
        clicks += other.clicks
        changed += other.changed
        undecidable += other.undecidable
        outcomes.merge(other.outcomes, uniquingKeysWith: +)
        why.formUnion(other.why)
        work = other.work
    }
}

/// A change of many links that is not made: each link's fields before and after, and the versions that this was computed from.
struct ChangePlan: Sendable {
    /// Links whose fields are listed.
    private static let listed = 100
    /// Bytes of their values.
    private static let valueLimit = 256 * 1024

    let request: BulkRequest<LinkFilter>
    let change: BulkChange
    let basis: ChangeBasis
    private let isBounded: Bool
    private let digest: String
    private var listed: [ChangePlanResponse.Change] = []
    private var refusals: [LinkID: (link: Link, problem: Problem)] = [:]
    private var refused = 0
    private var changed = 0

    init(_ call: Call, _ site: Site, for purpose: BulkPurpose) async throws {
        let document = try BulkLimits.document(call.body, filters: LinkFilter.names)
        request = try BulkRequest(document, filters: LinkFilter.names, for: purpose) { LinkFilter(&$0) }
        change = try await BulkChange(request, document, call, site)
        let targets = try await BulkSelection(request.selection, call, site).targets
        basis = try await ChangeBasis(targets, keeping: ChangeRehearsalHandler.linkLimit, call, site)
        isBounded = ChangePermit.isBounded(targets, site)
        digest = try await basis.digest(of: change, PlannedChanges.of(site))
        try await compute(targets, call, site)
    }

    func isPossible(_ link: Link) -> Bool { refusals[link.id] == nil }

    private mutating func compute(_ targets: [BulkSelection.Target], _ call: Call, _ site: Site) async throws {
        var seen: Set<LinkID> = []
        var rest = targets[...]
        var bytes = Self.valueLimit
        while !rest.isEmpty {
            let found = try await BulkSelection.links(rest.prefix(BulkSelection.piece), call, site)
            rest = rest.dropFirst(BulkSelection.piece)
            var links: [Link] = []
            for case .link(let link) in found where seen.insert(link.id).inserted { links.append(link) }
            let decided = DecidedChanges()
            let outcomes = try await site.service.patch(links, isDryRun: true) {
                [change] link, served, metadata -> PatchDecision<Problem> in
                let decision = change.decision(link, served, metadata)
                if case .change(let change) = decision { decided.changes.withLock { $0[link.id] = change } }
                return decision
            }
            for outcome in outcomes {
                switch outcome {
                case .changed(let link):
                    changed += 1
                    guard listed.count < Self.listed, let change = decided.changes.withLock({ $0[link.id] }) else {
                        continue
                    }
                    let entry = ChangePlanResponse.Change(link, change, bytes: &bytes)
                    listed.append(entry)
                case .refused(let link, let problem):
                    refused += 1
                    if refusals.count < Self.listed { refusals[link.id] = (link, problem) }
                case .unchanged, .unknown: continue
                }
            }
            await Task.yield()
        }
    }

    /// Stores the plan under its hash.
    func answer(
        _ rehearsal: ChangeRehearsal?, _ call: Call, _ site: Site
    ) async throws -> ChangePlanResponse {
        let changes = try PlannedChanges.of(site)
        let applications = basis.applications.keys.sorted { $0.text < $1.text }
        let needsConfirmation = isBounded && site.service.keys.confirmers(of: applications) != .none
        let summary = PlannedChange.summary(change.confirmationText)
        guard summary != nil || !needsConfirmation else {
            throw Problem(invalid: [
                FieldProblem(
                    field: "body",
                    problem: "is longer than \(PlannedChange.summaryLimit) bytes, too long to confirm; split it")
            ])
        }
        // With its owner: others may plan the same, and each has a plan, and a confirmation, of its own.
        let text = "\(rehearsal == nil ? "plan" : "rehearsal") \(call.key.id) \(digest)"
        let hash = try await changes.hash(Array(text.utf8) + (rehearsal?.json ?? []))
        let made = PlannedChange(
            id: hash, digest: digest, owner: call.key, links: basis.versions.count,
            applications: applications, summary: summary, rehearsal: rehearsal.map { .init($0) }, at: site.now)
        guard let planned = try await changes.add(made) else {
            throw Problem(.overloaded, "There are too many planned changes; wait until some are made or an hour old.")
        }
        return ChangePlanResponse(
            hash: hash, expiresAt: planned.expiresAt.wholeSecond, matched: basis.versions.count, changed: changed,
            refused: refused, changes: listed,
            refusals: refusals.values.sorted { $0.link.id.rawValue < $1.link.id.rawValue }
                .map { .init(link: "\($0.link.domain.text)/\($0.link.slug.text)", problem: $0.problem) },
            needsConfirmation: needsConfirmation, rehearsal: rehearsal)
    }
}

extension PlannedChange.Rehearsal {
    fileprivate init(_ rehearsal: ChangeRehearsal) {
        let total = rehearsal.total
        self.init(
            days: rehearsal.days, clicks: total.clicks, changed: total.changed, undecidable: total.undecidable)
    }
}

/// The links as a change would make them.
private final class DecidedChanges: Sendable {
    let changes = Mutex<[LinkID: LinkChange]>([:])
}

extension ChangePlanResponse.Change {
    /// - Parameter bytes: that values may still have; then only names are given.
    fileprivate init(_ link: Link, _ change: LinkChange, bytes: inout Int) {
        let (before, after) = (Self.values(link.content), Self.values(change.content))
        let fields = change.fields(of: link).map { name -> Field in
            // Secrets and personal data.
            if ["metadata", "password"].contains(name) { return Field(name: name, values: nil) }
            let values = (from: before[name] ?? .null, to: after[name] ?? .null)
            let count = values.from.bytes().count + values.to.bytes().count
            guard count <= bytes else { return Field(name: name, values: nil) }
            bytes -= count
            return Field(name: name, values: values)
        }
        self.init(link: "\(link.domain.text)/\(link.slug.text)", version: link.version, fields: fields)
    }

    private static func values(_ content: LinkContent) -> JSONObject {
        (try? JSONValue(parsing: LinkRequest(content, metadata: nil).json))?.object ?? JSONObject()
    }
}
