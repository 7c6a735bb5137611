import WaymarkLinks
package import WaymarkStores

/// Appends, deletions, shipments and reopenings at random, beside a model of what has to arrive.
package struct ShipmentHistory {
    private var random: ClickHistory
    private var links: [Link] = []
    private var gone: [Link] = []
    private var slugs = 0
    /// Blocks that are stored.
    private var stored: [ClickBlock.Key: ClickBlock] = [:]
    /// How often each has arrived.
    private var arrived: [ClickBlock.Key: Int] = [:]
    private var arrivedDeletions: [LinkID: Int] = [:]
    private var underWay: ClickShipment?

    /// - Parameter store: Gives the store of the same database, closed and opened again if asked to.
    package static func hold(
        seed: UInt64, steps: Int, store: (_ reopening: Bool) async throws -> any LinkStore
    ) async throws {
        var history = ShipmentHistory(random: ClickHistory(seed: seed))
        try await history.run(steps, store)
    }

    private init(random: ClickHistory) { self.random = random }

    private mutating func run(_ steps: Int, _ open: (Bool) async throws -> any LinkStore) async throws {
        var store = try await open(false)
        try await store.addApplication()
        try await store.clickShipments.setShipsClicks(true)
        for _ in 0..<4 { try await addLink(to: store) }
        for _ in 0..<steps {
            switch random.random(16) {
            case 0..<6: try await append(to: store)
            case 6: try await deleteLink(of: store)
            case 7: try await drop(from: store)
            case 8: store = try await open(true)
            case 9: try await noteAgain(in: store)
            default: try await ship(from: store, finishes: random.random(2) == 0)
            }
        }
        while try await ship(from: store, finishes: true) {}
        let waiting = try await store.clickShipments.waitingShipments()
        try expect(waiting.clicks, is: 0)
        try expect(waiting.oldest, is: nil)
        for key in stored.keys { try expect(arrived[key] ?? 0, is: 1) }
        try expect(arrived.values.allSatisfy { $0 == 1 }, "no block arrives twice")
        try expect(arrivedDeletions, is: Dictionary(uniqueKeysWithValues: gone.map { ($0.id, 1) }))
    }

    private mutating func addLink(to store: any LinkStore) async throws {
        slugs += 1
        links.append(try await store.added(Sample.draft("s\(slugs)")))
    }

    private mutating func append(to store: any LinkStore) async throws {
        var blocks: [ClickBlock] = []
        for _ in 0...random.random(6) {
            let second = Int64(20_000 + random.random(5)) * 86_400
            switch random.random(8) {
            case 0:
                // Of a link that is gone, as a late write has.
                guard !gone.isEmpty else { continue }
                blocks.append(random.block(gone[random.random(gone.count)], second: second, clicks: 3))
            case 1:
                guard let known = stored.values.min(by: { $0.key < $1.key }) else { continue }
                blocks.append(known)
            case let kind:
                var block = random.block(
                    links[random.random(links.count)], second: second, clicks: 1 + random.random(30))
                if kind < 4 { block.tally = nil }
                blocks.append(block)
                stored[block.key] = block
            }
        }
        try await store.clickRecords.append(blocks)
    }

    private mutating func deleteLink(of store: any LinkStore) async throws {
        let link = links.remove(at: random.random(links.count))
        try expect(try await store.delete(link.id, expecting: nil), is: .deleted)
        gone.append(link)
        stored = stored.filter { $0.key.link != link.id }
        try await addLink(to: store)
    }

    private mutating func drop(from store: any LinkStore) async throws {
        let day = 20_000 + random.random(3)
        while try await store.clickRecords.dropClicks(before: day, limit: 100) == 100 {}
        stored = stored.filter { $0.key.day >= day }
    }

    /// All that has not arrived waits already.
    private mutating func noteAgain(in store: any LinkStore) async throws {
        try await store.clickShipments.noteBlocks(stored.keys.filter { arrived[$0] == nil })
    }

    @discardableResult
    private mutating func ship(from store: any LinkStore, finishes: Bool) async throws -> Bool {
        let limit = 1 + random.random(60)
        guard let shipment = try await store.clickShipments.shipment(limit: limit) else {
            try expect(underWay == nil, "what is under way is given again")
            return false
        }
        try expect(shipment.isRepeated, is: underWay != nil)
        if let underWay {
            try expect(shipment.number, is: underWay.number)
            try expect(shipment.token, is: underWay.token)
            try expect(shipment.deletedLinks, is: underWay.deletedLinks)
            try expect(shipment.blocks.allSatisfy(underWay.blocks.contains), "nothing is added to a shipment")
        } else {
            let clicks = shipment.blocks.reduce(0) { $0 + $1.block.clickCount }
            try expect(clicks <= limit || shipment.blocks.count == 1, "a shipment is no larger than was asked for")
        }
        for block in shipment.blocks {
            let link = block.block.key.link
            try expect(stored[block.block.key] == block.block, "what is shipped is stored")
            try expect(
                arrivedDeletions[link] == nil && !shipment.deletedLinks.contains(link),
                "nothing of a deleted link is shipped with its deletion or later")
        }
        underWay = shipment
        guard finishes else { return true }
        try await store.clickShipments.finishShipment(shipment.number)
        underWay = nil
        for block in shipment.blocks { arrived[block.block.key, default: 0] += 1 }
        for link in shipment.deletedLinks { arrivedDeletions[link, default: 0] += 1 }
        return true
    }
}
