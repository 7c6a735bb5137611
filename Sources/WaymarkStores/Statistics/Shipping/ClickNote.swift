internal import WaymarkBytes
package import WaymarkLinks

/// What one transaction did that another database for clicks has to get: blocks that it added, links that it deleted.
///
/// A shipment is composed of notes, and stored in the same form.
package struct ClickNote: Sendable, Equatable {
    package struct Block: Sendable, Equatable {
        package var key: ClickBlock.Key
        package var clicks: Int

        package init(key: ClickBlock.Key, clicks: Int) {
            self.key = key
            self.clicks = clicks
        }
    }

    package var blocks: [Block]
    package var deletedLinks: [LinkID]

    package init(blocks: [Block] = [], deletedLinks: [LinkID] = []) {
        self.blocks = blocks
        self.deletedLinks = deletedLinks
    }

    package var isEmpty: Bool { blocks.isEmpty && deletedLinks.isEmpty }
    package var clicks: Int { blocks.reduce(0) { $0 + $1.clicks } }

    package mutating func add(_ block: ClickBlock) { blocks.append(Block(key: block.key, clicks: block.clickCount)) }
}

// MARK: As it is stored

extension ClickNote {
    /// More than any block has, and so little that no sum overflows.
    private static let mostClicks: UInt64 = 1 << 32

    /// Each block by its difference to the one before.
    package var encodedBlocks: [UInt8] {
        var writer = BinaryWriter()
        writer.reserve(blocks.count * 16)
        var last = Block(key: ClickBlock.Key(link: LinkID(rawValue: 0), day: 0, number: 0), clicks: 0)
        for block in blocks {
            writer.signed(Int64(block.key.day &- last.key.day))
            writer.signed(block.key.link.rawValue &- last.key.link.rawValue)
            writer.signed(block.key.number &- last.key.number)
            writer.number(UInt64(max(0, block.clicks)))
            last = block
        }
        return writer.bytes
    }

    package var encodedLinks: [UInt8] {
        var writer = BinaryWriter()
        for link in deletedLinks { writer.signed(link.rawValue) }
        return writer.bytes
    }

    package init(blocks: [UInt8], deletedLinks: [UInt8]) throws(StoreError) {
        self.init()
        var reader = BinaryReader(blocks[...])
        var last = ClickBlock.Key(link: LinkID(rawValue: 0), day: 0, number: 0)
        while !reader.isAtEnd {
            guard let day = reader.signed(), let link = reader.signed(), let number = reader.signed(),
                let clicks = reader.number(), clicks <= Self.mostClicks
            else { throw Self.damaged }
            last = ClickBlock.Key(
                link: LinkID(rawValue: last.link.rawValue &+ link), day: last.day &+ Int(day),
                number: last.number &+ number)
            self.blocks.append(Block(key: last, clicks: Int(clicks)))
        }
        reader = BinaryReader(deletedLinks[...])
        while !reader.isAtEnd {
            guard let link = reader.signed() else { throw Self.damaged }
            self.deletedLinks.append(LinkID(rawValue: link))
        }
    }

    private static var damaged: StoreError { .corrupt("a note of clicks for another database is damaged") }

    /// Of the first of its blocks in the order of their table; empty if it has none. Databases compare it byte by byte.
    package var first: [UInt8] { blocks.min { $0.key.order < $1.key.order }?.key.ordered ?? [] }
    package var last: [UInt8] { blocks.max { $0.key.order < $1.key.order }?.key.ordered ?? [] }
}

extension ClickBlock.Key {
    /// Bytes in the order of keys in their table.
    fileprivate var ordered: [UInt8] {
        [Int64(day), link.rawValue, number].flatMap { part in
            let bits = UInt64(bitPattern: part) ^ 1 << 63
            return (0..<8).map { UInt8(truncatingIfNeeded: bits >> (56 - 8 * $0)) }
        }
    }
}

// MARK: Shipments

extension ClickNote {
    /// Moves what fits from the front of another note to the end of this one, whose size counts too. A deleted link counts as a
    /// click.
    ///
    /// - Returns: Whether it was all of it.
    mutating func take(from other: inout ClickNote, limit: Int, size: inout Int) -> Bool {
        let blocks = other.blocks.prefix { block in
            let more = max(1, block.clicks)
            guard size == 0 || size + more <= limit else { return false }
            size += more
            return true
        }
        self.blocks += blocks
        other.blocks.removeFirst(blocks.count)
        guard other.blocks.isEmpty else { return false }
        // After the blocks, as a deletion comes after the clicks that it deletes.
        let links = other.deletedLinks.prefix(max(size == 0 ? 1 : 0, limit - size))
        size += links.count
        deletedLinks += links
        other.deletedLinks.removeFirst(links.count)
        return other.deletedLinks.isEmpty
    }

    /// 128 bits in hexadecimal digits.
    func token(of shipment: Int64) -> String {
        var message = BinaryWriter()
        message.signed(shipment)
        message.run(encodedBlocks)
        message.run(encodedLinks)
        return [UInt8(1), 2].map { key in
            let hash = SipHash(key: Array(repeating: key, count: 16))?.hash(message.bytes) ?? 0
            let digits = String(hash, radix: 16)
            return String(repeating: "0", count: 16 - digits.count) + digits
        }.joined()
    }
}
