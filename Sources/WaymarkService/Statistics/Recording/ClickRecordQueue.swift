import WaymarkLinks
import WaymarkStores

/// Clicks waiting to be written as records.
struct ClickRecordQueue {
    /// What has to be done so that more clicks find room.
    enum Pressure { case write, spill }

    /// Maximum memory of waiting clicks, in bytes, without that of profiles: visitors who choose many different values must
    /// not take the room of clicks. Profiles have a bound of their own in each batch, of which there are up to four.
    let limit: Int
    /// Looks up visitors' countries that no proxy has set. Done here, because no visitor waits for it.
    var locate: Countries.Lookup?
    private var batch = ClickBatch()
    /// An emptied batch for reuse: growing a new one with each flush costs more than all other work on the clicks.
    private var spare: ClickBatch?
    /// The memory of the profiles of batches that were taken.
    private var takenCosts = 0
    /// What was reported of this batch.
    private var reported: Pressure?
    /// Clicks in `batch`, and those that were taken but not written yet.
    private(set) var waiting = 0
    private(set) var taken = 0
    private(set) var dropped = 0
    /// Of these, since `takeDropped`.
    private var recentlyDropped = 0

    init(limit: Int) { self.limit = limit }

    /// The memory of the waiting clicks.
    var bytes: Int { waiting * ClickBatch.clickBytes }
    /// The memory of their profiles.
    var profileBytes: Int { batch.profileCosts + takenCosts }

    /// Adds clicks that are recorded; those without space are counted as dropped.
    mutating func take(_ clicks: Span<Click>) {
        var start = 0
        for index in clicks.indices where !clicks[index].profile.isRecorded {
            takeRecorded(clicks.extracting(start..<index))
            start = index + 1
        }
        takeRecorded(clicks.extracting(start..<clicks.count))
    }

    private mutating func takeRecorded(_ clicks: Span<Click>) {
        let room = min(clicks.count, max(0, limit - bytes) / ClickBatch.clickBytes)
        taken += clicks.count
        dropped += clicks.count - room
        recentlyDropped += clicks.count - room
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

    /// Whether clicks are written before their turn.
    var isBusy: Bool { batch.count * ClickBatch.clickBytes >= limit / 4 }
    /// Whether the store is slower than clicks come. There is room for as many until these are on the spool.
    var isCrowded: Bool { batch.count * ClickBatch.clickBytes >= limit / 8 * 3 }

    /// Once for each batch and kind.
    mutating func takePressure() -> Pressure? {
        let pressure: Pressure? = isCrowded ? .spill : isBusy ? .write : nil
        guard pressure != nil, pressure != reported else { return nil }
        reported = pressure
        return pressure
    }

    /// Takes everything that waits; it counts as waiting until `settle`.
    mutating func takeAll() -> ClickBatch {
        defer { batch = spare.take() ?? ClickBatch() }
        takenCosts += batch.profileCosts
        reported = nil
        return batch
    }

    /// Clicks dropped since the last call.
    mutating func takeDropped() -> Int {
        defer { recentlyDropped = 0 }
        return recentlyDropped
    }

    /// Takes back an emptied batch.
    mutating func reuse(_ batch: ClickBatch) { spare = batch }

    /// Records that this many clicks are written, or on the spool.
    ///
    /// - Parameter costs: of the profiles of a batch that are no longer needed.
    mutating func settle(_ clicks: Int, costs: Int = 0) {
        waiting -= clicks
        takenCosts -= costs
    }
}
