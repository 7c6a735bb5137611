#if PostgreSQL
    internal import WaymarkLinks
    internal import WaymarkStores

    extension Transaction {
        /// Locks out all other changes of links, because a slug must be free among the slugs and among the aliases, and no
        /// index covers both. Renaming is rare.
        func rename(
            _ id: LinkID, expecting: Int?, to slug: Slug, by author: ChangeAuthor?, at now: Timestamp
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
            for change in StoreChange.of(renamed) { note(change) }
            let entry = LinkHistoryEntry(version: renamed.version, at: now, author: author, fields: ["slug"])
            try publish([OutboxEvent(.linkUpdated, renamed, at: now, [.init("changed", .list(["slug"]))])])
            var set = WorkingSet()
            set.auditCall = auditCall
            try set.audit(renamed: link, to: renamed)
            for entry in set.entries { try add(entry) }
            var commands: [Connection.Command] = [
                .init(.removeAlias, .text(slug.text), .number(host)),
                .init(
                    .saveSlug, .number(id.rawValue), .text(slug.text), .number(Int64(renamed.version)),
                    .number(now.rawValue), .bytes(LinkContentCodec.encode(renamed.content))),
                .init(.addAliases, .texts([link.slug.text]), .numbers([host]), .numbers([id.rawValue])),
                .init([(id, entry)]),
            ]
            if addsFolded {
                commands.append(
                    .init(.addFolded, .texts([slug.caseFolded]), .numbers([host]), .numbers([id.rawValue])))
            }
            try commit(commands)
            return outcome
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
                .texts(history.map { $0.entry.fields.joined(separator: " ") }), .number(Int64(limit)),
            ]
        }

        /// Decodes the columns version, at, author, author_name, fields.
        init(_ result: QueryResult, _ row: Int) throws(StoreError) {
            var author: ChangeAuthor?
            if let id = try result.optionalBytes(row, 2) {
                let name = try result.optionalBytes(row, 3) ?? []
                author = ChangeAuthor(
                    id: String(decoding: id, as: UTF8.self), name: String(decoding: name, as: UTF8.self))
            }
            self.init(
                version: try result.count(row, 0), at: try result.timestamp(row, 1), author: author,
                fields: try result.text(row, 4).split(separator: " ").map(String.init))
        }
    }
#endif
