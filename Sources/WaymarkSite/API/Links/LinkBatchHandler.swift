import WaymarkAPI
import WaymarkHTTP
import WaymarkJSON
import WaymarkLinks
import WaymarkServer
import WaymarkService
import WaymarkStores

/// `POST /api/v1/links:batch`: up to 1,000 links in one transaction, each with its own outcome.
enum LinkBatchHandler {
    /// Maximum bytes of all errors in one response. The first error of each element is always included.
    private static let errorLimit = 256 * 1024

    /// Each costs some hundredths of a second.
    private static let passwordLimit = 100
    private static let tooManyPasswords = Problem(invalid: [
        FieldProblem(
            field: "password", problem: "at most \(passwordLimit) links of a batch may have one; send several batches")
    ])

    private typealias Admission = Result<LinkAdmission.Admitted, Problem>

    static func answer(_ call: Call, _ site: Site) async throws -> Response {
        let document = try BatchRequest.document(call.body)
        let admission = LinkAdmission(call, site)
        let elements = try BatchRequest.elements(document)
        // A batch is one commit, so it costs one token per hundred links; the first one was taken on admission.
        site.callers.charge((elements.count - 1) / 100, .create, call.peer, key: call.key)
        var canonical = CanonicalBatch(isNeeded: call.idempotencyKey != nil)
        var errorBytes = errorLimit
        var admissions: [Admission] = []
        var passwords = 0
        // Elements are parsed, validated and released one by one.
        for element in elements {
            let link = try BatchRequest.link(element, of: document)
            canonical.append(link)
            do throws(Problem) {
                let admitted = try admission.admit(link)
                if admitted.creation.password != nil {
                    passwords += 1
                    guard passwords <= passwordLimit else { throw tooManyPasswords }
                }
                admissions.append(.success(admitted))
            } catch {
                let problem = error.shortened(to: errorBytes)
                errorBytes = max(0, errorBytes - problem.errorBytes)
                admissions.append(.failure(problem))
            }
        }
        let plan = BatchPlan(admissions, now: site.now)
        let idempotency = call.idempotencyKey.map {
            site.idempotencyKey($0, call.key, "links:batch", canonical: canonical.bytes)
        }
        if plan.creations.isEmpty, idempotency == nil { return .json(.ok, plan.answer([])) }
        let outcome = try await AuditCall.recordingOnce(of: plan.application, after: plan.auditValues) {
            try await site.service.create(plan.creations, idempotency: idempotency) {
                StoredResponse(.ok, body: plan.answer($0)).encoded
            }
        }
        switch outcome {
        case .mismatch: throw Problem.idempotencyMismatch
        case .replay(let bytes):
            guard let kept = StoredResponse(encoded: bytes) else {
                throw StoreError.corrupt("an idempotency record of links:batch can't be read")
            }
            return .json(.ok, kept.body, fields: .replayed)
        case .done(let outcomes): return .json(.ok, plan.answer(outcomes))
        }
    }
}

/// The canonical text of equal batches, assembled element by element.
private struct CanonicalBatch {
    private let isNeeded: Bool
    private var text: [UInt8] = []

    init(isNeeded: Bool) { self.isNeeded = isNeeded }

    mutating func append(_ link: JSONDocument) {
        guard isNeeded else { return }
        text.append(text.isEmpty ? UInt8(ascii: "[") : UInt8(ascii: ","))
        text += link.canonicalBytes
    }

    var bytes: [UInt8] { (text.isEmpty ? [UInt8(ascii: "[")] : text) + [UInt8(ascii: "]")] }
}

/// A batch between validation and response: the elements for the store, and their positions.
private struct BatchPlan: Sendable {
    private enum Position: Sendable {
        case refused(Problem)
        case asked(ServedApplication, NewLink)
    }

    private let indexes: [Position]
    private let now: Timestamp
    let creations: [NewLink]

    init(_ admissions: [Result<LinkAdmission.Admitted, Problem>], now: Timestamp) {
        self.now = now
        indexes = admissions.map { admission in
            switch admission {
            case .failure(let problem): .refused(problem)
            case .success(let admitted): .asked(admitted.application, admitted.creation)
            }
        }
        creations = indexes.compactMap { index in
            if case .asked(_, let creation) = index { creation } else { nil }
        }
    }

    /// Of all the links; nil if there are several.
    var application: ApplicationID? {
        let applications = Set(creations.map(\.application))
        return applications.count == 1 ? applications.first : nil
    }

    var auditValues: AuditValues {
        var values = AuditValues()
        values.add("links", creations.count)
        return values
    }

    /// - Parameter outcomes: the outcomes of `creations`, in their order.
    func answer(_ outcomes: [CreationOutcome]) -> [UInt8] {
        var rest = outcomes[...]
        return BatchResponse(
            results: indexes.map { index in
                switch index {
                case .refused(let problem): .problem(problem)
                case .asked(let application, let creation):
                    result(rest.popFirst() ?? .slugTaken, application, creation)
                }
            }
        ).json
    }

    private func result(
        _ outcome: CreationOutcome, _ application: ServedApplication, _ creation: NewLink
    ) -> BatchResponse.Result {
        switch outcome {
        case .created(let link): .link(status: 201, LinkResponse(link, application.application, at: now))
        case .existing(let link): .link(status: 200, LinkResponse(link, application.application, at: now))
        case .slugTaken, .applicationUnknown: .problem(LinkCreationHandler.problem(outcome, creation))
        }
    }
}
