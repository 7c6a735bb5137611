#if PostgreSQL
    import LinkStoreContract
    import Testing
    import WaymarkLinks
    import WaymarkPostgres
    import WaymarkStores
    import WaymarkTestSupport

    @Suite(.enabled(if: PostgresServer.isInstalled, "PostgreSQL's server programs are not installed"), .serialized)
    struct PostgresShipmentTests {
        private let stores: [PostgresLinkStore]

        init() throws {
            let url = try PostgresServer.shared.get().database()
            stores = try (0..<2).map { _ in try PostgresLinkStore(url: url) }
        }

        private func close() async {
            for store in stores { await store.close() }
        }

        @Test(arguments: 1...4 as ClosedRange<UInt64>)
        func shipsEachBlockOnceFromAlternatingServers(seed: UInt64) async throws {
            var turn = 0
            do {
                try await ShipmentHistory.hold(seed: seed, steps: 150) { [stores] reopening in
                    if reopening { turn += 1 }
                    return stores[turn % 2]
                }
            } catch {
                Issue.record(error)
            }
            await close()
        }

        @Test(.timeLimit(.minutes(1))) func oneServerShipsUntilItsConnectionEnds() async throws {
            #expect(try await stores[0].holdsShipping())
            #expect(try await stores[0].holdsShipping())
            #expect(try await !stores[1].holdsShipping())
            // A lock of its own.
            #expect(try await stores[1].holdsDispatch())
            await stores[0].close()
            // PostgreSQL ends a session, and with it its locks, after the client has closed its connection.
            while try await !stores[1].holdsShipping() {}
            await close()
        }

        /// Numbers of notes are given before the commit: a lower one may appear after a higher one has been shipped.
        @Test func shipsEachBlockOnceWhileServersWriteAndDelete() async throws {
            try await stores[0].addShop()
            try await stores[0].setShipsClicks(true)
            var links: [Link] = []
            for number in 0..<12 { links.append(try await stores[0].added(SampleLinks.draft("s\(number)"))) }
            let all = links
            var calls: [@Sendable () async throws -> Void] = []
            for round in 0..<20 {
                for (place, store) in stores.enumerated() {
                    let blocks = all.map { link in
                        ClickBlock(
                            key: ClickBlock.Key(link: link.id, day: 20_000, number: Int64(round * 2 + place)),
                            bytes: [0])
                    }
                    calls.append { try await store.append(blocks) }
                }
                if round % 4 == 0 {
                    let (store, link) = (stores[round / 4 % 2], all[round / 4])
                    calls.append {
                        _ = try await store.delete([LinkRemoval(id: link.id, expecting: nil, at: SampleLinks.now)])
                    }
                }
            }
            var arrived: [ClickBlock.Key: Int] = [:]
            var deleted: [LinkID] = []
            func ship(from store: PostgresLinkStore) async throws -> Bool {
                guard let shipment = try await store.shipment(limit: 30) else { return false }
                for block in shipment.blocks {
                    arrived[block.block.key, default: 0] += 1
                    #expect(!deleted.contains(block.block.key.link))
                }
                deleted += shipment.deletedLinks
                try await store.finishShipment(shipment.number)
                return true
            }
            let made = calls
            async let writing = SampleLinks.all(made).count
            for turn in 0..<40 { _ = try await ship(from: stores[turn % 2]) }
            #expect(try await writing == made.count)
            while try await ship(from: stores[0]) {}
            #expect(arrived.values.allSatisfy { $0 == 1 })
            for link in all[5...] { #expect(arrived.keys.count { $0.link == link.id } == 40) }
            #expect(Set(deleted) == Set(all[..<5].map(\.id)) && deleted.count == 5)
            #expect(try await stores[1].waitingShipments().clicks == 0)
            await close()
        }
    }
#endif
