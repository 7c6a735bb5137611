internal import WaymarkLinks
internal import WaymarkStores

/// Checks one link.
struct LinkCheck {
    private let archive: any StoreArchive
    private let keys: MetadataKeys
    private let domains: [ApplicationID: [HostName]]
    private let isObject: @Sendable (_ metadata: [UInt8]) -> Bool

    init(
        _ archive: any StoreArchive, keys: MetadataKeys, applications: [StoredApplication],
        isObject: @escaping @Sendable (_ metadata: [UInt8]) -> Bool
    ) {
        self.archive = archive
        self.keys = keys
        self.isObject = isObject
        domains = Dictionary(applications.map { ($0.id, $0.domains) }) { first, _ in first }
    }

    func run(_ report: inout StoreCheck.Report, progress: (_ links: Int) -> Void) throws {
        var uses: [StoredUse: Int] = [:]
        var tags = 0
        var aliases = 0
        var last: LinkID?
        let historyStart = try archive.historyStart()
        var search = try SearchCheck(archive)
        while true {
            let page = try archive.links(after: last, limit: StoreEntries.page)
            guard let end = page.last else { break }
            last = end.id
            var pairs: [StoredTag] = []
            var others: [StoredAlias] = []
            var slugs: [StoredAlias] = []
            for row in page {
                report.links += 1
                guard case .link(let archived) = row else {
                    report.note("the link with the id \(row.id.rawValue): its row is damaged")
                    continue
                }
                for problem in problems(of: archived) + historyProblems(of: archived, historyStart) {
                    report.note("\(Self.name(archived.link)): \(problem)")
                }
                try search.add(archived.link, &report)
                count(archived.link, in: &uses)
                let link = archived.link
                pairs += link.content.indexedTags(of: link.application).map { StoredTag(tag: $0, link: link.id) }
                slugs.append(StoredAlias(domain: link.domain, slug: link.slug, link: link.id))
                others += link.content.furtherAddresses(of: link.domain).map {
                    StoredAlias(domain: $0.domain, slug: $0.slug, link: link.id)
                }
            }
            aliases += others.count
            for missing in try archive.missingAliases(others) {
                report.note(
                    "the link with the id \(missing.link.rawValue) is not found by its alias \"\(missing.address.text)\""
                )
            }
            for missing in try archive.missingFolded(slugs + others) {
                report.note(
                    "the link with the id \(missing.link.rawValue) is not found by \"\(missing.address.text)\" in another case",
                    .repairAliases)
            }
            tags += pairs.count
            for missing in try archive.missingTags(pairs) {
                let name = FolderIndex.folder(ofTag: missing.tag).map { "folder \"\($0)\"" } ?? "tag \"\(missing.tag)\""
                report.note("the link with the id \(missing.link.rawValue) is not found by its \(name)")
            }
            try checkOrder(of: page, &report)
            progress(report.links)
        }
        try search.end(&report)
        if let last, try archive.lastID() < last.rawValue {
            report.note("the next id is not above \(last.rawValue), which a link has already")
        }
        if try archive.tagCount() > tags { report.note("tags are stored that their links do not have") }
        if try archive.aliasCount() > aliases { report.note("aliases are stored that their links do not have") }
        try compare(uses, &report)
    }

    private func problems(of archived: ArchivedLink) -> [String] {
        let link = archived.link
        var problems: [String] = []
        if let allowed = domains[link.application], !allowed.isEmpty {
            if !allowed.contains(link.domain) {
                problems.append("its domain is not one of the application \(link.application.text)")
            }
            for case let domain? in link.content.aliases.map(\.domain) where !allowed.contains(domain) {
                problems.append(
                    "the domain \(domain.text) of an alias is not one of the application \(link.application.text)")
            }
        }
        if archived.redeemLimit != link.content.redeemLimit {
            problems.append("its redeem limit is stored as \(archived.redeemLimit) and as \(link.content.redeemLimit)")
        }
        if archived.maxClicks != link.content.maxClicks { problems.append("its maxClicks is stored in two ways") }
        // A patch may set limits below the current counts, so only unpatched links are checked.
        if link.version == 1 {
            if link.redeemed > link.content.redeemLimit {
                problems.append("\(link.redeemed) redeems were taken of \(link.content.redeemLimit)")
            }
            if let most = link.content.maxClicks, link.reservedClicks > most {
                problems.append("\(link.reservedClicks) clicks are reserved of \(most)")
            }
        } else if archived.identity != nil {
            problems.append("it was patched and could still be given again for its identity")
        }
        if link.version < 1 { problems.append("its version is \(link.version)") }
        guard link.hasMetadata == (archived.metadata != nil) else {
            return problems + [link.hasMetadata ? "its metadata is missing" : "it has metadata that nobody receives"]
        }
        if let metadata = archived.metadata {
            do throws(StoreError) {
                if try !isObject(keys.opened(metadata, of: .link(link.id))) {
                    problems.append("its metadata is no JSON object")
                }
            } catch {
                problems.append(error.sentence)
            }
        }
        return problems
    }

    /// - Parameter start: Links that were changed later have an entry for their version; nil: all.
    private func historyProblems(of archived: ArchivedLink, _ start: Timestamp?) -> [String] {
        let link = archived.link
        var problems: [String] = []
        for entry in archived.history where entry.version < 1 || entry.version > link.version {
            problems.append("its history has the version \(entry.version), which it has not had")
        }
        if archived.hasDamagedHistory { problems.append("its history has values that can't be read") }
        if archived.lacksHistory, start.map({ link.updatedAt >= $0 }) ?? true {
            problems.append("its history lacks its last change")
        }
        return problems
    }

    /// The order by clicks may be older than the counts, which never fall.
    private func checkOrder(of page: [ArchivedRow], _ report: inout StoreCheck.Report) throws {
        guard let first = page.first, let last = page.last else { return }
        let order = try archive.clickOrder(in: first.id.rawValue...last.id.rawValue)
        for case .link(let archived) in page {
            guard let clicks = order[archived.link.id], clicks > archived.link.clicks else { continue }
            report.note("\(Self.name(archived.link)): it has more clicks in the order by clicks", .rebuildSearch)
        }
    }

    private func count(_ link: Link, in uses: inout [StoredUse: Int]) {
        for (kind, name) in link.content.uses(on: link.domain) {
            let use = StoredUse(application: link.application.text, kind: kind, name: name, links: 0)
            uses[use, default: 0] += 1
        }
    }

    private func compare(_ counted: [StoredUse: Int], _ report: inout StoreCheck.Report) throws {
        var stored: [StoredUse: Int] = [:]
        for var use in try archive.uses() {
            let links = use.links
            use.links = 0
            stored[use] = links
        }
        let all = Set(counted.keys).union(stored.keys).sorted { ($0.application, $0.name) < ($1.application, $1.name) }
        for use in all where counted[use, default: 0] != stored[use, default: 0] {
            let what = use.kind == .alias ? "aliases" : "links"
            report.note(
                "application \(use.application): \(stored[use, default: 0]) \(what) are counted on \(use.name), "
                    + "and \(counted[use, default: 0]) are there")
        }
    }

    private static func name(_ link: Link) -> String { "\(link.domain.text)/\(link.slug.text)" }
}
