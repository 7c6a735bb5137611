#if PostgreSQL
    internal import WaymarkLinks
    internal import WaymarkStores

    extension Connection {
        /// A page of a search by words, from one snapshot: parts of the index come and go.
        func search(
            _ words: SearchWords, _ listing: LinkListing, after: LinkID?, into builder: inout LinkPageBuilder,
            by deadline: Deadline
        ) throws {
            let scan = SearchScan(
                SearchReader(connection: self, filter: listing.filter, deadline: deadline),
                of: listing.filter.application, words: words, ascending: listing.sort.isAscending)
            _ = try run(.init(sql: "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY"), by: deadline)
            do {
                try scan.run(after: after, into: &builder)
                _ = try run(.init(.commit), by: deadline)
            } catch {
                if isOpen {
                    // Also ends the transaction.
                    do { _ = try run(.init(.rollback), by: deadline) } catch { close() }
                }
                throw error
            }
        }

        func searchState(by deadline: Deadline) throws -> (state: SearchState, target: Int64) {
            let results = try exchange([.init(.searchState), .init(.searchParts)], by: deadline)
            guard results.count == 2, results[0].count == 1 else { throw QueryResult.damaged }
            let indexed = try results[0].number(0, 0)
            let target = try results[0].number(0, 1)
            var parts: [SearchPart] = []
            for row in 0..<results[1].count {
                parts.append(
                    SearchPart(
                        segment: try results[1].number(row, 0), number: try results[1].number(row, 1),
                        links: try results[1].count(row, 2)))
            }
            return (SearchState(parts: parts, unindexed: indexed < target ? indexed + 1 ... .max : nil), target)
        }
    }

    /// Reads the search index on a connection.
    private struct SearchReader: SearchIndexReader {
        let connection: Connection
        let filter: LinkFilter
        let deadline: Deadline

        var segmentsAtOnce: ClosedRange<Int> { 2...64 }
        /// Number of links read at once.
        private static let linksAtOnce = 64

        func state() throws -> SearchState { try connection.searchState(by: deadline).state }

        func changed(after id: LinkID?, ascending: Bool, limit: Int) throws -> [LinkID] {
            let result = try connection.run(
                .init(
                    ascending ? .searchChanges : .searchChangesDescending,
                    .number(id?.rawValue ?? (ascending ? .min : .max)), .number(Int64(limit))), by: deadline)
            return try (0..<result.count).map { LinkID(rawValue: try result.number($0, 0)) }
        }

        func links(
            of application: ApplicationID, after id: LinkID?, ascending: Bool, limit: Int
        ) throws -> [LinkID] {
            let sql = """
                SELECT id FROM waymark.link
                WHERE application = (SELECT number FROM waymark.application WHERE name = $3::text)
                    AND id \(ascending ? ">" : "<") $1::int8
                ORDER BY id \(ascending ? "" : "DESC") LIMIT $2::int8
                """
            let result = try connection.run(
                .init(
                    sql: sql, .number(id?.rawValue ?? (ascending ? .min : .max)), .number(Int64(limit)),
                    .text(application.text)), by: deadline)
            return try (0..<result.count).map { LinkID(rawValue: try result.number($0, 0)) }
        }

        func links(_ prefix: [UInt8], in segments: [[SearchPart]]) throws -> [SearchBitmap] {
            var found = segments.map { _ in SearchBitmap() }
            let parts = segments.enumerated().flatMap { index, parts in parts.map { (index, $0) } }
            guard !parts.isEmpty else { return found }
            let result = try connection.run(
                .init(
                    .searchLeaves, .numbers(parts.map(\.1.segment)), .numbers(parts.map(\.1.number)), .bytes(prefix),
                    // No word has this byte.
                    .bytes(prefix + [0xFF])), by: deadline)
            for row in 0..<result.count {
                let place = try result.count(row, 0)
                guard (1...parts.count).contains(place) else { throw QueryResult.damaged }
                _ = try SearchLeaf.collect(prefix, in: result.bytes(row, 1), into: &found[parts[place - 1].0])
            }
            return found
        }

        func examine(_ ids: [LinkID], into page: inout LinkPageBuilder) throws -> Bool {
            var rest = ids[...]
            while !rest.isEmpty {
                let group = rest.prefix(Self.linksAtOnce)
                rest = rest.dropFirst(group.count)
                let result = try connection.run(.init(.loadLinks, .numbers(group.map(\.rawValue))), by: deadline)
                var rows: [LinkID: Int] = [:]
                for row in 0..<result.count { rows[LinkID(rawValue: try result.number(row, 0))] = row }
                for id in group {
                    guard case .goOn = page.begin() else { return false }
                    page.pass(LinkPosition(id))
                    guard let row = rows[id] else { continue }
                    try page.add(id) { try LinkRow.link(result, row) }
                }
            }
            return true
        }

        func examine(_ range: ClosedRange<Int64>, ascending: Bool, into page: inout LinkPageBuilder) throws -> Bool {
            let start = ascending ? range.lowerBound - 1 : range.upperBound
            let after = LinkPosition(LinkID(rawValue: !ascending && start < .max ? start + 1 : start))
            return try connection.examine(
                ascending ? .oldest : .newest, filter, after: after,
                through: ascending ? range.upperBound : range.lowerBound, into: &page, by: deadline)
        }
    }
#endif
