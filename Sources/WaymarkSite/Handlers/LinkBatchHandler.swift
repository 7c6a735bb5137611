import WaymarkAPI
import WaymarkHTTP
import WaymarkJSON
import WaymarkLinks
import WaymarkServer
import WaymarkService

/// `POST /api/v1/links:batch`: up to 1,000 links in one transaction, each with its own outcome.
enum LinkBatchHandler {
    private typealias Admission = Result<LinkAdmission.Admitted, Problem>

    static func answer(_ call: Call, _ site: Site) async throws -> Response {
        let document = try ObjectReader.document(call.body)
        let admission = LinkAdmission(call, site)
        let elements = try BatchBody.elements(document)
        // A batch is one commit: it counts by the hundred, and the first was paid for when it was let in.
        site.callers.charge((elements.count - 1) / 100, .create, call.peer, key: call.key)
        let admissions = elements.map { element -> Admission in
            do throws(Problem) {
                return .success(try admission.admit(document, element))
            } catch {
                return .failure(error)
            }
        }
        let plan = BatchPlan(admissions, now: site.now)
        let idempotency = call.idempotencyKey.map { site.idempotencyKey($0, call.key, "links:batch", document.root) }
        if plan.creations.isEmpty, idempotency == nil { return .json(.ok, plan.answer([])) }
        let outcome = try await site.service.create(plan.creations, idempotency: idempotency) {
            KeptAnswer(.ok, body: plan.answer($0)).encoded
        }
        switch outcome {
        case .mismatch: throw Problem.idempotencyMismatch
        case .replay(let bytes):
            guard let kept = KeptAnswer(encoded: bytes) else {
                throw StoreError.corrupt("an idempotency record of links:batch can't be read")
            }
            return .json(.ok, kept.body, fields: .replayed)
        case .done(let outcomes): return .json(.ok, plan.answer(outcomes))
        }
    }
}

/// A batch between the check of its elements and the answer: which elements go to the store, and where each belongs.
private struct BatchPlan: Sendable {
    private enum Place: Sendable {
        case refused(Problem)
        case asked(ServedApplication, LinkCreation)
    }

    private let places: [Place]
    private let now: Timestamp
    let creations: [LinkCreation]

    init(_ admissions: [Result<LinkAdmission.Admitted, Problem>], now: Timestamp) {
        self.now = now
        places = admissions.map { admission in
            switch admission {
            case .failure(let problem): .refused(problem)
            case .success(let admitted): .asked(admitted.application, admitted.creation)
            }
        }
        creations = places.compactMap { place in
            if case .asked(_, let creation) = place { creation } else { nil }
        }
    }

    /// - Parameter outcomes: of `creations`, in their order.
    func answer(_ outcomes: [CreationOutcome]) -> [UInt8] {
        var rest = outcomes[...]
        return BatchAnswer(
            results: places.map { place in
                switch place {
                case .refused(let problem): .problem(problem)
                case .asked(let application, let creation):
                    result(rest.popFirst() ?? .slugTaken, application, creation)
                }
            }
        ).json
    }

    private func result(
        _ outcome: CreationOutcome, _ application: ServedApplication, _ creation: LinkCreation
    ) -> BatchAnswer.Result {
        switch outcome {
        case .created(let link): .link(status: 201, LinkAnswer(link, application.application, at: now))
        case .existing(let link): .link(status: 200, LinkAnswer(link, application.application, at: now))
        case .slugTaken, .applicationUnknown: .problem(LinkCreationHandler.problem(outcome, creation))
        }
    }
}
