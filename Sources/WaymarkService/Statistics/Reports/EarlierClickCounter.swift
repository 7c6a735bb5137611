import Logging
import Synchronization
import WaymarkLinks
import WaymarkStores

/// Counts click records that are older than totals, in the background after an upgrade.
///
/// One day at a time: its records are read page by page, and then replace the day's totals in one transaction if no click
/// of the day was recorded meanwhile. The store keeps which days are counted, so a restart goes on with the next one, and of
/// several servers only the one that sends webhooks counts.
final class EarlierClickCounter: Sendable {
    private static let page = 500
    private static let attempts = 3
    /// Milliseconds until the next try, while nothing can be done.
    private static let rest: Int64 = 60_000
    /// Clicks of a day are written in the hour after it at the latest, as `LinkService` assumes for summaries.
    private static let lateness: Int64 = 3_600

    private struct State {
        var isDone = false
        var isAnnounced = false
        /// Whether the day of the upgrade was counted for now.
        var isLastDayCounted = false
        /// By `ServiceDependencies.uptime`.
        var restsUntil: Int64 = .min
    }

    private let store: any LinkStore
    private let dependencies: ServiceDependencies
    private let logger: Logger
    private let state = Mutex(State())

    init(_ store: any LinkStore, _ dependencies: ServiceDependencies, logger: Logger) {
        self.store = store
        self.dependencies = dependencies
        self.logger = logger
    }

    /// Goes on where an earlier run has stopped; returns at once if nothing is left.
    ///
    /// - Parameter mayGoOn: Asked after each page.
    func run(mayGoOn: @Sendable () -> Bool) async throws(StoreError) {
        let uptime = Int64(dependencies.uptime())
        guard state.withLock({ !$0.isDone && $0.restsUntil <= uptime }) else { return }
        guard let clicks = store.clickTotals.earlierClicks, let found = try await clicks.earlierClicks() else {
            state.withLock { $0.isDone = true }
            return
        }
        state.withLock { $0.restsUntil = uptime + Self.rest }
        guard try await store.webhooks.holdsDispatch() else { return }
        announce("the clicks of before the upgrade are counted into totals; until then reports are not complete")
        // Servers of the version before may still record clicks without totals on the day of the upgrade.
        let lastDay = found.start - 1
        var counted = found.counted
        while let day = try await clicks.nextClickDay(after: counted), day < lastDay {
            guard try await count(day, clicks, mayGoOn) else { return }
            counted = day
        }
        let isOver = dependencies.now().seconds >= Int64(found.start) * Timestamp.secondsOfDay + Self.lateness
        guard isOver || !store.isShared else {
            guard !state.withLock({ $0.isLastDayCounted }) else { return }
            if try await count(lastDay, clicks, mayGoOn) { state.withLock { $0.isLastDayCounted = true } }
            return
        }
        guard try await count(lastDay, clicks, mayGoOn) else { return }
        try await clicks.endCounting()
        state.withLock { $0.isDone = true }
        logger.notice("the clicks of before the upgrade are counted into totals")
    }

    private func announce(_ sentence: Logger.Message) {
        let isFirst = state.withLock { state in
            defer { state.isAnnounced = true }
            return !state.isAnnounced
        }
        if isFirst { logger.notice(sentence) }
    }

    /// - Returns: Whether the day is counted: clicks that are recorded meanwhile prevent it, and an end.
    private func count(
        _ day: Int, _ clicks: any EarlierClickStore, _ mayGoOn: @Sendable () -> Bool
    ) async throws(StoreError) -> Bool {
        for _ in 0..<Self.attempts {
            let token = dependencies.randomBytes(16)
            try await store.clickTotals.beginSummary(
                ClickSummaryKey(span: ClickSummaryKey.applications, day: day), token: token)
            var change = TotalsChange()
            var last: ClickBlock.Key?
            while true {
                let blocks = try await clicks.blocksToCount(of: day, after: last, limit: Self.page)
                guard let end = blocks.last else { break }
                for block in blocks { change.add(block) }
                last = end.block.key
                guard mayGoOn() else { return false }
                // Visitors take precedence.
                dependencies.yieldToOthers()
                await Task.yield()
            }
            if try await clicks.replaceTotals(of: day, by: change, token: token) { return true }
        }
        return false
    }
}
