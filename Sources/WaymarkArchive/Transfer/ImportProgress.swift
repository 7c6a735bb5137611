package import WaymarkLinks
package import WaymarkStores

/// The progress of an import, stored in its target in the same transactions. While it is present, the store is
/// incomplete.
package struct ImportProgress: Sendable, Equatable {
    package static let secretName = "import"

    /// Why a store whose secrets include `secretName` may not be used as if it were whole.
    package static let refusal =
        "an import into the database is not finished: run the same import or migrate command again"

    /// The source: an export's ID, or a database's name.
    package var source: String
    /// The last imported link; 0 before the first.
    package private(set) var lastLink: LinkID
    /// The last imported clicks; all links are imported before.
    package private(set) var lastBlock: ClickBlock.Key?
    /// The last imported activity; all clicks are imported before.
    package private(set) var lastActivity: DailyActivity.Key?

    package init(source: String) {
        self.source = source
        lastLink = LinkID(rawValue: 0)
    }

    /// Whether an entry has been imported. Other kinds can be added again.
    func includes(_ entry: ArchiveEntry) -> Bool {
        switch entry {
        case .link(let archived): archived.link.id.rawValue <= lastLink.rawValue
        case .clicks(let block): lastActivity != nil || lastBlock.map { block.key.order <= $0.order } ?? false
        case .activity(let activity): lastActivity.map { activity.key <= $0 } ?? false
        case .application, .extra, .applicationChange, .person, .key, .route, .secret, .webhook, .record, .audit,
            .lastID, .conversions, .total, .linkTotals, .totalsStart:
            false
        }
    }

    mutating func include(_ entry: ArchiveEntry) {
        switch entry {
        case .link(let archived): lastLink = archived.link.id
        case .clicks(let block): lastBlock = block.key
        case .activity(let activity): lastActivity = activity.key
        case .application, .extra, .applicationChange, .person, .key, .route, .secret, .webhook, .record, .audit,
            .lastID, .conversions, .total, .linkTotals, .totalsStart:
            break
        }
    }

    /// The last link, then day, link and number of the last block or link and day of the last activity:
    /// `17 an export`, `17/20778/4/123456 an export`, `17/4/20778 an export`.
    var secret: StoredSecret {
        var order = "\(lastLink.rawValue)"
        if let activity = lastActivity {
            order += "/\(activity.link.rawValue)/\(activity.day)"
        } else if let block = lastBlock {
            order += "/\(block.day)/\(block.link.rawValue)/\(block.number)"
        }
        return StoredSecret(name: Self.secretName, value: Array("\(order) \(source)".utf8))
    }

    init?(_ value: [UInt8]) {
        let parts = String(decoding: value, as: UTF8.self).split(separator: " ", maxSplits: 1)
        guard parts.count == 2 else { return nil }
        let texts = parts[0].split(separator: "/", omittingEmptySubsequences: false)
        let numbers = texts.compactMap { Int64($0) }
        guard numbers.count == texts.count else { return nil }
        self.init(source: String(parts[1]))
        lastLink = LinkID(rawValue: numbers[0])
        switch numbers.count {
        case 1: break
        case 3: lastActivity = DailyActivity.Key(link: LinkID(rawValue: numbers[1]), day: Int(numbers[2]))
        case 4:
            lastBlock = ClickBlock.Key(
                link: LinkID(rawValue: numbers[2]), day: Int(numbers[1]), number: numbers[3])
        default: return nil
        }
    }
}
