package import WaymarkLinks
package import WaymarkStores

extension LinkService {
    /// Creates links in order, each with its own outcome, in one transaction of the store.
    ///
    /// - Parameter answer: with an idempotency key, returns the response to store for replays; nil if it is not a
    ///   success. It must be pure, because it may be called more than once.
    package func create(
        _ creations: [NewLink], idempotency: IdempotencyKey? = nil,
        answer: @escaping @Sendable ([CreationOutcome]) -> [UInt8]? = { _ in nil }
    ) async throws(StoreError) -> Replayable<[CreationOutcome]> {
        let now = dependencies.now()
        var drafts = completed(try await withHashedPasswords(creations), at: now)
        if idempotency != nil { try await avoidTakenSlugs(in: &drafts, of: creations) }
        var outcomes: [CreationOutcome] = []
        var open = Array(creations.indices)
        for attempt in 0..<SlugGenerator.attempts {
            let isLast = attempt == SlugGenerator.attempts - 1
            let locations = open
            let known = outcomes
            // The outcomes are final when no generated slug was taken; only then is there a response.
            let whole = { @Sendable (fresh: [CreationOutcome]) -> (outcomes: [CreationOutcome], open: [Int]) in
                // The first attempt includes all links.
                var merged = known.isEmpty ? fresh : known
                var again: [Int] = []
                for (location, outcome) in zip(locations, fresh) {
                    if !known.isEmpty { merged[location] = outcome }
                    if case .slugTaken = outcome, creations[location].slug == nil { again.append(location) }
                }
                return (merged, isLast ? [] : again)
            }
            let kept = idempotency.map { key in
                Idempotency<[CreationOutcome]>(
                    scope: key.scope, fingerprint: key.fingerprint, now: now,
                    expiresAt: Timestamp(rawValue: now.rawValue + configuration.idempotencyLifetime),
                    answer: { fresh in
                        let (merged, again) = whole(fresh)
                        return again.isEmpty ? answer(merged) : nil
                    })
            }
            let batch = attempt == 0 ? drafts : locations.map { drafts[$0] }
            let result: Replayable<[CreationOutcome]>
            do {
                result = try await store.create(batch, idempotency: kept)
            } catch {
                // It is unknown whether the transaction was committed.
                uncover(batch)
                throw error
            }
            guard case .done(let fresh) = result else { return result }
            uncover(batch)
            (outcomes, open) = whole(fresh)
            if open.isEmpty { break }
            for location in open { drafts[location].slug = slugs.slug(attempt: attempt + 1) }
        }
        return .done(outcomes)
    }

    /// The links with their creation time and a generated slug if none was given.
    ///
    /// Not inlined, because the asynchronous caller would reserve space for a link in the task's memory.
    @inline(never)
    private func completed(_ creations: [NewLink], at now: Timestamp) -> [NewLink] {
        creations.map { creation in
            var draft = creation
            draft.slug = draft.slug ?? slugs.slug(attempt: 0)
            if draft.createdAt.rawValue == 0 { draft.createdAt = now }
            return draft
        }
    }

    /// Replaces generated slugs that are taken or occur twice in the batch.
    ///
    /// With an idempotency key, the first transaction must be final: a crash between two transactions would lose the
    /// record and keep the links. So the slugs are looked up beforehand; the remaining risk is that another creator
    /// generates the same 41 bits within the same milliseconds.
    private func avoidTakenSlugs(in drafts: inout [NewLink], of creations: [NewLink]) async throws(StoreError) {
        var used = Set(
            zip(drafts, creations).filter { $1.slug != nil }.map { LinkKey($0.0.domain, caseFolded: $0.0.storedSlug) })
        for location in creations.indices where creations[location].slug == nil {
            for attempt in 0..<SlugGenerator.attempts {
                let (domain, slug) = (drafts[location].domain, drafts[location].storedSlug)
                let isFree = try await store.link(domain, slug) == nil
                if isFree, used.insert(LinkKey(domain, caseFolded: slug)).inserted { break }
                drafts[location].slug = slugs.slug(attempt: attempt + 1)
            }
        }
    }
}

/// An `Idempotency-Key` as stored: two digests.
package struct IdempotencyKey: Sendable, Equatable {
    /// A digest of API key, endpoint and the header's value.
    package let scope: [UInt8]
    /// A digest of the body, equal for bodies that parse to the same JSON.
    package let fingerprint: [UInt8]

    /// - Parameters:
    ///   - value: the header's value, already validated.
    ///   - endpoint: the operation, such as `links:batch`; it must never change.
    ///   - canonicalBody: the parsed body in canonical form.
    package init(
        _ value: String, key: KeyIdentity, endpoint: String, canonicalBody: [UInt8],
        sha256: (_ bytes: [UInt8]) -> [UInt8]
    ) {
        // Each part is prefixed with its length, so that different triples never have the same bytes.
        var bytes: [UInt8] = []
        for part in [key.id, endpoint, value] {
            bytes += Array("\(part.utf8.count):".utf8)
            bytes += Array(part.utf8)
        }
        scope = sha256(bytes)
        fingerprint = sha256(canonicalBody)
    }
}
