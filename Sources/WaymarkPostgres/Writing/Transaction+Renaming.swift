#if PostgreSQL
    internal import WaymarkLinks
    internal import WaymarkStores

    extension Transaction {
        /// Locks out all other changes of links, because a slug must be free among the slugs and among the aliases, and no
        /// index covers both. Renaming is rare.
        func rename(
            _ id: LinkID, expecting: Int?, to slug: Slug, by author: ChangeAuthor?, restoring content: LinkContent?,
            at now: Timestamp
        ) throws -> RenameOutcome {
            _ = try run(.lock, .number(LockKey.registry))
            _ = try run(.lockAllApplications, .number(LockKey.application))
            let links = Argument.numbers([id.rawValue])
            _ = try run(.lockLinks, links, links)
            guard let link = try LinkRow.links(run(.linkByID, .number(id.rawValue))).first else { return .unknown }
            let application = try run(.application, .text(link.application.text))
            guard application.count > 0 else { return .unknown }
            let rules = SlugRules(rawValue: try application.count(0, 2))
            var host: Int64 = 0
            var addsFolded = false
            let outcome = try link.renaming(
                to: slug, expecting: expecting, by: rules, at: now,
                isTaken: {
                    let free = try run(.addressOwner, .text(slug.text), .text(link.domain.text), .number(id.rawValue))
                    if free.count > 0 { host = try free.number(0, 0) }
                    return free.count == 0
                },
                isFoldedTaken: {
                    let owner = try run(.foldedOwners, .texts([slug.caseFolded]), .texts([link.domain.text]))
                    addsFolded = owner.count == 0
                    return try owner.count > 0 && owner.number(0, 1) != id.rawValue
                })
            guard case .renamed(let renamed) = outcome, renamed.version != link.version else { return outcome }
            var set = WorkingSet()
            set.auditCall = auditCall
            set.rows[id] = WorkingSet.Row(link: link, application: try application.number(0, 0), isLocked: true)
            set.subscriptions = try EventSubscriptions(run(.subscriptions))
            var stored = renamed
            if let content {
                var change = LinkChange(content: content, author: author)
                change.slug = slug
                let update = LinkUpdate(id: id, expecting: nil, change: change)
                guard case .updated(let restored) = try set.update(update, of: link, at: now) else { return .unknown }
                stored = restored
            } else {
                set.add(
                    LinkHistoryEntry(
                        version: renamed.version, at: now, author: author, fields: ["slug"], former: .init(link)),
                    toHistoryOf: id)
                set.noteChange(of: renamed)
                set.report(.linkUpdated, renamed, at: now, [.init("changed", .list(["slug"]))])
                try set.audit(renamed: link, to: renamed)
            }
            for change in set.changes { note(change) }
            var commands: [Connection.Command] = [
                .init(.removeAlias, .text(slug.text), .number(host)),
                .init(
                    .saveSlug, .number(id.rawValue), .text(slug.text), .number(Int64(stored.version)),
                    .number(now.rawValue), .bytes(LinkContentCodec.encode(stored.content))),
                .init(.addAliases, .texts([link.slug.text]), .numbers([host]), .numbers([id.rawValue])),
            ]
            commands += try set.commands(share: connection.share, hosts: [:])
            if addsFolded {
                commands.append(
                    .init(.addFolded, .texts([slug.caseFolded]), .numbers([host]), .numbers([id.rawValue])))
            }
            try commit(commands)
            return .renamed(stored)
        }
    }

    extension Connection.Command {
        /// Adds to the history of links.
        init(_ history: [(link: LinkID, entry: LinkHistoryEntry)]) {
            self.init(.addHistory)
            arguments = LinkHistoryEntry.arguments(of: history)
        }
    }

    extension LinkHistoryEntry {
        /// Of `Statement.addHistory`.
        static func arguments(of history: [(link: LinkID, entry: LinkHistoryEntry)]) -> [Argument] {
            [
                .numbers(history.map(\.link.rawValue)), .numbers(history.map { Int64($0.entry.version) }),
                .numbers(history.map(\.entry.at.rawValue)),
                .byteStrings(history.map { $0.entry.author.map { Array($0.id.utf8) } }),
                .byteStrings(history.map { $0.entry.author.map { Array($0.name.utf8) } }),
                .texts(history.map { $0.entry.fields.joined(separator: " ") }),
                .byteStrings(history.map { $0.entry.former.map { Array($0.slug.text.utf8) } }),
                .byteStrings(history.map { $0.entry.former.map { LinkContentCodec.encode($0.content) } }),
            ]
        }

        /// Decodes the columns version, at, author, author_name, fields, slug, content.
        init(_ result: QueryResult, _ row: Int) throws(StoreError) {
            var author: ChangeAuthor?
            if let id = try result.optionalBytes(row, 2) {
                let name = try result.optionalBytes(row, 3) ?? []
                author = ChangeAuthor(
                    id: String(decoding: id, as: UTF8.self), name: String(decoding: name, as: UTF8.self))
            }
            self.init(
                version: try result.count(row, 0), at: try result.timestamp(row, 1), author: author,
                fields: try result.text(row, 4).split(separator: " ").map(String.init),
                former: Former(
                    slug: try result.optionalBytes(row, 5).map { String(decoding: $0, as: UTF8.self) },
                    content: try result.optionalBytes(row, 6)))
        }
    }
#endif
