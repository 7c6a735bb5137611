internal import WaymarkJSON
import WaymarkLinks
package import WaymarkStores

/// Writes a store as lines: a header, the entries, an end. An interrupted export can be resumed.
package struct ExportWriter {
    private var digest: LineDigest
    private var lastLink: LinkID?
    private var lastBlock: ClickBlock.Key?
    private var lastActivity: DailyActivity.Key?
    private var lastConversions: ConversionKey?
    private var lastTotal: ArchivedTotal.Key?
    private var lastLinkTotals: TotalsChange.PageKey?
    /// The numbers of long links that an interrupted export has; nil for a new one.
    private var longLinks: Set<LinkID>?
    private var hasHeader = false

    /// The number of links written, including those before an interruption.
    package var links: Int { digest.links }

    package init(sha256: @escaping ([UInt8]) -> [UInt8]) { digest = LineDigest(sha256: sha256) }

    /// Reads the lines of an interrupted export, in order.
    ///
    /// - Returns: whether they contain a link. If not, restarting loses little.
    /// - Throws: `ArchiveFailure` if a line is not an export's, or is its end.
    package mutating func resume(from nextLine: () throws -> [UInt8]?) throws -> Bool {
        while let line = try nextLine() {
            if hasHeader {
                guard let value = try? JSONValue(parsing: line), ArchiveEnd(value) == nil,
                    let entry = ArchiveEntry(value)
                else { throw ArchiveFailure("line \(digest.lines + 1) does not belong to an interrupted export") }
                switch entry {
                case .application(let application): longLinks?.formUnion(application.longLinks.values)
                case .link(let archived): lastLink = archived.link.id
                case .clicks(let block): lastBlock = block.key
                case .activity(let activity): lastActivity = activity.key
                case .conversions(let conversions): lastConversions = conversions.key
                case .total(let total): lastTotal = total.key
                case .linkTotals(let row): lastLinkTotals = row.key
                default: break
                }
                digest.add(line, isLink: entry.isLink)
            } else {
                guard try ArchiveHeader(line: line).format == ArchiveHeader.format else {
                    throw ArchiveFailure("was begun by an older version; delete it and export again")
                }
                hasHeader = true
                longLinks = []
                digest.add(line, isLink: false)
            }
        }
        return lastLink != nil
    }

    /// Writes the remaining lines. The archive must be reading, so that everything is from one snapshot.
    ///
    /// - Parameters:
    ///   - header: written if nothing was written before.
    ///   - opening: the keys to decrypt metadata with; nil leaves it sealed.
    ///   - write: receives a line without its newline.
    /// - Throws: `ArchiveFailure`, `StoreError`, or the errors of `write`.
    package mutating func run(
        _ archive: any StoreArchive, header: ArchiveHeader, opening keys: MetadataKeys?,
        write: (_ line: [UInt8]) throws -> Void
    ) throws {
        if !hasHeader {
            try write(header.line)
            digest.add(header.line, isLink: false)
            hasHeader = true
        }
        var entries = StoreEntries(
            archive, after: lastLink, lastBlock, lastActivity, lastConversions, lastTotal, lastLinkTotals,
            longLinks: lastLink == nil ? nil : longLinks)
        while let entry = try entries.next() {
            guard let entry = try Self.prepared(entry, keys) else { continue }
            let line = entry.line
            digest.add(line, isLink: entry.isLink)
            try write(line)
        }
        try write(digest.end.line)
    }

    private static func prepared(_ entry: ArchiveEntry, _ keys: MetadataKeys?) throws -> ArchiveEntry? {
        guard let keys else { return entry }
        switch entry {
        // Nothing is sealed any more, so the proofs are omitted.
        case .secret(let secret) where secret.name.hasPrefix(MetadataKeys.proofPrefix): return nil
        case .link(var archived):
            archived.metadata = try archived.metadata.map { try keys.opened($0, of: .link(archived.link.id)) }
            return .link(archived)
        case .webhook(let webhook): return .webhook(try webhook.opened(with: keys))
        default: return entry
        }
    }
}
