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
            (.foldedOwners, 2), (.loadRecords, 1), (.history, 3), (.historyFrom, 2), (.historyAround, 2),
            (.addressOwner, 3), (.addHistory, 8), (.removeHistory, 1), (.removeAlias, 2), (.removeAliases, 1),
            (.loadMetadata, 1), (.saveCounts, 5), (.purge, 2), (.loadBatches, 1),
            (.clickBlocks, 5), (.addClickBlocks, 4), (.removeClickBlocks, 2), (.lockClickLeftovers, 0),
            (.addLongLinkBlocks, 4), (.longLinks, 1),
            (.dropClicksOfLinks, 2), (.removeClickLeftovers, 1), (.dropClicksOfDays, 2),
            (.totalsOfApplications, 3), (.totalsOfDays, 4), (.totalsOfPages, 3), (.recordedBlocks, 5), (.linkIDs, 3),
            (.totalsToChange, 3), (.linkTotalsToChange, 2), (.hostsOfLinks, 2), (.dropTotals, 2),
            (.dropTotalsOfLinks, 2), (.summaryParts, 3), (.lockSummaryState, 2), (.dropSummaries, 2),
            (.applicationsOfLinks, 2), (.totalsOfShareToChange, 3), (.linkTotalsOfShareToChange, 2),
            (.dropTotalsOfShares, 2), (.dropLinkTotalsOfShares, 2), (.shareToMerge, 6), (.lockApplicationsOfShare, 2),
            (.takeTotalsOfShare, 5), (.takeLinkTotalsOfShare, 5), (.totalsToMerge, 2), (.firstDayOfTotals, 0),
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

        /// 200,000 deliveries are over, 50,000 wait. Statistics are often of a time when none waited.
        @Test(arguments: [false, true])
        func findsDeliveriesAmongThoseThatWait(isAnalyzed: Bool) async throws {
            let server = try PostgresServer.shared.get()
            let url = try server.database()
            let store = try PostgresLinkStore(url: url)
            _ = try await store.webhooks.endpoints()
            for (first, last, state) in [(1, 200_000, 1), (200_001, 250_000, 0)] {
                try server.execute(
                    """
                    INSERT INTO waymark.webhook_delivery
                        (webhook, message, state, next_attempt, round, attempts, order_key)
                    SELECT 1, number, \(state), number, 0, '', number FROM generate_series(\(first), \(last)) AS number
                    """, in: url)
                if state == 1 || isAnalyzed { try server.execute("ANALYZE waymark.webhook_delivery", in: url) }
            }
            let now = Timestamp(rawValue: 0)
            for (statement, arguments, index) in [
                (SQLStatement.due(to: "", in: .changes, at: now, limit: 1), 3, "ready"),
                (.due(to: "", in: .changes, at: now, limit: 1), 3, "order"),
                (.due(to: "", in: .clicks, at: now, limit: 1), 3, "ready"),
                (.dueEndpoints(at: now), 1, "ready"), (.release(firstWith: 1, of: 1), 2, "order"),
                (.oldestClicks(to: 1, limit: 1), 2, "order"), (SQLStatement.arrange(1, of: 1)[0], 3, "pkey"),
                (SQLStatement.arrange(1, of: 1)[1], 2, "order"),
            ] {
                let plan = try await self.plan(of: statement.text, arguments, in: store)
                #expect(plan.contains { $0.contains("using webhook_delivery_\(index) ") }, "\(plan)")
                #expect(!plan.contains { $0.contains("webhook_delivery_due") }, "\(plan)")
                // No walk over all of an endpoint's.
                #expect(!plan.contains { $0.hasSuffix("Index Cond: (webhook = $1)") }, "\(plan)")
            }
            await store.close()
        }

        /// - Returns: The plan.
        private func expectIndexes(in sql: String, _ arguments: Int) async throws -> [String] {
            let store = try PostgresLinkStore(url: PostgresServer.shared.get().database())
            let plan = try await self.plan(of: sql, arguments, in: store)
            #expect(!plan.contains { $0.contains("Seq Scan on") }, "\(plan)")
            // May read all links before the first lookup.
            #expect(!plan.contains { $0.contains("hashed SubPlan") }, "\(plan)")
            await store.close()
            return plan
        }

        private func plan(of sql: String, _ arguments: Int, in store: PostgresLinkStore) async throws -> [String] {
            try await store.readListing { connection, deadline in
                _ = try connection.run(.init(sql: "SELECT set_config('waymark.share', '1', false)"), by: deadline)
                let values = Array(repeating: "NULL", count: arguments).joined(separator: ", ")
                _ = try connection.run(.init(sql: "PREPARE explained AS " + sql), by: deadline)
                defer { _ = try? connection.run(.init(sql: "DEALLOCATE explained"), by: deadline) }
                let result = try connection.run(
                    .init(sql: "EXPLAIN (COSTS OFF) EXECUTE explained" + (arguments > 0 ? " (\(values))" : "")),
                    by: deadline)
                return try (0..<result.count).map { try result.text($0, 0) }
            }
        }
    }
#endif
