import WaymarkAPI
import WaymarkHTTP
import WaymarkJSON
import WaymarkLinks
import WaymarkServer
import WaymarkService

/// `POST /api/v1/links`.
enum LinkCreationHandler {
    static func answer(_ call: Call, _ site: Site) async throws -> Response {
        let document = try ObjectReader.document(call.body)
        let admitted = try LinkAdmission(call, site).admit(document)
        let idempotency = call.idempotencyKey.map { site.idempotencyKey($0, call.key, "links", document.root) }
        let now = site.now
        let outcome = try await site.service.create([admitted.creation], idempotency: idempotency) { outcomes in
            outcomes.first.flatMap { kept($0, admitted.application, at: now) }?.encoded
        }
        switch outcome {
        case .mismatch: throw Problem.idempotencyMismatch
        case .replay(let bytes):
            guard let kept = KeptAnswer(encoded: bytes) else {
                throw StoreError.corrupt("an idempotency record of links can't be read")
            }
            return kept.response
        case .done(let outcomes):
            guard let outcome = outcomes.first else { throw Problem(.internalError, "The link was not created.") }
            guard let kept = kept(outcome, admitted.application, at: now) else {
                throw problem(outcome, admitted.creation)
            }
            return kept.response
        }
    }

    /// Nil where there is no link.
    private static func kept(_ outcome: CreationOutcome, _ application: Application, at now: Timestamp) -> KeptAnswer? {
        switch outcome {
        case .created(let link): KeptAnswer(.created, LinkAnswer(link, application, at: now).json)
        case .existing(let link): KeptAnswer(.ok, LinkAnswer(link, application, at: now).json)
        case .slugTaken, .applicationUnknown: nil
        }
    }

    /// What a creation that came to nothing is answered with.
    static func problem(_ outcome: CreationOutcome, _ creation: LinkCreation) -> Problem {
        switch outcome {
        case .applicationUnknown:
            Problem(invalid: [FieldProblem(field: "app", problem: "was deleted or lost the domain just now")])
        default:
            Problem(
                .slugTaken,
                creation.slug.map { "The slug \($0.text) is taken on \(creation.domain.text)." }
                    ?? "No free slug was found; try again.")
        }
    }
}
