package import WaymarkLinks

extension LinkService {
    /// Creates links, each with its own outcome, in order, in one transaction of the store.
    ///
    /// - Parameter answer: with an idempotency key, the answer to keep for replays; nil for one that is no success.
    ///   Pure: it may be asked more than once.
    package func create(
        _ creations: [NewLink], idempotency: IdempotencyKey? = nil,
        answer: @escaping @Sendable ([CreationOutcome]) -> [UInt8]? = { _ in nil }
    ) async throws(StoreError) -> Replayable<[CreationOutcome]> {
        let now = dependencies.now()
        var drafts = completed(creations, at: now)
        if idempotency != nil { try await avoidTakenSlugs(in: &drafts, of: creations) }
        var outcomes: [CreationOutcome] = []
        var open = Array(creations.indices)
        for attempt in 0..<SlugGenerator.attempts {
            let isLast = attempt == SlugGenerator.attempts - 1
            let locations = open
            let known = outcomes
            // Outcomes are complete once no slug that was made here met a taken one; only then is there an answer.
            let whole = { @Sendable (fresh: [CreationOutcome]) -> (outcomes: [CreationOutcome], open: [Int]) in
                // The first attempt is about all of them.
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
                // Whether it was committed is not known.
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

    /// The links with their time, and a slug where none was given.
    ///
    /// Not inlined, because the caller is asynchronous and would keep room for a link in the task's memory.
    @inline(never)
    private func completed(_ creations: [NewLink], at now: Timestamp) -> [NewLink] {
        creations.map { creation in
            var draft = creation
            draft.slug = draft.slug ?? slugs.slug(attempt: 0)
            draft.createdAt = now
            return draft
        }
    }

    /// Replaces slugs that were made here and are taken, or stand twice in the batch.
    ///
    /// With an idempotency key the first transaction has to be the whole answer: a second one after it would leave a
    /// gap in which a crash loses the record and keeps the links. So the slugs are looked up beforehand; what is left is
    /// that another creator draws the same 41 bits within the same milliseconds.
    private func avoidTakenSlugs(in drafts: inout [NewLink], of creations: [NewLink]) async throws(StoreError) {
        var used = Set(zip(drafts, creations).filter { $1.slug != nil }.map { LinkKey($0.0.domain, $0.0.storedSlug) })
        for location in creations.indices where creations[location].slug == nil {
            for attempt in 0..<SlugGenerator.attempts {
                let key = LinkKey(drafts[location].domain, drafts[location].storedSlug)
                let isFree = try await store.link(key.domain, key.slug) == nil
                if isFree, used.insert(key).inserted { break }
                drafts[location].slug = slugs.slug(attempt: attempt + 1)
            }
        }
    }
}
