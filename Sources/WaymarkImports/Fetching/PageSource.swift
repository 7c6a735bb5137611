package import WaymarkLinks

/// The links of an interface that answers them page by page.
package final class PageSource: LinkSource {
    /// One page, and how to ask for the next; nil behind the last one.
    struct Page: Sendable {
        var links: [ForeignLink]
        var next: (@Sendable () async throws -> Page)?
    }

    private var following: (@Sendable () async throws -> Page)?
    private var number = 0

    init(_ first: @escaping @Sendable () async throws -> Page) { following = first }

    package func next() async throws -> [SourceRow] {
        while let fetch = following {
            let page = try await fetch()
            following = page.next
            guard !page.links.isEmpty else { continue }
            defer { number += page.links.count }
            return page.links.enumerated().map { SourceRow(number: number + $0 + 1, link: $1) }
        }
        return []
    }
}

/// What gives the link behind a URL of Branch.
package struct BranchLookup: Sendable {
    let client: ServiceClient
    let key: String
    let time: ForeignTime

    package func link(_ url: String) async throws -> ForeignLink {
        let target = "/v1/url?url=\(ServiceClient.encode(url))&branch_key=\(ServiceClient.encode(key))"
        guard let value = try await client.json(target) else {
            var link = ForeignLink()
            link.setAddress(url)
            link.refuse("Branch does not know it")
            return link
        }
        var link = ForeignLink.branch(value, time)
        // The URL that people hold, whatever the answer calls it.
        if let address = ForeignLink.Address(url: url) { link.address = address }
        return link
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
            guard let line = try lines?.next() else {
                lines = nil
                continue
            }
            let text = String(decoding: line.filter { $0 > 0x20 && $0 != 0x22 && $0 != 0x2C }, as: UTF8.self)
            guard !text.isEmpty else { continue }
            number += 1
            rows.append(SourceRow(number: number, link: try await lookup.link(text)))
        }
        return rows
    }
}
