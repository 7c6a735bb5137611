package import WaymarkLinks

/// How far an import has come, kept in the store that it fills, in the same transactions. While it is there the store
/// is not whole.
package struct ImportProgress: Sendable, Equatable {
    package static let secretName = "import"

    /// What is imported: an export's id, or a database's name.
    package var source: String
    /// The last link that has arrived; 0 before the first.
    package var lastLink: LinkID
    /// The last clicks that have arrived; all links have, then.
    package var lastBlock: ClickBlock.Key?

    package init(source: String, lastLink: LinkID = LinkID(rawValue: 0), lastBlock: ClickBlock.Key? = nil) {
        self.source = source
        self.lastLink = lastLink
        self.lastBlock = lastBlock
    }

    /// `17 an export`, or `17/20778/4/123456 an export`: the last link, and day, link and number of the last block.
    var secret: StoredSecret {
        var place = "\(lastLink.rawValue)"
        if let block = lastBlock { place += "/\(block.day)/\(block.link.rawValue)/\(block.number)" }
        return StoredSecret(name: Self.secretName, value: Array("\(place) \(source)".utf8))
    }

    init?(_ value: [UInt8]) {
        let parts = String(decoding: value, as: UTF8.self).split(separator: " ", maxSplits: 1)
        guard parts.count == 2 else { return nil }
        let numbers = parts[0].split(separator: "/", omittingEmptySubsequences: false).map { Int64($0) }
        guard let id = numbers[0], numbers.count == 1 || numbers.count == 4 else { return nil }
        self.init(source: String(parts[1]), lastLink: LinkID(rawValue: id))
        guard numbers.count == 4 else { return }
        guard let day = numbers[1], let link = numbers[2], let number = numbers[3] else { return nil }
        lastBlock = ClickBlock.Key(link: LinkID(rawValue: link), day: Int(day), number: number)
    }
}
