#if PostgreSQL
    package import WaymarkStores
    import WaymarkLinks

    extension PostgresArchive {
        package func add(
            _ entries: [ArchiveEntry], progress: StoredSecret, expecting: [UInt8]?
        ) throws(StoreError) {
            try transact {
                // Serializes two imports, and an import and a server that changes applications.
                _ = try run(Statement.lock.sql, .number(LockKey.registry))
                let found = try rows(StoredSecret.value(of: progress.name)) { try $0.bytes(0) }
                guard found.first == expecting else {
                    throw StoreError.unavailable("somebody else imports into the same database")
                }
                var links: [ArchivedLink] = []
                var records: [ArchivedRecord] = []
                var blocks: [ClickBlock] = []
                var days: [DailyActivity] = []
                var totals: [ArchivedTotal] = []
                var linkTotals: [LinkTotalsRow] = []
                var conversions: [ArchivedConversions] = []
                for entry in entries {
                    switch entry {
                    case .application(let application): try add(application)
                    case .extra(let extra): try add(extra)
                    case .applicationChange(let archived):
                        let number = try rows(.number(of: archived.application)) { try $0.number(0) }.first
                        guard let number else { throw archived.hasNoApplication }
                        try run(archived.change.replacement(of: number))
                    case .person(let person): for statement in person.replacement { try run(statement) }
                    case .key(let key): try run(key.replacement)
                    case .route(let route): try add(route)
                    case .secret(let secret): try run(secret.replacement)
                    case .webhook(let webhook): for statement in webhook.replacement { try run(statement) }
                    case .audit(let entry): try run(entry.restoration)
                    case .record(let record): records.append(record)
                    case .link(let link): links.append(link)
                    case .clicks(let block): blocks.append(block)
                    case .activity(let day): days.append(day)
                    case .conversions(let row): conversions.append(row)
                    case .total(let total): totals.append(total)
                    case .linkTotals(let row): linkTotals.append(row)
                    case .totalsStart(let day):
                        _ = try run(
                            "INSERT INTO waymark.click_total_start (day) VALUES ($1::int8) ON CONFLICT DO NOTHING",
                            .number(Int64(day)))
                    case .lastID(let id):
                        guard id > 0 else { continue }
                        _ = try run("SELECT setval('waymark.link_id', $1::int8)", .number(id))
                    }
                }
                try add(records)
                try add(links)
                try add(blocks)
                try add(days)
                try add(conversions)
                try add(totals)
                try add(linkTotals)
                try run(progress.replacement)
            }
        }

        package func reseal(_ changes: [ResealedMetadata]) throws(StoreError) -> Int {
            guard !changes.isEmpty else { return 0 }
            // In the order in which servers lock links, to avoid deadlocks.
            let ordered = changes.sorted { $0.link.rawValue < $1.link.rawValue }
            return try transact {
                _ = try run(
                    """
                    SELECT link FROM waymark.link_metadata WHERE link = ANY ($1::int8[]) ORDER BY link FOR UPDATE
                    """, .numbers(ordered.map(\.link.rawValue)))
                return try run(
                    """
                    UPDATE waymark.link_metadata SET metadata = given.after
                    FROM unnest($1::int8[], $2::bytea[], $3::bytea[]) AS given (link, before, after)
                    WHERE link_metadata.link = given.link AND link_metadata.metadata = given.before
                    """, .numbers(ordered.map(\.link.rawValue)), .byteStrings(ordered.map(\.before)),
                    .byteStrings(ordered.map(\.after))
                ).changed
            }
        }

        // MARK: Entries

        private func add(_ conversions: [ArchivedConversions]) throws(StoreError) {
            guard !conversions.isEmpty else { return }
            _ = try run(ConversionRows.replacement, arguments: ConversionRows.arguments(conversions))
        }

        private func add(_ application: StoredApplication) throws(StoreError) {
            let number = Argument.number(
                try run(
                    Statement.saveApplication.sql, .text(application.id.text), .bytes(application.document),
                    .number(Int64(application.version))
                ).number(0, 0))
            // The next start of a server makes what is derived from the rules, once the links are there.
            _ = try run(Statement.saveSlugRules.sql, number, .number(0))
            _ = try run(Statement.removeFolded.sql, number)
            _ = try run(Statement.removeDomains.sql, number)
            _ = try run(Statement.addDomains.sql, .texts(application.domains.map(\.text)), number)
            _ = try run(Statement.removeOtherHosts.sql, number)
            _ = try run(Statement.addOtherHosts.sql, .texts(application.otherHosts.map(\.text)), number)
            guard !application.longLinks.isEmpty else { return }
            do {
                let hosts = try HostNumbers(of: Set(application.longLinks.keys)) { try run($0.sql, $1) }
                let numbers = Array(application.longLinks)
                _ = try run(
                    Statement.addLongLinks.sql, number, .numbers(numbers.map(\.value.rawValue)),
                    .numbers(numbers.map { hosts[$0.key] }))
            } catch {
                throw StoreError(error)
            }
        }

        private func add(_ archived: ArchivedRoute) throws(StoreError) {
            let number = try rows(.number(of: archived.application)) { try $0.number(0) }.first
            guard let number else { throw archived.hasNoApplication }
            try run(archived.route.replacement(of: number))
        }

        private func add(_ extra: ApplicationExtra) throws(StoreError) {
            let number = try rows(.number(of: extra.application)) { try $0.number(0) }.first
            guard let number else { throw .corrupt("the \(extra.name) of an application has no application") }
            try run(extra.replacement(of: number))
        }

        private func add(_ records: [ArchivedRecord]) throws(StoreError) {
            guard !records.isEmpty else { return }
            _ = try run(
                Statement.saveRecords.sql, .byteStrings(records.map(\.scope)), .byteStrings(records.map(\.fingerprint)),
                .numbers(records.map(\.expiresAt.rawValue)), .numbers(records.map(\.kind)),
                .byteStrings(records.map(\.answer)))
        }

        private func add(_ days: [DailyActivity]) throws(StoreError) {
            guard !days.isEmpty else { return }
            let counts = days.map(\.counts.values)
            _ = try run(
                """
                INSERT INTO waymark.link_activity (
                    link, day, opens, installs, resolves, redeems, claims, android_install_events, android_installs)
                SELECT * FROM unnest(
                    $1::int8[], $2::int8[], $3::int8[], $4::int8[], $5::int8[], $6::int8[], $7::int8[], $8::int8[],
                    $9::int8[])
                ON CONFLICT DO NOTHING
                """,
                arguments: [.numbers(days.map(\.link.rawValue)), .numbers(days.map { Int64($0.day) })]
                    + LinkActivity().values.indices.map { index in .numbers(counts.map { Int64($0[index]) }) })
        }

        private func add(_ archived: [ArchivedLink]) throws(StoreError) {
            guard !archived.isEmpty else { return }
            let applications = try numbers(
                of: Set(archived.map(\.link.application.text)),
                "SELECT name, number::int8 FROM waymark.application WHERE name = ANY ($1::text[])")
            let domains = Set(archived.flatMap { $0.link.addresses.map(\.domain.text) })
            _ = try run(Statement.addHosts.sql, .texts(domains.sorted()))
            let hosts = try numbers(of: domains, Statement.loadHosts.sql)
            var applicationNumbers: [Int64] = []
            for link in archived.map(\.link) {
                guard let number = applications[link.application.text] else {
                    throw .corrupt("the link \(link.domain.text)/\(link.slug.text) has no application")
                }
                applicationNumbers.append(number)
            }
            let links = archived.map(\.link)
            _ = try run(
                """
                INSERT INTO waymark.link (id, application, host, slug, version, has_metadata, redeem_limit, redeemed,
                    max_clicks, clicks, reserved, created_at, updated_at, content, identity, free_clicks)
                SELECT * FROM unnest($1::int8[], $2::int8[], $3::int8[], $4::text[], $5::int8[], $6::bool[], $7::int8[],
                    $8::int8[], $9::int8[], $10::int8[], $11::int8[], $12::int8[], $13::int8[], $14::bytea[],
                    $15::bytea[], $16::int8[])
                """, .numbers(links.map(\.id.rawValue)), .numbers(applicationNumbers),
                .numbers(links.map { hosts[$0.domain.text] }), .texts(links.map(\.slug.text)),
                .numbers(links.map { Int64($0.version) }), .flags(archived.map { $0.metadata != nil }),
                .numbers(links.map { Int64($0.content.redeemLimit) }), .numbers(links.map { Int64($0.redeemed) }),
                .numbers(links.map { $0.content.maxClicks.map(Int64.init) }), .numbers(links.map { Int64($0.clicks) }),
                .numbers(links.map { Int64($0.reservedClicks) }), .numbers(links.map(\.createdAt.rawValue)),
                .numbers(links.map(\.updatedAt.rawValue)),
                .byteStrings(links.map { LinkContentCodec.encode($0.content) }), .byteStrings(archived.map(\.identity)),
                .numbers(links.map { Int64($0.freeClicks) }))
            try addParts(of: archived)
            let aliases = links.flatMap { link in
                link.content.furtherAddresses(of: link.domain).map { (address: $0, link: link.id) }
            }
            if !aliases.isEmpty {
                _ = try run(
                    Statement.addAliases.sql, .texts(aliases.map(\.address.slug.text)),
                    .numbers(aliases.map { hosts[$0.address.domain.text] }), .numbers(aliases.map(\.link.rawValue)))
            }
            try addUse(of: links, applicationNumbers)
        }

        private func numbers(of names: Set<String>, _ sql: String) throws(StoreError) -> [String: Int64] {
            let result = try run(sql, .texts(names.sorted()))
            var numbers: [String: Int64] = [:]
            for row in 0..<result.count { numbers[try result.text(row, 0)] = try result.number(row, 1) }
            return numbers
        }

        private func addParts(of archived: [ArchivedLink]) throws(StoreError) {
            let metadata = archived.compactMap { entry in entry.metadata.map { (entry.link.id.rawValue, $0) } }
            if !metadata.isEmpty {
                _ = try run(
                    Statement.saveMetadata.sql, .numbers(metadata.map(\.0)), .byteStrings(metadata.map(\.1)))
            }
            let events = archived.filter { $0.events != EventCounts() }
            if !events.isEmpty {
                _ = try run(
                    Statement.addEvents.sql, .numbers(events.map(\.link.id.rawValue)),
                    .numbers(events.map { Int64($0.events.opens) }),
                    .numbers(events.map { Int64($0.events.installs) }))
            }
            let expiries = archived.compactMap { entry in
                entry.link.content.expiresAt.map { ($0.rawValue, entry.link.id.rawValue) }
            }
            if !expiries.isEmpty {
                _ = try run(Statement.addExpiries.sql, .numbers(expiries.map(\.0)), .numbers(expiries.map(\.1)))
            }
            let clicked = archived.filter { $0.link.clicks > 0 }.map(\.link.id.rawValue)
            if !clicked.isEmpty { _ = try run(Statement.updateClickOrder.sql, .numbers(clicked.sorted())) }
            let history = archived.flatMap { entry in entry.history.map { (link: entry.link.id, entry: $0) } }
            if !history.isEmpty {
                _ = try run(Statement.addHistory.sql, arguments: LinkHistoryEntry.arguments(of: history))
            }
            try noteHistoryStart(of: archived)
            let tags = archived.map(\.link).flatMap { link in
                link.content.indexedTags(of: link.application).map { ($0, link.id.rawValue) }
            }
            if !tags.isEmpty {
                _ = try run(
                    Statement.addTags.sql, .byteStrings(tags.map { Array($0.0.utf8) }), .numbers(tags.map(\.1)))
            }
        }

        private func addUse(of links: [Link], _ applications: [Int64]) throws(StoreError) {
            var use: [WorkingSet.Use: Int] = [:]
            for (link, application) in zip(links, applications) {
                for (kind, name) in link.content.uses(on: link.domain) {
                    use[.init(application: application, kind: kind, name: name), default: 0] += 1
                }
            }
            let counted = Array(use)
            _ = try run(
                Statement.addUse.sql, .numbers(counted.map(\.key.application)),
                .numbers(counted.map(\.key.kind.rawValue)), .byteStrings(counted.map { Array($0.key.name.utf8) }),
                .numbers(counted.map { Int64($0.value) }), .number(connection.share))
        }
    }
#endif
