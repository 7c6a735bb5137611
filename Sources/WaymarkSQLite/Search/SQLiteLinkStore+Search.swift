internal import GRDB
internal import Synchronization
import WaymarkLinks
package import WaymarkStores

extension SQLiteLinkStore {
    /// Maximum number of rows that one transaction writes or deletes: other writes wait for it.
    private static let rowsAtOnce = 256
    /// Maximum number of links whose order by clicks is written in one transaction.
    private static let clicksAtOnce = 1_000

    package func updateIndexes(all: Bool) async throws(StoreError) -> Bool {
        guard
            !isIndexing.withLock({ isIndexing in
                defer { isIndexing = true }
                return isIndexing
            })
        else { return false }
        defer { isIndexing.withLock { $0 = false } }
        return try await metrics.measure(.updateIndexes) { () async throws(StoreError) in
            let hasMoreClicks = try await updateClickOrder(all: all)
            return try await updateSearchIndex(all: all) || hasMoreClicks
        }
    }

    private func updateClickOrder(all: Bool) async throws(StoreError) -> Bool {
        let links = clicked.take(Self.clicksAtOnce, all: all)
        guard !links.isEmpty else { return false }
        do throws(StoreError) {
            try await write(weight: links.count) { session in
                for id in links { try session.updateClickOrder(of: id) }
            }
        } catch {
            clicked.note(links)
            throw error
        }
        return links.count == Self.clicksAtOnce
    }

    private func updateSearchIndex(all: Bool) async throws(StoreError) -> Bool {
        if !isSearchIndexClean.withLock({ $0 }) {
            try await removeOrphans()
            isSearchIndexClean.withLock { $0 = true }
        }
        guard let work = try await readBackground({ try $0.indexWork(all: all) }) else { return false }
        for new in work.batch.parts {
            try await remove(new.part)
            for start in stride(from: 0, to: new.leaves.count, by: Self.rowsAtOnce) {
                let leaves = new.leaves[start..<min(new.leaves.count, start + Self.rowsAtOnce)]
                try await write(weight: leaves.count) { try $0.add(leaves, to: new.part) }
            }
        }
        for start in stride(from: 0, to: work.batch.expiries.count, by: Self.rowsAtOnce) {
            let expiries = work.batch.expiries[start...].prefix(Self.rowsAtOnce)
            try await write(weight: expiries.count) { session in
                // Readers skip the row of a link that was changed meanwhile.
                for (id, end) in expiries { try session.addExpiry(end, of: id) }
            }
        }
        for start in stride(from: 0, to: work.batch.clicks.count, by: Self.rowsAtOnce) {
            let clicks = work.batch.clicks[start...].prefix(Self.rowsAtOnce)
            try await write(weight: clicks.count) { session in
                for (id, _) in clicks { try session.updateClickOrder(of: id) }
            }
        }
        // From here on searches use the new parts.
        try await write(weight: work.batch.parts.count + work.changes.count) { try $0.finish(work) }
        for part in work.merged { try await remove(part) }
        return true
    }

    /// Removes the leaves of a part.
    private func remove(_ part: SearchPart) async throws(StoreError) {
        while try await write(weight: Self.rowsAtOnce, { try $0.removeLeaves(of: part, limit: Self.rowsAtOnce) }) {}
    }

    /// Removes leaves of parts that were not finished, or not removed, when the process ended.
    private func removeOrphans() async throws(StoreError) {
        for part in try await readBackground({ try $0.orphans() }) { try await remove(part) }
    }
}

/// A batch that was read, and is to be written.
struct IndexWork: Sendable {
    var batch = IndexBatch()
    var merged: [SearchPart] = []
    var changes: [(link: Int64, version: Int64)] = []
    var indexedBefore: Int64
    var indexed: Int64?
}

extension Database {
    /// Nil if there is nothing to do.
    func indexWork(all: Bool) throws -> IndexWork? {
        var found: IndexWork?
        try inTransaction(.deferred) {
            let state = try searchState()
            let changes = try rows(
                "SELECT link, version FROM search_change ORDER BY link, version LIMIT ?", [IndexStep.changeLimit]
            ) { (link: try $0.number(0), version: try $0.number(1)) }
            let last = try row("SELECT max(id) FROM link", []) { try $0.optionalNumber(0) ?? 0 } ?? 0
            if let step = IndexStep.next(state, changes: changes.count, last: last, all: all) {
                found = try work(step, state, changes)
            }
            return .commit
        }
        return found
    }

    private func work(
        _ step: IndexStep, _ state: SearchState, _ changes: [(link: Int64, version: Int64)]
    ) throws -> IndexWork {
        var builder = IndexBatchBuilder()
        var work = IndexWork(indexedBefore: try indexedID())
        switch step {
        case .new(let last):
            let links = try RawStatement(SearchRows.indexed, self)
            links.bind(1, state.unindexed?.lowerBound ?? 0)
            links.bind(2, last)
            try links.forEachRow { row in
                // Without links that can't be read, as listings are.
                guard let id = try? LinkID(rawValue: row.number(0)), let slug = try? Slug(row.text(1)),
                    let content = try? LinkContentCodec.decodeIndexed(row.bytes(2)),
                    let clicks = try? row.optionalBytes(3).map({ try ClickCountPage.count($0) }) ?? 0
                else { return }
                builder.add(id, slug, content, clicks: clicks)
            }
            work.indexed = last
        case .changes:
            for id in Set(changes.map(\.link)).sorted() {
                if let link = try readableLink(LinkID(rawValue: id)) { builder.add(link) }
            }
            work.changes = changes
        case .merge(let parts):
            for part in parts {
                let cursor = try Row.fetchCursor(
                    cachedStatement(sql: SearchRows.leaves), arguments: [part.segment, part.number])
                while let row = try cursor.next() { try builder.add(leaf: row.bytes(0), of: part.segment) }
            }
            work.merged = parts
        }
        work.batch = builder.build(besides: state.parts)
        return work
    }

    fileprivate func orphans() throws -> [SearchPart] {
        var found: [SearchPart] = []
        try inTransaction(.deferred) {
            let known = Set(
                try searchState().parts.map { SearchPart(segment: $0.segment, number: $0.number, links: 0) })
            var last = SearchPart(segment: .min, number: .min, links: 0)
            while let next = try row(
                SearchRows.nextPart, [last.segment, last.number],
                {
                    SearchPart(segment: try $0.number(0), number: try $0.number(1), links: 0)
                })
            {
                if !known.contains(next) { found.append(next) }
                last = next
            }
            return .commit
        }
        return found
    }
}

extension WriteSession {
    /// Notes that a link was changed, if a search may find it by other words now.
    func noteSearchChange(from old: Link, to new: Link) throws {
        var before = WordList()
        var after = WordList()
        old.addWords(to: &before)
        new.addWords(to: &after)
        if before != after { try noteSearchChange(of: new.id, version: new.version) }
    }

    func noteSearchChange(of id: LinkID, version: Int) throws {
        try database.run("INSERT OR IGNORE INTO search_change (link, version) VALUES (?, ?)", [id.rawValue, version])
    }

    func addExpiry(_ end: Timestamp?, of id: LinkID) throws {
        guard let end else { return }
        try database.run(
            "INSERT OR IGNORE INTO link_expiry (expires_at, link) VALUES (?, ?)", [end.rawValue, id.rawValue])
    }

    func removeExpiry(_ end: Timestamp?, of id: LinkID) throws {
        guard let end else { return }
        try database.run("DELETE FROM link_expiry WHERE expires_at = ? AND link = ?", [end.rawValue, id.rawValue])
    }

    func updateClickOrder(of id: LinkID) throws {
        let clicks = try database.row("SELECT \(ClickCountPage.column) FROM link WHERE id = ?", [id.rawValue]) {
            try $0.clicks(0)
        }
        guard let clicks, clicks > 0 else { return }
        try database.run(
            """
            INSERT INTO click_order (link, clicks) VALUES (?, ?)
            ON CONFLICT DO UPDATE SET clicks = excluded.clicks WHERE clicks <> excluded.clicks
            """, [id.rawValue, clicks])
    }

    fileprivate func add(_ leaves: ArraySlice<SearchLeaf>, to part: SearchPart) throws {
        let insertion = try RawStatement(
            "INSERT INTO search_leaf (segment, part, first, bytes) VALUES (?1, ?2, ?3, ?4)", database)
        insertion.bind(1, part.segment)
        insertion.bind(2, part.number)
        for leaf in leaves {
            insertion.bind(3, leaf.first)
            insertion.bind(4, leaf.bytes)
            try insertion.run()
        }
    }

    /// - Returns: whether there may be more.
    fileprivate func removeLeaves(of part: SearchPart, limit: Int) throws -> Bool {
        try database.run(SearchRows.removal, [part.segment, part.number, limit])
        return database.changesCount == limit
    }

    func finish(_ work: IndexWork) throws {
        // The index may have been discarded since.
        guard try database.indexedID() == work.indexedBefore else { return }
        for new in work.batch.parts {
            try database.run(
                "INSERT INTO search_part (segment, part, links) VALUES (?, ?, ?)",
                [new.part.segment, new.part.number, new.part.links])
        }
        for part in work.merged {
            try database.run(
                "DELETE FROM search_part WHERE segment = ? AND part = ?", [part.segment, part.number])
        }
        for change in work.changes {
            try database.run("DELETE FROM search_change WHERE link = ? AND version = ?", [change.link, change.version])
        }
        if let indexed = work.indexed { try database.run("UPDATE search_state SET indexed = ?", [indexed]) }
    }
}
