import WaymarkLinks
import WaymarkStores

/// Clicks waiting to be written as records.
struct ClickRecordQueue {
    /// Maximum number of waiting clicks.
    let limit: Int
    /// Looks up visitors' countries that no proxy has set. Done here, because no visitor waits for it.
    var locate: Countries.Lookup?
    private var batch = ClickBatch()
    /// An emptied batch for reuse: growing a new one with each flush costs more than all other work on the clicks.
    private var spare: ClickBatch?
    /// Clicks in `batch`, and those that were taken but not written yet.
    private(set) var waiting = 0
    private(set) var taken = 0
    private(set) var dropped = 0

    init(limit: Int) { self.limit = limit }

    /// Adds clicks; those without space are counted as dropped.
    mutating func take(_ clicks: Span<Click>) {
        let room = min(clicks.count, max(0, limit - waiting))
        taken += clicks.count
        dropped += clicks.count - room
        waiting += room
        guard let locate else { return batch.add(clicks.extracting(first: room)) }
        for index in 0..<room {
            var click = clicks[index]
            if click.profile.isProfiled, click.profile.country == nil {
                click.profile.country = locate(click.subscriber)
            }
            batch.add(click)
        }
    }

    /// Takes everything that waits; it counts as waiting until `settle`.
    mutating func takeAll() -> ClickBatch {
        defer { batch = spare.take() ?? ClickBatch() }
        return batch
    }

    /// Takes back an emptied batch.
    mutating func reuse(_ batch: ClickBatch) { spare = batch }

    /// Records that this many clicks were written.
    mutating func settle(_ clicks: Int) { waiting -= clicks }
}
