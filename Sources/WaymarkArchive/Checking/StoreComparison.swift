import WaymarkBytes
internal import WaymarkLinks
internal import WaymarkStores

/// Verifies that a store has exactly the entries of a source.
struct StoreComparison {
    private let target: any StoreArchive
    private let keys: MetadataKeys

    init(_ target: any StoreArchive, keys: MetadataKeys) {
        self.target = target
        self.keys = keys
    }

    /// - Throws: `ArchiveFailure` with the first difference, or `StoreError`.
    func run(from next: () throws -> ArchiveEntry?, progress: (_ links: Int) -> Void) throws {
        var entries = StoreEntries(target)
        var links = 0
        while let expected = try next() {
            guard let found = try following(expected, &entries) else {
                throw ArchiveFailure("\(Self.noun(expected)) did not arrive")
            }
            guard try areEqual(found, expected) else {
                throw ArchiveFailure("\(Self.noun(expected)) arrived as something else: \(Self.noun(found))")
            }
            guard expected.isLink else { continue }
            links += 1
            if links % StoreEntries.page == 0 { progress(links) }
        }
        while let further = try entries.next() {
            guard isOwn(further) else {
                throw ArchiveFailure("\(Self.noun(further)) is in the database and not in the source")
            }
        }
        progress(links)
    }

    /// The next entry, skipping secrets that only the target has.
    private func following(_ expected: ArchiveEntry, _ entries: inout StoreEntries) throws -> ArchiveEntry? {
        while let entry = try entries.next() {
            if case .secret(let found) = entry, isOwn(entry) {
                if case .secret(let wanted) = expected, wanted.name == found.name { return entry }
                continue
            }
            if isTotal(entry), entry.totalKey != expected.totalKey { continue }
            return entry
        }
        return nil
    }

    /// The import itself created this entry: the proof of the key it sealed with, or totals that the source does not have,
    /// counted from its clicks.
    private func isOwn(_ entry: ArchiveEntry) -> Bool {
        if isTotal(entry) { return true }
        guard case .secret(let secret) = entry, let first = keys.keys.first else { return false }
        return secret.name == MetadataKeys.proofName(first.id)
    }

    private func isTotal(_ entry: ArchiveEntry) -> Bool {
        switch entry {
        case .total, .linkTotals: true
        default: false
        }
    }

    private func areEqual(_ found: ArchiveEntry, _ expected: ArchiveEntry) throws -> Bool {
        // Metadata and secrets are compared decrypted: they may be sealed with another key, or not at all.
        if case .webhook(let one) = found, case .webhook(let other) = expected {
            return try one.opened(with: keys) == other.opened(with: keys)
        }
        guard case .link(var one) = found, case .link(var other) = expected else { return found == expected }
        one.metadata = try one.metadata.map { try keys.opened($0, of: .link(one.link.id)) }
        other.metadata = try other.metadata.map { try keys.opened($0, of: .link(other.link.id)) }
        return one == other
    }

    private static func noun(_ entry: ArchiveEntry) -> String {
        switch entry {
        case .application(let application): "the application \(application.id.text)"
        case .extra(let extra): "the \(extra.name) of the application \(extra.application.text)"
        case .applicationChange(let archived):
            "the version \(archived.change.version) of the application \(archived.application.text)"
        case .person(let person): "the person \(person.id)"
        case .key(let key): "the key \(key.id)"
        case .route(let archived):
            "the registered route \(archived.route.path.text) of the application \(archived.application.text)"
        case .secret(let secret): "the secret \(secret.name)"
        case .webhook(let webhook): "the webhook \(webhook.id)"
        case .conversions(let conversions):
            "the conversions \"\(conversions.key.name)\" of the link with the id \(conversions.key.link.rawValue) on the day "
                + "\(conversions.key.day)"
        case .record(let record): "the record \(Hexadecimal.text(record.scope.prefix(8)))…"
        case .audit(let entry): "the entry of the audit of \(entry.at.rfc3339)"
        case .lastID: "the last id"
        case .clicks(let block):
            "the clicks \(block.key.number) of the link with the id \(block.key.link.rawValue) on the day \(block.key.day)"
        case .total(let total):
            "the clicks of the application \(total.key.application.text) in the quarter \(total.key.quarter)"
        case .linkTotals(let row): "the clicks of the links \(row.key.page) on the day \(row.key.day)"
        case .totalsStart(let day): "the start of totals on the day \(day)"
        case .activity(let activity):
            "the activity of the link with the id \(activity.link.rawValue) on the day \(activity.day)"
        case .link(let archived): "the link \(archived.link.domain.text)/\(archived.link.slug.text)"
        }
    }
}

extension ArchiveEntry {
    /// Differs for different rows of totals; nil for other entries.
    fileprivate var totalKey: [String]? {
        switch self {
        case .total(let total): [total.key.application.text, "\(total.key.quarter)"]
        case .linkTotals(let row): ["\(row.key.day)", "\(row.key.page)", ""]
        default: nil
        }
    }
}
