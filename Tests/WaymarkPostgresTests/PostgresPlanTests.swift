#if PostgreSQL
    import WaymarkTestSupport
    import Testing
    import WaymarkLinks
    import WaymarkStores

    @testable import WaymarkPostgres

    /// How PostgreSQL goes about the statements: at ten million links, one that is not along an index is an outage.
    @Suite(.enabled(if: PostgresServer.isInstalled, "PostgreSQL's server programs are not installed"))
    struct PostgresPlanTests {
        /// With the number of their arguments.
        @Test(arguments: [
            (Statement.linkByAddress, 3), (.linkByID, 1), (.linksBySlug, 3), (.listAll, 11), (.listApplication, 11),
            (.listTag, 11), (.lockLinks, 2), (.loadLinks, 1), (.loadCounts, 1), (.loadTaken, 2), (.loadIdentities, 2),
            (.foldedOwners, 2),
            (.loadRecords, 1), (.history, 2), (.addressOwner, 3), (.addHistory, 7), (.removeHistory, 1),
            (.removeAlias, 2), (.removeAliases, 1),
            (.loadMetadata, 1), (.saveCounts, 5), (.purge, 2), (.loadBatches, 1),
            (.clickBlocks, 5), (.addClickBlocks, 4), (.removeClickBlocks, 2), (.lockClickLeftovers, 0),
            (.addLongLinkBlocks, 4), (.longLinks, 1),
            (.dropClicksOfLinks, 2), (.removeClickLeftovers, 1), (.dropClicksOfDays, 2),
            (.totalsOfApplications, 3), (.totalsOfDays, 4), (.totalsOfPages, 3), (.recordedBlocks, 5), (.linkIDs, 3),
            (.totalsToChange, 3), (.linkTotalsToChange, 2), (.hostsOfLinks, 2), (.dropTotals, 2),
            (.dropTotalsOfLinks, 2), (.summaryParts, 3), (.lockSummaryState, 2), (.dropSummaries, 2),
            (.applicationsOfLinks, 2),
        ])
        func goesAlongAnIndex(statement: Statement, arguments: Int) async throws {
            let plan = try await expectIndexes(in: statement.sql, arguments)
            let isListing = [Statement.listAll, .listApplication, .listTag].contains(statement)
            // Newest first is the index's own order, so that a page ends as soon as it is full.
            if isListing { #expect(!plan.contains { $0.contains("Sort") }, "\(plan)") }
        }

        @Test(arguments: [(ShipmentSQL.blocks, 3), (ShipmentSQL.blocksOfDay, 4)])
        func readsShippedBlocksAlongAnIndex(sql: String, arguments: Int) async throws {
            _ = try await expectIndexes(in: sql, arguments)
        }

        /// - Returns: The plan.
        private func expectIndexes(in sql: String, _ arguments: Int) async throws -> [String] {
            let store = try PostgresLinkStore(url: PostgresServer.shared.get().database())
            let plan = try await store.readListing { connection, deadline in
                let values = Array(repeating: "NULL", count: arguments).joined(separator: ", ")
                _ = try connection.run(.init(sql: "PREPARE explained AS " + sql), by: deadline)
                let result = try connection.run(
                    .init(sql: "EXPLAIN (COSTS OFF) EXECUTE explained" + (arguments > 0 ? " (\(values))" : "")),
                    by: deadline)
                return try (0..<result.count).map { try result.text($0, 0) }
            }
            #expect(!plan.contains { $0.contains("Seq Scan on") }, "\(plan)")
            // May read all links before the first lookup.
            #expect(!plan.contains { $0.contains("hashed SubPlan") }, "\(plan)")
            await store.close()
            return plan
        }
    }
#endif
