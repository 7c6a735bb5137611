import WaymarkLinks
import WaymarkStores

/// What the records of a report add up to so far.
struct RecordReading {
    var counter: ClickReportCounter
    /// Records that were looked at.
    var examined = 0
    var links: [LinkID: ClickCount] = [:]
    /// Links and days that were looked up.
    var lookUps = 0
    private let end: ContinuousClock.Instant?
    private var pause = 0

    /// - Parameter end: when reading has to stop; nil: at its limits alone.
    init(_ query: ClickReportQuery, until end: ContinuousClock.Instant?) {
        counter = ClickReportCounter(query)
        self.end = end
    }

    var isLate: Bool { end.map { $0 <= ContinuousClock.now } ?? false }

    /// - Parameter noting: whether the clicks are noted under their link.
    mutating func add(_ block: ClickBlock, _ query: ClickReportQuery, noting: Bool) throws(StoreError) {
        let added = try counter.add(block, query)
        examined += added.examined
        if noting, added.count.sum > 0 { links[block.key.link, default: ClickCount()] += added.count }
    }

    /// Lets others have the thread after so many records.
    mutating func pauseIfDue(_ step: Int) async throws {
        guard examined >= pause + step else { return }
        pause = examined
        try Task.checkCancellation()
        await Task.yield()
    }
}
