package import WaymarkLinks

/// A summary that is complete, or the token of the one that is made.
struct MemorySummary {
    var token: [UInt8]?
    var directory: [UInt8] = []
    var parts: [Int64: [UInt8]] = [:]
}

extension MemoryLinkStore {
    package func summaries(within days: Range<Int>) async throws(StoreError) -> [ClickSummaryKey: [UInt8]] {
        try withState { state in
            state.summaries.filter { key, summary in
                summary.token == nil && key.day >= days.lowerBound && key.days.upperBound <= days.upperBound
            }.mapValues(\.directory)
        }
    }

    package func narrowTotals(of application: ApplicationID, quarters: [Int]) async throws(StoreError) {
        try withState { state throws(StoreError) in
            for quarter in quarters {
                guard let stored = state.clickTotals[application]?[quarter],
                    let narrowed = try ApplicationTotal.narrowed(stored)
                else { continue }
                state.clickTotals[application]?[quarter] = narrowed
            }
        }
    }

    package func beginSummary(_ key: ClickSummaryKey, token: [UInt8]) async throws(StoreError) {
        try withState { $0.summaries[key] = MemorySummary(token: token) }
    }

    package func addSummary(
        _ key: ClickSummaryKey, parts: [(part: Int64, bytes: [UInt8])], token: [UInt8], directory: [UInt8]?
    ) async throws(StoreError) -> Bool {
        try withState { state in
            guard var summary = state.summaries[key], summary.token == token else { return false }
            for (part, bytes) in parts { summary.parts[part] = bytes }
            if let directory {
                summary.directory = directory
                summary.token = nil
            }
            state.summaries[key] = summary
            return true
        }
    }

    package func summaryParts(
        of keys: [ClickSummaryKey], parts: [Int64]
    ) async throws(StoreError) -> [(key: ClickSummaryKey, part: Int64, bytes: [UInt8])]? {
        try withState { state in
            var found: [(key: ClickSummaryKey, part: Int64, bytes: [UInt8])] = []
            for key in keys {
                guard let summary = state.summaries[key], summary.token == nil else { return nil }
                for part in parts {
                    if let bytes = summary.parts[part] { found.append((key, part, bytes)) }
                }
            }
            return found
        }
    }

    package func firstDayOfTotals() async throws(StoreError) -> Int? {
        try withState { $0.linkTotals.keys.map(\.day).min() }
    }

    package func applications(
        ofLinks ids: Range<Int64>
    ) async throws(StoreError) -> [(id: LinkID, application: ApplicationID)] {
        try withState { state in
            state.links.values.filter { ids.contains($0.id.rawValue) }.map { ($0.id, $0.application) }
        }
    }

    package func hasDeletedLinks(
        of applications: [ApplicationID], days: Range<Int>
    ) async throws(StoreError) -> Bool {
        try withState { state in
            // This store has no clock, so all links are as if deleted now.
            applications.contains { (state.linkDeletions[$0] ?? .max) < days.upperBound }
        }
    }
}

extension MemoryLinkState {
    /// Deletes the summaries that the days are part of.
    mutating func dropSummaries(of days: Set<Int>) {
        for day in days {
            for key in ClickSummaryKey.all(of: day) { summaries[key] = nil }
        }
    }

    /// Records that a link with clicks was deleted.
    mutating func noteDeletion(of link: Link) {
        linkDeletions[link.application] = min(linkDeletions[link.application] ?? .max, link.createdAt.day)
    }
}
