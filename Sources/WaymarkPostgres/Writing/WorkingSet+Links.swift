#if PostgreSQL
    internal import WaymarkStores
    internal import WaymarkLinks

    extension WorkingSet: LinkTransaction {
        func link(_ id: LinkID) -> Link? { rows[id]?.link }

        /// Groups with links that can't be read are refused when they are loaded.
        func readableLink(_ id: LinkID) -> Link? { link(id) }

        func application(ofLink id: LinkID) -> ApplicationID? { link(id)?.application }

        func metadata(of id: LinkID) throws(StoreError) -> [UInt8]? {
            guard let stored = metadata[id] else { return nil }
            return try metadataKeys.opened(stored, of: .link(id))
        }

        func domainsAndRules(of application: ApplicationID) -> (domains: [HostName], rules: SlugRules)? {
            applications[application].map { ($0.domains, $0.slugRules) }
        }

        func link(withIdentity identity: [UInt8], of application: ApplicationID) -> Link? {
            identities[Identity(application: application, digest: identity)].flatMap(link)
        }

        mutating func removeIdentity(of id: LinkID) {
            if let index = created.firstIndex(where: { $0.id == id }) {
                created[index].identity = nil
            } else {
                withoutIdentity.insert(id)
            }
        }

        func isFoldedTaken(_ address: LinkAddress) -> Bool { takenFolded.contains(FoldedAddress(address)) }

        mutating func insert(_ new: EncodedLink) throws -> Link? {
            let draft = new.link
            let addresses = draft.addresses
            guard let application = applications[draft.application], taken.isDisjoint(with: addresses) else {
                return nil
            }
            guard let number = freeIDs.popLast() else { throw PostgresFailure.raced }
            let link = draft.link(id: LinkID(rawValue: number))
            taken.formUnion(addresses)
            rows[link.id] = Row(link: link, application: application.number, isLocked: true)
            if let identity = draft.identity {
                identities[Identity(application: draft.application, digest: identity)] = link.id
            }
            created.append(Created(id: link.id, identity: draft.identity, content: new.content))
            return link
        }

        mutating func addFolded(_ addresses: [LinkAddress], of id: LinkID) {
            let folded = Set(addresses.map(FoldedAddress.init))
            takenFolded.formUnion(folded)
            createdFolded += folded.map { ($0, id) }
        }

        mutating func save(_ link: Link, replacing old: Link) {
            rows[link.id]?.link = link
            saved.insert(link.id)
        }

        mutating func remove(_ link: Link) {
            let id = link.id
            rows[id] = nil
            savedMetadata[id] = .some(nil)
            metadata[id] = nil
            saved.remove(id)
            counts[id] = nil
            events[id] = nil
            removed.insert(id)
            history.removeAll { $0.link == id }
            if !link.content.aliases.isEmpty { withoutAliases.insert(id) }
        }

        mutating func save(metadata sent: [UInt8]?, of id: LinkID) {
            let stored = sent.map { metadataKeys.stored($0, of: .link(id)) }
            savedMetadata[id] = .some(stored)
            metadata[id] = stored
        }

        mutating func add(tags: Set<String>, to id: LinkID) {
            for tag in tags.map({ LinkTag(tag: $0, link: id) }) {
                removedTags.remove(tag)
                addedTags.insert(tag)
            }
        }

        mutating func remove(tags: Set<String>, from id: LinkID) {
            for tag in tags.map({ LinkTag(tag: $0, link: id) }) {
                addedTags.remove(tag)
                removedTags.insert(tag)
            }
        }

        mutating func addExpiry(_ end: Timestamp?, of id: LinkID) {
            if let end { addedExpiries.append((end, id)) }
        }

        mutating func removeExpiry(_ end: Timestamp?, of id: LinkID) {
            guard let end else { return }
            addedExpiries.removeAll { $0.link == id }
            removedExpiries.append((end, id))
        }

        mutating func count(_ change: Int, _ uses: [(kind: StoredUse.Kind, name: String)], by link: Link) {
            guard let application = rows[link.id]?.application else { return }
            for (kind, name) in uses {
                use[Use(application: application, kind: kind, name: name), default: 0] += change
            }
        }

        mutating func add(_ entry: LinkHistoryEntry, toHistoryOf id: LinkID) { history.append((id, entry)) }

        mutating func noteChange(of link: Link) { changes += StoreChange.of(link) }

        // MARK: Counts

        mutating func takeRedeem(of link: inout Link, limit: Int) throws -> Bool {
            // Its redeems were not counted when the rows were locked: a patch has changed it since.
            guard rows[link.id]?.isLocked == true else { throw PostgresFailure.raced }
            guard link.redeemed < limit else { return false }
            counts[link.id, default: Counts()].taken += 1
            link.redeemed += 1
            rows[link.id]?.link = link
            return true
        }

        mutating func setReservedClicks(_ count: Int, of link: Link) {
            counts[link.id, default: Counts()].reserved += count - link.reservedClicks
            rows[link.id]?.link.reservedClicks = count
        }

        mutating func subtractReservedClicks(_ count: Int, of id: LinkID) {
            guard let link = link(id) else { return }
            setReservedClicks(link.reservedClicks - min(count, link.reservedClicks), of: link)
        }

        func hasSubscriber(of type: EventType) -> Bool { subscriptions.includes(type) }

        mutating func count(_ kind: AppEvent.Kind, for id: LinkID) { events[id, default: EventCounts()].add(kind) }

        mutating func add(_ total: ConversionTotal, to key: ConversionKey) {
            conversions[key, default: ConversionTotal()] += total
        }

        mutating func addClicks(_ clicks: ClickCounts, as write: WriteID) {
            guard result(of: write) == nil else { return }
            remember(write)
            for (id, count) in clicks.links where count > 0 {
                guard var row = rows[id] else { continue }
                let added = min(count, .max - row.link.clicks)
                counts[id, default: Counts()].clicks += added
                row.link.clicks += added
                if let free = clicks.free[id] {
                    counts[id]?.free += row.link.addFreeClicks(free)
                }
                rows[id] = row
            }
        }
    }
#endif
