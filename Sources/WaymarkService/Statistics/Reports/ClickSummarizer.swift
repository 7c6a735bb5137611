import WaymarkBytes
package import WaymarkLinks
package import WaymarkStores

/// Makes the summaries of clicks on past days, the latest first, and then packs their totals.
///
/// All servers of a database may run it: the one that began a summary last completes it.
package struct ClickSummarizer: Sendable {
    /// Parts that are written in one transaction, in bytes.
    private static let batchBytes = 1 << 20
    private static let rowPage = 2_000

    private let store: any ClickTotalStore
    private let randomBytes: @Sendable (Int) -> [UInt8]

    package init(store: any ClickTotalStore, randomBytes: @escaping @Sendable (Int) -> [UInt8]) {
        self.store = store
        self.randomBytes = randomBytes
    }

    /// Makes those that are missing, as long as there is time.
    ///
    /// - Parameters:
    ///   - days: Days that are over; those without totals at the beginning are left out.
    ///   - hasTime: Asked before each summary.
    /// - Returns: The number of summaries made.
    @discardableResult
    package func run(
        _ applications: [ApplicationID], days: Range<Int>, hasTime: () -> Bool
    ) async throws(StoreError) -> Int {
        guard let first = try await store.firstDayOfTotals(), first < days.upperBound else { return 0 }
        let days = max(first, days.lowerBound)..<days.upperBound
        var complete = Set(try await store.summaries(within: days).keys)
        var made = 0
        func make(
            _ key: ClickSummaryKey, _ body: ([UInt8]) async throws(StoreError) -> Bool
        ) async throws(StoreError) {
            guard !complete.contains(key), hasTime() else { return }
            let token = randomBytes(16)
            try await store.beginSummary(key, token: token)
            guard try await body(token) else { return }
            complete.insert(key)
            made += 1
        }
        // Their totals are counted with the same tokens, and summarized then.
        let earlier = try await store.earlierClicks?.earlierClicks()
        for day in days.reversed() where earlier?.awaits(day) != true {
            let totals = ClickSummaryKey(span: ClickSummaryKey.applications, day: day)
            try await make(totals) { token async throws(StoreError) in
                try await summarize(applications, totals, token)
            }
            let links = ClickSummaryKey(span: 1, day: day)
            try await make(links) { token async throws(StoreError) in try await summarizeLinks(links, token) }
        }
        for (span, part) in zip(ClickSummaryKey.spans.dropFirst(), ClickSummaryKey.spans) {
            for day in days where day % span == 0 && day + span <= days.upperBound {
                let parts = stride(from: day, to: day + span, by: part).map { ClickSummaryKey(span: part, day: $0) }
                guard parts.allSatisfy({ complete.contains($0) }) else { continue }
                let key = ClickSummaryKey(span: span, day: day)
                try await make(key) { token async throws(StoreError) in try await merge(parts, into: key, token) }
            }
        }
        // Clicks unpack the totals of their day, and late ones mostly are of the last day.
        var packed: PackedTotals.Key?
        while hasTime(), let next = try await store.packTotals(after: packed, before: days.upperBound - 1) {
            packed = next
        }
        return made
    }

    // MARK: Applications

    /// Part 0 has the clicks of all applications, the others have those of each one in the order of the directory.
    private func summarize(
        _ applications: [ApplicationID], _ key: ClickSummaryKey, _ token: [UInt8]
    ) async throws(StoreError) -> Bool {
        let quarters = key.day * ClickTotal.quartersOfDay..<(key.day + 1) * ClickTotal.quartersOfDay
        var all = ClickTotal()
        var names: [ApplicationID] = []
        var batch = Batch(key, token, store)
        for application in applications {
            var total = ClickTotal()
            var wide: [Int] = []
            for row in try await store.totals(of: [application], quarters: quarters) {
                let quarter = try ClickTotal(encoded: row.bytes)
                if quarter.isWide { wide.append(row.quarter) }
                total.merge(quarter)
                total.narrow(to: .whileAdding)
            }
            // Reports whose days are not those of UTC read quarters of an hour.
            if !wide.isEmpty { try await store.narrowTotals(of: application, quarters: wide) }
            guard total.count.sum > 0 else { continue }
            total.narrow(to: .ofDay)
            all.merge(total)
            all.narrow(to: .whileAdding)
            await Task.yield()
            names.append(application)
            guard try await batch.add(Int64(names.count), total.encoded) else { return false }
        }
        all.narrow(to: .ofDay)
        guard try await batch.add(0, all.encoded) else { return false }
        return try await batch.complete(directory: ClickSummaryDirectory.encoded(names))
    }

    // MARK: Links

    private func summarizeLinks(_ key: ClickSummaryKey, _ token: [UInt8]) async throws(StoreError) -> Bool {
        var batch = Batch(key, token, store)
        var parts: [Int64] = []
        var current: (part: Int64, counts: [(index: Int, count: ClickCount)])?
        func end() async throws(StoreError) -> Bool {
            guard let (part, counts) = current.take(), !counts.isEmpty else { return true }
            var applications: [Int: ApplicationID] = [:]
            let first = LinkSummary.link(0, of: part).rawValue
            for (id, application) in try await store.applications(
                ofLinks: first..<first + Int64(LinkSummary.linkCount))
            {
                applications[LinkSummary.index(of: id)] = application
            }
            var summary = LinkSummary()
            for (index, count) in counts {
                guard let application = applications[index] else { continue }
                summary.entries[application, default: []].append(LinkSummary.Entry(index: index, count: count))
            }
            parts.append(part)
            return try await batch.add(part, summary.encoded)
        }
        var last: TotalsChange.PageKey?
        while true {
            let rows = try await store.linkTotals(days: key.days, after: last, limit: Self.rowPage)
            // Long links are no links.
            for row in rows where !LinkTotals.isOfLongLinks(page: row.key.page) {
                for (link, count) in try LinkTotals(encoded: row.bytes).links(of: row.key.page) {
                    let part = LinkSummary.part(of: link)
                    if current?.part != part {
                        guard try await end() else { return false }
                        current = (part, [])
                    }
                    current?.counts.append((LinkSummary.index(of: link), count))
                }
            }
            guard rows.count == Self.rowPage, let end = rows.last else { break }
            last = end.key
            await Task.yield()
        }
        guard try await end() else { return false }
        return try await batch.complete(directory: ClickSummaryDirectory.encoded(parts))
    }

    private func merge(
        _ sources: [ClickSummaryKey], into key: ClickSummaryKey, _ token: [UInt8]
    ) async throws(StoreError) -> Bool {
        let directories = try await store.summaries(within: key.days)
        var parts: Set<Int64> = []
        for source in sources {
            guard let directory = directories[source] else { return false }
            parts.formUnion(try ClickSummaryDirectory.linkParts(directory))
        }
        var batch = Batch(key, token, store)
        for part in parts.sorted() {
            guard let rows = try await store.summaryParts(of: sources, parts: [part]) else { return false }
            var summary = LinkSummary()
            var applications: Set<ApplicationID> = []
            for row in rows { applications.formUnion(try LinkSummary.applications(row.bytes)) }
            for application in applications {
                var counts = LinkSummaryCounts()
                for row in rows { try counts.add(row.bytes, of: [application]) }
                counts.forEach { summary.entries[application, default: []].append(.init(index: $0, count: $1)) }
            }
            guard try await batch.add(part, summary.encoded) else { return false }
            await Task.yield()
        }
        return try await batch.complete(directory: ClickSummaryDirectory.encoded(parts.sorted()))
    }

    /// Writes parts, some at a time.
    private struct Batch {
        private let key: ClickSummaryKey
        private let token: [UInt8]
        private let store: any ClickTotalStore
        private var waiting: [(part: Int64, bytes: [UInt8])] = []
        private var count = 0

        init(_ key: ClickSummaryKey, _ token: [UInt8], _ store: any ClickTotalStore) {
            self.key = key
            self.token = token
            self.store = store
        }

        /// Returns false if the totals have changed.
        mutating func add(_ part: Int64, _ bytes: [UInt8]) async throws(StoreError) -> Bool {
            waiting.append((part, bytes))
            count += bytes.count
            guard count >= ClickSummarizer.batchBytes else { return true }
            defer { (waiting, count) = ([], 0) }
            return try await store.addSummary(key, parts: waiting, token: token, directory: nil)
        }

        func complete(directory: [UInt8]) async throws(StoreError) -> Bool {
            try await store.addSummary(key, parts: waiting, token: token, directory: directory)
        }
    }
}

/// The directory of a summary: its applications, or its parts.
enum ClickSummaryDirectory {
    static func encoded(_ applications: [ApplicationID]) -> [UInt8] {
        Array(applications.map(\.text).joined(separator: "\n").utf8)
    }

    static func encoded(_ parts: [Int64]) -> [UInt8] {
        Array(parts.map(String.init).joined(separator: "\n").utf8)
    }

    static func applications(_ bytes: [UInt8]) throws(StoreError) -> [ApplicationID] {
        try lines(bytes) { ApplicationID($0) }
    }

    /// Without those of long links, which servers of earlier versions summarize too.
    static func linkParts(_ bytes: [UInt8]) throws(StoreError) -> [Int64] {
        try lines(bytes) { Int64($0) }.filter { $0 >= 0 }
    }

    private static func lines<Value>(
        _ bytes: [UInt8], _ read: (String) -> Value?
    ) throws(StoreError) -> [Value] {
        var values: [Value] = []
        for line in bytes.split(separator: UInt8(ascii: "\n")) {
            guard let value = read(String(decoding: line, as: UTF8.self)) else {
                throw .corrupt("summaries of clicks are damaged")
            }
            values.append(value)
        }
        return values
    }
}
