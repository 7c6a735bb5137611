import WaymarkAPI
import WaymarkHTTP
import WaymarkJSON
import WaymarkLinks
import WaymarkServer
import WaymarkService
import WaymarkStores

/// `PATCH /api/v1/links:batch`: the same change of up to 100,000 links, in several transactions. Sending it again
/// continues what was interrupted, and changes nothing that is done.
enum LinkBulkPatchHandler {
    static func answer(_ call: Call, _ site: Site) async throws -> Response {
        let document = try BulkLimits.document(call.body, filters: LinkFilter.names)
        let request = try BulkRequest(document, filters: LinkFilter.names, for: .change) { LinkFilter(&$0) }
        let change = try await BulkChange(request, document, call, site)
        let isConditional = request.isConditional
        return try await BulkRun(call, site, "links:batch-patch", document, change, request, successStatus: 200).run(
            request.selection
        ) { links, planned in
            let versions = isConditional ? Dictionary(links.map { ($0.id, $0.version) }) { $1 } : planned
            let outcomes = try await site.service.patch(links, isDryRun: request.dryRun) {
                link, served, metadata -> PatchDecision<Problem> in
                // It was changed between reading and writing.
                if let versions, versions[link.id] != link.version {
                    return .refuse(Problem.versionMismatch(current: link.version))
                }
                return change.decision(link, served, metadata)
            }
            return outcomes.map { outcome -> BulkRun.Outcome in
                switch outcome {
                case .changed: .changed
                case .unchanged: .unchanged
                case .refused(_, let problem): .failed(problem)
                case .unknown: .failed(.linkUnknown)
                }
            }
        }
    }
}

/// `POST /api/v1/links:delete`: deletes up to 100,000 links, in several transactions.
enum LinkBulkDeletionHandler {
    static func answer(_ call: Call, _ site: Site) async throws -> Response {
        let document = try BulkLimits.document(call.body, filters: LinkFilter.names)
        let request = try BulkRequest(document, filters: LinkFilter.names, for: .deletion) { LinkFilter(&$0) }
        return try await BulkRun(call, site, "links:delete", document, nil, request, successStatus: 204).run(
            request.selection
        ) { links, _ in
            if request.dryRun { return links.map { _ in .changed } }
            return try await site.service.delete(links, evenIfChanged: !request.isConditional).map {
                outcome -> BulkRun.Outcome in
                switch outcome {
                case .deleted: .changed
                case .unknown: .failed(.linkUnknown)
                case .versionMismatch(let current): .failed(.versionMismatch(current: current))
                }
            }
        }
    }
}

/// A bulk request, piece by piece.
private struct BulkRun: Sendable {
    enum Outcome: Sendable {
        case changed, unchanged
        case failed(Problem)
    }

    /// Maximum bytes of all errors in one response.
    private static let errorLimit = 256 * 1024

    let call: Call
    let site: Site
    let idempotency: IdempotencyKey?
    /// Nil: a deletion.
    private let change: BulkChange?
    private let request: BulkRequest<LinkFilter>
    /// Of each success in the results.
    let successStatus: Int

    init(
        _ call: Call, _ site: Site, _ endpoint: String, _ document: JSONDocument, _ change: BulkChange?,
        _ request: BulkRequest<LinkFilter>, successStatus: Int
    ) {
        self.call = call
        self.site = site
        self.successStatus = successStatus
        self.change = change
        self.request = request
        // The document has the patch as an empty object.
        idempotency = call.idempotencyKey.map { value in
            site.idempotencyKey(
                value, call.key, endpoint, canonical: document.canonicalBytes + (request.patch?.canonicalBytes ?? []))
        }
    }

    func run(
        _ selection: BulkRequest<LinkFilter>.Selection,
        _ work: ([Link], _ planned: [LinkID: Int]?) async throws -> [Outcome]
    ) async throws -> Response {
        if let idempotency {
            switch try await site.service.create([], idempotency: idempotency) {
            case .mismatch: throw Problem.idempotencyMismatch
            case .replay(let bytes):
                guard let kept = StoredResponse(encoded: bytes) else {
                    throw StoreError.corrupt("an idempotency record of a bulk request can't be read")
                }
                return kept.replay
            case .done: break
            }
        }
        let targets = try await BulkSelection(selection, call, site).targets
        var application = call.reach.single
        if case .filter(let filter) = selection { application = filter.application ?? application }
        let permit = try await ChangePermit(for: change, request, targets, call, site)
        var values = change?.auditValues ?? AuditValues()
        values.add("links", targets.count)
        if let name = permit.confirmedBy { values.add("confirmedBy", name) }
        let response = try await AuditCall.recordingOnce(of: application, after: values) {
            try await self.response(to: targets) { try await work($0, permit.versions) }
        }
        let body = response.json(status: successStatus)
        guard let idempotency else { return .json(.ok, body) }
        let outcome = try await site.service.create([], idempotency: idempotency) { _ in
            StoredResponse(.ok, body: body).encoded
        }
        guard case .mismatch = outcome else { return .json(.ok, body) }
        throw Problem.idempotencyMismatch
    }

    private func response(
        to targets: [BulkSelection.Target], _ work: ([Link]) async throws -> [Outcome]
    ) async throws -> BulkResponse {
        var response = BulkResponse()
        var errorBytes = Self.errorLimit
        var seen: Set<LinkID> = []
        var rest = targets[...]
        while !rest.isEmpty {
            let found = try await BulkSelection.links(rest.prefix(BulkSelection.piece), call, site)
            rest = rest.dropFirst(BulkSelection.piece)
            // A link may be named twice, for example by an alias.
            let links = found.compactMap { found in
                if case .link(let link) = found, seen.insert(link.id).inserted { link } else { nil }
            }
            var outcomes: [LinkID: Outcome] = [:]
            for (link, outcome) in zip(links, try await work(links)) {
                outcomes[link.id] = outcome
                response.matched += 1
                if case .changed = outcome { response.changed += 1 }
            }
            for found in found where response.results.count < BulkLimits.results {
                var result: BulkResponse.Result
                switch found {
                case .unknown(let domain, let slug):
                    result = .init(
                        domain: String(domain.prefix(256)), slug: String(slug.prefix(256)), problem: .linkUnknown)
                case .changed(let link):
                    result = .init(
                        domain: link.domain.text, slug: link.slug.text,
                        problem: .versionMismatch(current: link.version))
                case .link(let link):
                    result = .init(domain: link.domain.text, slug: link.slug.text, problem: nil)
                    if case .failed(let problem) = outcomes[link.id] { result.problem = problem }
                }
                if let problem = result.problem?.shortened(to: errorBytes) {
                    errorBytes = max(0, errorBytes - problem.errorBytes)
                    result.problem = problem
                }
                response.results.append(result)
            }
            await Task.yield()
        }
        return response
    }
}
