#if PostgreSQL
    internal import WaymarkStores
    internal import WaymarkLinks

    extension WorkingSet {
        mutating func create(
            _ drafts: [NewLink], idempotency: Idempotency<[CreationOutcome]>?
        ) throws -> Replayable<[CreationOutcome]> {
            if let idempotency, let record = record(scope: idempotency.scope, at: idempotency.now) {
                guard record.fingerprint == idempotency.fingerprint, case .answer(let bytes) = record.kept else {
                    return .mismatch
                }
                return .replay(bytes)
            }
            var outcomes: [CreationOutcome] = []
            for draft in drafts { outcomes.append(try create(draft)) }
            if let idempotency, let answer = idempotency.answer(outcomes) {
                keep(
                    .answer(answer), scope: idempotency.scope, fingerprint: idempotency.fingerprint,
                    until: idempotency.expiresAt)
            }
            return .done(outcomes)
        }

        private mutating func create(_ draft: NewLink) throws -> CreationOutcome {
            guard let application = applications[draft.application],
                application.domains.isEmpty || draft.areDomains(application.domains.contains)
            else { return .applicationUnknown }
            let identity = draft.identity.map { Identity(application: draft.application, digest: $0) }
            if let identity, let id = identities[identity], let link = rows[id]?.link {
                if link.isGivenAgain(at: draft.createdAt) { return .existing(link) }
            }
            let addresses = draft.addresses
            // Callers say before that a slug is reserved; only the rules may have changed since.
            guard addresses.areDistinct,
                addresses.allSatisfy({ !taken.contains($0) && application.slugRules.permit($0.slug) })
            else { return .slugTaken }
            let folded = application.slugRules.contains(.ignoreCase) ? Set(addresses.map(FoldedAddress.init)) : []
            guard takenFolded.isDisjoint(with: folded) else { return .slugTaken }
            guard let number = freeIDs.popLast() else { throw PostgresFailure.raced }
            let link = draft.link(id: LinkID(rawValue: number))
            if let identity {
                // The link that had it is never returned again: expired links stay expired.
                if let former = identities[identity] { withoutIdentity.insert(former) }
                identities[identity] = link.id
            }
            taken.formUnion(addresses)
            takenFolded.formUnion(folded)
            createdFolded += folded.map { ($0, link.id) }
            rows[link.id] = Row(link: link, application: application.number, isLocked: true)
            created.append((link.id, draft.identity))
            if let bytes = draft.metadata {
                savedMetadata[link.id] = .some(metadataKeys.stored(bytes, of: .link(link.id)))
            }
            for tag in Set(draft.content.tags) { addedTags.append((tag, link.id)) }
            if let end = draft.content.expiresAt { addedExpiries.append((end, link.id)) }
            count(1, application: application.number, draft.content.uses(on: draft.domain))
            noteChange(of: link)
            report(.linkCreated, link, at: link.createdAt, [])
            return .created(link)
        }

        mutating func update(_ update: LinkUpdate, at now: Timestamp) -> UpdateOutcome {
            let (id, change) = (update.id, update.change)
            guard var row = rows[id] else { return .unknown }
            if let expecting = update.expecting, expecting != row.link.version {
                return .versionMismatch(current: row.link.version)
            }
            let fields = change.fields(of: row.link)
            switch change.metadata {
            case .keep: break
            case .set(let bytes):
                let stored = metadataKeys.stored(bytes, of: .link(id))
                savedMetadata[id] = .some(stored)
                metadata[id] = stored
                row.link.hasMetadata = true
            case .remove:
                savedMetadata[id] = .some(nil)
                metadata[id] = nil
                row.link.hasMetadata = false
            }
            let former = Set(row.link.content.tags)
            let tags = Set(change.content.tags)
            for tag in former.subtracting(tags) { removeTag(tag, of: id) }
            for tag in tags.subtracting(former) {
                removedTags.removeAll { $0 == (tag, id) }
                addedTags.append((tag, id))
            }
            if change.content.expiresAt != row.link.content.expiresAt {
                removeExpiry(of: row.link)
                if let end = change.content.expiresAt { addedExpiries.append((end, id)) }
            }
            count(-1, application: row.application, route: row.link.content.templateRoute)
            count(1, application: row.application, route: change.content.templateRoute)
            row.link.replaceContent(by: change.content)
            row.link.updatedAt = now
            row.link.version += 1
            rows[id] = row
            // Even if it changed nothing, so that `waymark check` misses deleted entries.
            history.append(
                (id, LinkHistoryEntry(version: row.link.version, at: now, author: change.author, fields: fields)))
            saved.insert(id)
            noteChange(of: row.link)
            report(.linkUpdated, row.link, at: now, [.init("changed", .list(fields))])
            return .updated(row.link)
        }

        mutating func delete(_ removal: LinkRemoval) -> LinkDeletion {
            let (id, expecting) = (removal.id, removal.expecting)
            guard let row = rows[id] else { return .unknown }
            if let expecting, expecting != row.link.version { return .versionMismatch(current: row.link.version) }
            rows[id] = nil
            for tag in Set(row.link.content.tags) { removeTag(tag, of: id) }
            removeExpiry(of: row.link)
            savedMetadata[id] = .some(nil)
            metadata[id] = nil
            saved.remove(id)
            counts[id] = nil
            events[id] = nil
            removed.insert(id)
            history.removeAll { $0.link == id }
            if !row.link.content.aliases.isEmpty { withoutAliases.insert(id) }
            count(-1, application: row.application, row.link.content.uses(on: row.link.domain))
            noteChange(of: row.link)
            report(.linkDeleted, row.link, at: removal.at, [])
            return .deleted
        }

        private mutating func removeExpiry(of link: Link) {
            guard let end = link.content.expiresAt else { return }
            addedExpiries.removeAll { $0.link == link.id }
            removedExpiries.append((end, link.id))
        }

        private mutating func removeTag(_ tag: String, of id: LinkID) {
            addedTags.removeAll { $0 == (tag, id) }
            removedTags.append((tag, id))
        }
    }
#endif
