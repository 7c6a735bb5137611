import WaymarkBytes
import WaymarkLinks

/// The links of an interface that answers them page by page.
package final class PageSource: LinkSource {
    package var isRepeatable: Bool { false }
    /// One page, and how to ask for the next; nil behind the last one.
    struct Page: Sendable {
        var links: [ForeignLink]
        var next: (@Sendable () async throws -> Page)?
        /// What is not about single links, one sentence each.
        var notes: [String] = []

        init(links: [ForeignLink], notes: [String] = [], next: (@Sendable () async throws -> Page)? = nil) {
            self.links = links
            self.next = next
            self.notes = notes
        }
    }

    /// How many empty pages may follow each other: a group or domain without links has one.
    static let emptyPageLimit = 1_000
    static let noteLimit = 100

    private var following: (@Sendable () async throws -> Page)?
    private var number = 0
    private var seen: Set<Int> = []
    private var emptyPages = 0
    private var unused = UnusedValues()

    private var pageNotes: [String] = []

    package var notes: [String] { pageNotes + unused.notes("member") }

    init(_ first: @escaping @Sendable () async throws -> Page) { following = first }

    package func next() async throws -> [SourceRow] {
        while let fetch = following {
            try Task.checkCancellation()
            let page = try await fetch()
            following = page.next
            pageNotes += page.notes.prefix(max(0, Self.noteLimit - pageNotes.count))
            guard !page.links.isEmpty else {
                emptyPages += 1
                guard emptyPages < Self.emptyPageLimit else {
                    throw SourceError("the service keeps returning empty pages")
                }
                continue
            }
            emptyPages = 0
            guard isNew(page.links) else { throw SourceError("the service returns the same page again and again") }
            defer { number += page.links.count }
            for link in page.links { for name in link.unused { unused.add(name) } }
            return page.links.enumerated().map { SourceRow(number: number + $0 + 1, link: $1) }
        }
        return []
    }

    /// A service that ignores its page number or cursor would return pages without end.
    private func isNew(_ links: [ForeignLink]) -> Bool {
        guard links.contains(where: { !$0.address.slug.isEmpty }) else { return true }
        return seen.insert(links.map(\.address).hashValue).inserted
    }
}

/// What gives the link behind a URL of Branch.
package struct BranchLookup: Sendable {
    let client: ServiceClient
    let key: String
    let time: ForeignTime

    package func link(_ url: String) async throws -> ForeignLink {
        let target = "/v1/url?url=\(PercentEncoding.encode(url))&branch_key=\(PercentEncoding.encode(key))"
        guard let value = try await client.json(target, isOfOneLink: true) else {
            var link = ForeignLink()
            link.setAddress(url)
            link.refuse("Branch does not know it")
            return link
        }
        return ForeignLink.branch(value, time, url: url)
    }
}

/// A file with a URL of Branch in each line; each is asked for.
final class BranchListSource: LinkSource {
    /// Links asked for between two batches.
    private static let batch = 100

    private var files: ArraySlice<ForeignFile>
    private var lines: LineReader?
    private let lookup: BranchLookup
    private var number = 0
    private var unused = UnusedValues()

    var isRepeatable: Bool { false }
    var notes: [String] { unused.notes("member") }

    init(_ files: [ForeignFile], _ lookup: BranchLookup) {
        self.files = files[...]
        self.lookup = lookup
    }

    func next() async throws -> [SourceRow] {
        var rows: [SourceRow] = []
        while rows.count < Self.batch {
            if lines == nil {
                guard let file = files.popFirst() else { break }
                lines = LineReader(try file.open())
            }
            guard let line = try await lines?.next() else {
                lines = nil
                continue
            }
            let bytes = line.filter { $0 > 0x20 && $0 != 0x22 && $0 != 0x2C }
            let text = String(decoding: bytes, as: UTF8.self)
            guard !text.isEmpty else { continue }
            number += 1
            guard text.utf8.elementsEqual(bytes) else {
                var link = ForeignLink()
                link.refuse("its URL is not UTF-8; save the file as UTF-8")
                rows.append(SourceRow(number: number, link: link))
                continue
            }
            let link = try await lookup.link(text)
            for name in link.unused { unused.add(name) }
            rows.append(SourceRow(number: number, link: link))
        }
        return rows
    }
}
