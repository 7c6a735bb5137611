#if PostgreSQL
    internal import WaymarkStores
    internal import WaymarkLinks

    extension WorkingSet {
        /// The hosts of the new links and their aliases.
        var domains: Set<HostName> { Set(created.flatMap { rows[$0.id]?.link.addresses.map(\.domain) ?? [] }) }

        /// The commands that write the changes, ordered by their dependencies.
        func commands(share: Int64, hosts: [HostName: Int64]) throws -> [Connection.Command] {
            var commands: [Connection.Command] = []
            writeChanges(&commands)
            writeCounts(&commands)
            writeMetadata(&commands)
            if !removedTags.isEmpty {
                commands.append(
                    .init(
                        .removeTags, .byteStrings(removedTags.map { Array($0.tag.utf8) }),
                        .numbers(removedTags.map(\.link.rawValue))))
            }
            for (statement, expiries) in [
                (Statement.removeExpiries, removedExpiries), (.addExpiries, addedExpiries),
            ] where !expiries.isEmpty {
                commands.append(
                    .init(
                        statement, .numbers(expiries.map(\.end.rawValue)), .numbers(expiries.map(\.link.rawValue))))
            }
            writeEvents(&commands)
            if !history.isEmpty { commands.append(.init(history)) }
            if !withoutAliases.isEmpty {
                commands.append(.init(.removeAliases, .numbers(withoutAliases.map(\.rawValue))))
            }
            if !removed.isEmpty {
                commands.append(.init(.removeHistory, .numbers(removed.map(\.rawValue))))
                commands.append(.init(.removeEvents, .numbers(removed.map(\.rawValue))))
                commands.append(.init(.removeClickOrder, .numbers(removed.map(\.rawValue))))
                commands.append(.init(.addLinkDeletions, .numbers(removed.map(\.rawValue))))
                commands.append(.init(.removeLinks, .numbers(removed.map(\.rawValue))))
                // After the links, which are locked by transactions that add activity.
                commands.append(.init(.removeActivity, .numbers(removed.map(\.rawValue))))
                // After the links: until they are locked, another server may be adding blocks.
                commands.append(
                    .init(
                        .removeClickBlocks, .numbers(removed.map(\.rawValue)),
                        .number(Int64(ClickBlock.deletedAtOnce))))
            }
            if !withoutIdentity.isEmpty {
                commands.append(.init(.removeIdentities, .numbers(withoutIdentity.map(\.rawValue).sorted())))
            }
            try writeCreated(&commands, hosts: hosts)
            try writeAliases(&commands, hosts: hosts)
            try writeFolded(&commands, hosts: hosts)
            if !addedTags.isEmpty {
                commands.append(
                    .init(
                        .addTags, .byteStrings(addedTags.map { Array($0.tag.utf8) }),
                        .numbers(addedTags.map(\.link.rawValue))))
            }
            writeUse(&commands, share: share)
            writeRecords(&commands)
            writeBatches(&commands)
            if !conversions.isEmpty { commands.append(.init(conversions)) }
            if !entries.isEmpty { commands.append(.init(entries)) }
            if !outbox.isEmpty { commands.append(.init(.addOutbox, .byteStrings(outbox.map(\.encoded)))) }
            if !removed.isEmpty { commands.append(.init(ClickNote(deletedLinks: Array(removed)))) }
            return commands
        }

        private func writeChanges(_ commands: inout [Connection.Command]) {
            let links = saved.compactMap { rows[$0]?.link }
            guard !links.isEmpty else { return }
            commands.append(
                .init(
                    .saveContents, .numbers(links.map(\.id.rawValue)), .numbers(links.map { Int64($0.version) }),
                    .flags(links.map(\.hasMetadata)), .numbers(links.map { Int64($0.content.redeemLimit) }),
                    .numbers(links.map { $0.content.maxClicks.map(Int64.init) }),
                    .numbers(links.map(\.updatedAt.rawValue)),
                    .byteStrings(links.map { LinkContentCodec.encode($0.content) })))
        }

        private func writeCounts(_ commands: inout [Connection.Command]) {
            guard !counts.isEmpty else { return }
            let counts = Array(counts)
            commands.append(
                .init(
                    .saveCounts, .numbers(counts.map(\.key.rawValue)),
                    .numbers(counts.map { Int64($0.value.taken) }), .numbers(counts.map { Int64($0.value.clicks) }),
                    .numbers(counts.map { Int64($0.value.reserved) }), .numbers(counts.map { Int64($0.value.free) })))
        }

        private func writeEvents(_ commands: inout [Connection.Command]) {
            guard !events.isEmpty else { return }
            let events = Array(events)
            commands.append(
                .init(
                    .addEvents, .numbers(events.map(\.key.rawValue)), .numbers(events.map { Int64($0.value.opens) }),
                    .numbers(events.map { Int64($0.value.installs) })))
        }

        private func writeMetadata(_ commands: inout [Connection.Command]) {
            let gone = savedMetadata.filter { $0.value == nil }.map(\.key.rawValue)
            if !gone.isEmpty { commands.append(.init(.removeMetadata, .numbers(gone))) }
            let set = savedMetadata.compactMap { id, bytes in bytes.map { (id.rawValue, $0) } }
            guard !set.isEmpty else { return }
            commands.append(.init(.saveMetadata, .numbers(set.map(\.0)), .byteStrings(set.map(\.1))))
        }

        private func writeCreated(_ commands: inout [Connection.Command], hosts: [HostName: Int64]) throws {
            guard !created.isEmpty else { return }
            var rows: [(row: Row, host: Int64, created: Created)] = []
            for link in created {
                guard let row = self.rows[link.id], let host = hosts[row.link.domain] else { throw QueryResult.damaged }
                rows.append((row, host, link))
            }
            // Sorted, so that two servers that make the same slugs can't deadlock.
            rows.sort { ($0.row.link.slug.text, $0.host) < ($1.row.link.slug.text, $1.host) }
            let links = rows.map(\.row.link)
            commands.append(
                .init(
                    .addLinks, .numbers(links.map(\.id.rawValue)), .numbers(rows.map(\.row.application)),
                    .numbers(rows.map(\.host)), .texts(links.map(\.slug.text)), .flags(links.map(\.hasMetadata)),
                    .numbers(links.map { Int64($0.content.redeemLimit) }),
                    .numbers(links.map { $0.content.maxClicks.map(Int64.init) }),
                    .numbers(links.map(\.createdAt.rawValue)),
                    .byteStrings(rows.map(\.created.content)), .byteStrings(rows.map(\.created.identity))))
        }

        private func writeAliases(_ commands: inout [Connection.Command], hosts: [HostName: Int64]) throws {
            let links = created.compactMap { rows[$0.id]?.link }.filter { !$0.content.aliases.isEmpty }
            guard !links.isEmpty else { return }
            var aliases: [(slug: String, host: Int64, link: Int64)] = []
            for link in links {
                for alias in link.content.furtherAddresses(of: link.domain) {
                    guard let host = hosts[alias.domain] else { throw QueryResult.damaged }
                    aliases.append((alias.slug.text, host, link.id.rawValue))
                }
            }
            commands.append(
                .init(
                    .addAliases, .texts(aliases.map(\.slug)), .numbers(aliases.map(\.host)),
                    .numbers(aliases.map(\.link))))
        }

        private func writeFolded(_ commands: inout [Connection.Command], hosts: [HostName: Int64]) throws {
            let rows = try createdFolded.map { address, link in
                guard let host = hosts[address.domain] else { throw QueryResult.damaged }
                return (slug: address.slug, host: host, link: link.rawValue)
            }.sorted { ($0.slug, $0.host) < ($1.slug, $1.host) }
            guard !rows.isEmpty else { return }
            commands.append(
                .init(.addFolded, .texts(rows.map(\.slug)), .numbers(rows.map(\.host)), .numbers(rows.map(\.link))))
        }

        private func writeUse(_ commands: inout [Connection.Command], share: Int64) {
            let changed = use.filter { $0.value != 0 }.sorted {
                ($0.key.application, $0.key.kind.rawValue, $0.key.name)
                    < ($1.key.application, $1.key.kind.rawValue, $1.key.name)
            }
            guard !changed.isEmpty else { return }
            commands.append(
                .init(
                    .addUse, .numbers(changed.map(\.key.application)), .numbers(changed.map(\.key.kind.rawValue)),
                    .byteStrings(changed.map { Array($0.key.name.utf8) }), .numbers(changed.map { Int64($0.value) }),
                    .number(share)))
        }

        private func writeRecords(_ commands: inout [Connection.Command]) {
            let kept = savedRecords.compactMap { scope in records[scope].map { (scope, $0) } }
            guard !kept.isEmpty else { return }
            commands.append(
                .init(
                    .saveRecords, .byteStrings(kept.map(\.0)), .byteStrings(kept.map(\.1.fingerprint)),
                    .numbers(kept.map(\.1.expiresAt.rawValue)), .numbers(kept.map(\.1.content.kind)),
                    .byteStrings(kept.map(\.1.content.bytes))))
        }

        private func writeBatches(_ commands: inout [Connection.Command]) {
            let saved = savedBatches.compactMap { writer in batches[writer].map { (writer, $0) } }
            guard !saved.isEmpty else { return }
            commands.append(
                .init(
                    .saveBatches, .byteStrings(saved.map(\.0)), .numbers(saved.map(\.1.batch)),
                    .numbers(saved.map { Int64($0.1.result) }), .numbers(saved.map(\.1.expiresAt.rawValue))))
        }
    }
#endif
