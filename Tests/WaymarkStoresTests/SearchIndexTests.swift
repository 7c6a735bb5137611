import Testing
import WaymarkAPI
import WaymarkLinks

@testable import WaymarkStores

@Suite struct SearchIndexTests {
    private func link(_ id: Int64, title: String) throws -> Link {
        var content = LinkContent()
        content.labels[.title] = title
        return Link(
            id: LinkID(rawValue: id), application: try #require(ApplicationID("shop")),
            domain: try #require(HostName("go.example.com")), slug: try #require(Slug("s\(id)")),
            content: content, createdAt: Timestamp(rawValue: 0), updatedAt: Timestamp(rawValue: 0))
    }

    /// Collects what a store would.
    private func found(_ prefix: String, in leaves: [SearchLeaf]) throws -> [Int] {
        let word = Array(prefix.utf8)
        var links = SearchBitmap()
        let start = leaves.lastIndex { !word.lexicographicallyPrecedes($0.first) } ?? 0
        for leaf in leaves[start...] {
            guard try SearchLeaf.collect(word, in: leaf.bytes, into: &links) else { break }
        }
        return links.offsets
    }

    /// Every third link has a rare word, all have a common one, and each has one of its own.
    private func leaves(_ count: Int64) throws -> [SearchLeaf] {
        var builder = SearchPartBuilder(segment: 0)
        for id in 0..<count {
            builder.add(try link(id, title: "common w\(id % 100)x own\(id)" + (id % 3 == 0 ? " third" : "")))
        }
        let (leaves, links) = builder.build()
        #expect(links == Int(count))
        return leaves
    }

    @Test(arguments: [1, 2, 300, 9_000])
    func findsWhatWasAdded(count: Int64) throws {
        let leaves = try leaves(count)
        let all = Array(0..<Int(count))
        #expect(try found("common", in: leaves) == all)
        #expect(try found("c", in: leaves) == all)
        #expect(try found("thir", in: leaves) == all.filter { $0 % 3 == 0 })
        #expect(try found("w7x", in: leaves) == all.filter { $0 % 100 == 7 })
        #expect(try found("own", in: leaves) == all)
        #expect(try found("own\(count - 1)", in: leaves).contains(Int(count) - 1))
        for absent in ["a", "common1", "zzz", "own0x", "\u{10FFFF}"] {
            #expect(try found(absent, in: leaves) == [])
        }
    }

    @Test func findsTheSameAfterMerging() throws {
        let whole = try leaves(5_000)
        var merged = SearchPartBuilder(segment: 0)
        for part in 0..<5 {
            var builder = SearchPartBuilder(segment: 0)
            for id in Int64(part * 1_000)..<Int64((part + 1) * 1_000) {
                builder.add(try link(id, title: "common w\(id % 100)x own\(id)" + (id % 3 == 0 ? " third" : "")))
            }
            for leaf in builder.build().leaves { try merged.add(leaf: leaf.bytes) }
        }
        #expect(merged.build().leaves == whole)
    }

    /// Cut off anywhere, or with any byte changed: an error or other links, and never a trap.
    @Test func survivesDamage() throws {
        let bytes = try leaves(40)[0].bytes
        var failures = 0
        for index in bytes.indices {
            for value in [0, 1, 0x7F, 0x80, 0xFF] as [UInt8] {
                var damaged = bytes
                damaged[index] = value
                var links = SearchBitmap()
                do { _ = try SearchLeaf.collect([0xFF], in: damaged, into: &links) } catch { failures += 1 }
            }
            var links = SearchBitmap()
            do {
                _ = try SearchLeaf.collect([0xFF], in: Array(bytes[..<index]), into: &links)
            } catch { failures += 1 }
        }
        #expect(failures > 0)
    }

    @Test(arguments: [
        ([1, 1, 1, 1, 1, 1, 1, 1], nil),
        ([1, 1, 1, 1, 1, 1, 1, 1, 1], 9),
        ([100, 1, 1, 1, 1, 1, 1, 1, 1], 8),
        ([16, 1, 1, 1, 1, 1, 1, 1, 1], 9),
    ])
    func sparesALargePartUntilTheOthersAreLarge(links: [Int], merged: Int?) {
        let parts = links.enumerated().map { SearchPart(segment: 0, number: Int64($0.offset), links: $0.element) }
        #expect(SearchPart.merging(parts)?.count == merged)
    }

    @Test(
        arguments: [
            (1, 0, 1_000, false, nil), (1, 0, 1_024, false, 1_024), (1, 0, 5, true, 5), (1, 0, 0, true, nil),
            (1, 0, 100_000, false, 65_535), (65_536, 0, 300_000, false, 131_071),
        ] as [(Int64, Int, Int64, Bool, Int64?)])
    func indexesNewLinksUpToTheEndOfASegment(
        first: Int64, changes: Int, last: Int64, all: Bool, through end: Int64?
    ) {
        let step = IndexStep.next(
            SearchState(parts: [], unindexed: first ... .max), changes: changes, last: last, all: all)
        if case .new(let through) = step { #expect(through == end) } else { #expect(end == nil && step == nil) }
    }
}
