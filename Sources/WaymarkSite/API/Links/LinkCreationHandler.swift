import WaymarkAPI
import WaymarkHTTP
import WaymarkJSON
import WaymarkLinks
import WaymarkServer
import WaymarkService
import WaymarkStores

/// `POST /api/v1/links`.
enum LinkCreationHandler {
    static func answer(_ call: Call, _ site: Site) async throws -> Response {
        let document = try ObjectReader.document(call.body, shape: LinkRequest.shape)
        let idempotency = call.idempotencyKey.map { site.idempotencyKey($0, call.key, "links", document) }
        let admitted: LinkAdmission.Admitted
        do throws(Problem) {
            admitted = try LinkAdmission(call, site).admit(document)
        } catch {
            // A stored response is returned again, even if the application has changed since.
            if let kept = try await kept(for: idempotency, site) { return kept.replay }
            throw error
        }
        let now = site.now
        let application = admitted.application
        let outcome = try await site.service.create([admitted.creation], idempotency: idempotency) { outcomes in
            outcomes.first.flatMap { kept($0, application, at: now) }?.encoded
        }
        switch outcome {
        case .mismatch: throw Problem.idempotencyMismatch
        case .replay(let bytes): return try kept(in: bytes).replay
        case .done(let outcomes):
            guard let outcome = outcomes.first else { throw Problem(.internalError, "The link was not created.") }
            guard let kept = kept(outcome, application, at: now) else {
                throw problem(outcome, admitted.creation)
            }
            return kept.response
        }
    }

    /// The response stored for the idempotency key; nil if there is none.
    ///
    /// - Throws: `Problem` if it was stored for another body; `StoreError`.
    private static func kept(for idempotency: IdempotencyKey?, _ site: Site) async throws -> StoredResponse? {
        guard let idempotency else { return nil }
        // Neither creates nor stores anything.
        switch try await site.service.create([], idempotency: idempotency) {
        case .mismatch: throw Problem.idempotencyMismatch
        case .replay(let bytes): return try kept(in: bytes)
        case .done: return nil
        }
    }

    private static func kept(in bytes: [UInt8]) throws(StoreError) -> StoredResponse {
        guard let kept = StoredResponse(encoded: bytes) else {
            throw .corrupt("an idempotency record of links can't be read")
        }
        return kept
    }

    /// Nil if there is no link.
    private static func kept(
        _ outcome: CreationOutcome, _ application: ServedApplication, at now: Timestamp
    ) -> StoredResponse? {
        switch outcome {
        case .created(let link): StoredResponse(.created, LinkResponse(link, application.application, at: now))
        case .existing(let link): StoredResponse(.ok, LinkResponse(link, application.application, at: now))
        case .slugTaken, .applicationUnknown: nil
        }
    }

    /// The problem response for a failed creation.
    static func problem(_ outcome: CreationOutcome, _ creation: NewLink) -> Problem {
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
