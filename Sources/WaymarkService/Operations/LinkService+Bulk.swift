package import WaymarkLinks
package import WaymarkStores

/// The outcome of one of several links that are changed or deleted together.
package enum BulkOutcome<Refusal: Sendable>: Sendable {
    /// As it was before.
    case changed(Link)
    case unchanged(Link)
    case refused(Link, Refusal)
    /// Deleted meanwhile.
    case unknown
}

extension LinkService {
    /// Links decided between two yields to other tasks.
    private static var turn: Int { 32 }

    /// Changes links like `patch`, in one transaction. A link that the change would leave as it is stays untouched, so
    /// that a repeated request changes nothing. When this returns, no visit in this process is served from the old
    /// links.
    ///
    /// - Parameters:
    ///   - links: as just read, each once.
    ///   - isDryRun: whether nothing is written; the outcomes are those of a change.
    package func patch<Refusal: Sendable>(
        _ links: [Link], isDryRun: Bool,
        change: @Sendable (Link, ServedApplication, _ metadata: [UInt8]?) -> PatchDecision<Refusal>
    ) async throws(StoreError) -> [BulkOutcome<Refusal>] {
        var outcomes = [BulkOutcome<Refusal>](repeating: .unknown, count: links.count)
        var open = links.enumerated().map { (place: $0.offset, link: $0.element) }
        while !open.isEmpty {
            var due: [(place: Int, link: Link, change: LinkChange)] = []
            for (index, (place, link)) in open.enumerated() {
                if index % Self.turn == Self.turn - 1 { await Task.yield() }
                guard let application = applications.directory.current.application(link.application) else { continue }
                let metadata = link.hasMetadata ? try await store.metadata(of: link.id) : nil
                switch change(link, application, metadata) {
                case .refuse(let refusal): outcomes[place] = .refused(link, refusal)
                case .change(var change):
                    if case .set(let bytes) = change.metadata, bytes == metadata { change.metadata = .keep }
                    if change.fields(of: link).isEmpty {
                        outcomes[place] = .unchanged(link)
                    } else {
                        outcomes[place] = .changed(link)
                        due.append((place, link, change))
                    }
                }
            }
            open = []
            if isDryRun || due.isEmpty { break }
            for (entry, outcome) in zip(due, try await update(due)) {
                switch outcome {
                case .updated: break
                case .unknown: outcomes[entry.place] = .unknown
                case .versionMismatch:
                    outcomes[entry.place] = .unknown
                    if let link = try await store.link(entry.link.id) { open.append((entry.place, link)) }
                }
            }
        }
        return outcomes
    }

    private func update(
        _ due: [(place: Int, link: Link, change: LinkChange)]
    ) async throws(StoreError) -> [UpdateOutcome] {
        let limited = due.filter { $0.change.content.maxClicks != $0.link.content.maxClicks }
        // Clicks from before there was a limit count towards it, including those not yet written.
        if !limited.isEmpty { try await clicks.flush() }
        defer { for entry in due { forget(entry.link) } }
        let outcomes = try await store.update(
            due.map { LinkUpdate(id: $0.link.id, expecting: $0.link.version, change: $0.change) },
            at: dependencies.now())
        for entry in due { forget(entry.link) }
        for entry in limited { await quotas.revoke(entry.link.id) }
        return outcomes
    }

    /// Deletes links in one transaction.
    ///
    /// - Parameters:
    ///   - links: as just read, each once.
    ///   - evenIfChanged: whether links that were changed meanwhile are deleted too.
    package func delete(_ links: [Link], evenIfChanged: Bool = true) async throws(StoreError) -> [LinkDeletion] {
        var done = links.map { _ in LinkDeletion.unknown }
        var open = links.enumerated().map { (place: $0.offset, link: $0.element) }
        while !open.isEmpty {
            let due = open
            open = []
            let now = dependencies.now()
            defer { for entry in due { forget(entry.link) } }
            // This version, because another one may have further addresses in the cache.
            let outcomes = try await store.delete(
                due.map { LinkRemoval(id: $0.link.id, expecting: $0.link.version, at: now) })
            for (entry, outcome) in zip(due, outcomes) {
                switch outcome {
                case .deleted:
                    done[entry.place] = .deleted
                    forget(entry.link)
                    await quotas.revoke(entry.link.id)
                case .unknown: break
                case .versionMismatch:
                    guard evenIfChanged else {
                        done[entry.place] = outcome
                        continue
                    }
                    if let link = try await store.link(entry.link.id) { open.append((entry.place, link)) }
                }
            }
        }
        return done
    }

    /// The link with this ID, if the caller has access to it.
    package func find(_ id: LinkID, for asker: ApplicationReach) async throws(StoreError) -> Link? {
        guard let link = try await store.link(id), asker.contains(link.application) else { return nil }
        return link
    }
}
