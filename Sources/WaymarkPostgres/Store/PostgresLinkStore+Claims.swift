#if PostgreSQL
    package import WaymarkStores
    package import WaymarkLinks

    extension PostgresLinkStore {
        package func claim(
            _ given: [ClaimCandidate], at now: Timestamp, idempotency: RedeemIdempotency?
        ) async throws(StoreError) -> ClaimOutcome {
            var readable = given
            if given.contains(where: { $0.rule != nil }), try await !mayWriteRules() {
                for index in readable.indices { readable[index].rule = nil }
            }
            let candidates = readable
            return try await write(as: .claim, order: .count) { needs in
                for candidate in candidates {
                    needs.links.insert(candidate.link)
                    needs.metadata.insert(candidate.link)
                    needs.scopes.insert(candidate.scope)
                    needs.scopes.insert(candidate.installation)
                }
                if let idempotency { needs.scopes.insert(idempotency.scope) }
            } _: { set in
                try set.claim(candidates, at: now, idempotency: idempotency)
            }
        }

        package func record(_ events: [AppEvent], at now: Timestamp) async throws(StoreError) -> [EventOutcome] {
            guard !events.isEmpty else { return [] }
            return try await write(as: .recordEvents, order: .count, weight: events.count) { needs in
                for event in events {
                    needs.scopes.insert(event.digest)
                    guard let link = event.link else { continue }
                    needs.links.insert(link)
                    needs.lockedLinks.insert(link)
                }
            } _: { set in
                try set.record(events, at: now)
            }
        }

        package func eventCounts(of id: LinkID) async throws(StoreError) -> EventCounts {
            try await read(as: .eventCounts, .init(.eventCounts, .number(id.rawValue))) { result in
                guard result.count > 0 else { return EventCounts() }
                return EventCounts(opens: try result.count(0, 0), installs: try result.count(0, 1))
            }
        }

        package func addActivity(_ days: [DailyActivity], as write: WriteID) async throws(StoreError) {
            guard !days.isEmpty else { return }
            let sorted = days.sorted { ($0.link.rawValue, $0.day) < ($1.link.rawValue, $1.day) }
            let counts = sorted.map(\.counts.values)
            try await writeAlone(as: .addActivity) { transaction in
                var command = Connection.Command(.addActivity)
                command.arguments =
                    [.numbers(sorted.map(\.link.rawValue)), .numbers(sorted.map { Int64($0.day) })]
                    + LinkActivity().values.indices.map { index in .numbers(counts.map { Int64($0[index]) }) }
                    + [.bytes(write.writer), .number(write.batch), .number(write.expiresAt.rawValue)]
                try transaction.commit([command])
            }
        }

        package func activity(of id: LinkID, days: Range<Int>) async throws(StoreError) -> [DailyActivity] {
            try await read(
                as: .activity,
                .init(
                    .activity, .number(id.rawValue), .number(Int64(days.lowerBound)), .number(Int64(days.upperBound)))
            ) { result in
                try (0..<result.count).map { row in
                    DailyActivity(
                        link: id, day: Int(try result.number(row, 0)),
                        counts: LinkActivity(values: try (1...7).map { try result.count(row, $0) }))
                }
            }
        }
    }
#endif
