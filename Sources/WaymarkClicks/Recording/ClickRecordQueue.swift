import WaymarkLinks
import WaymarkStores

/// Clicks that wait to be written down as records, and blocks of them that the store did not take yet.
struct ClickRecordQueue {
    /// A finished block, and how many clicks it holds.
    typealias PackedBlock = (block: ClickBlock, count: Int)

    /// Clicks that may wait.
    let limit: Int
    /// Where visitors are that no proxy has said it of. Asked here, because here no visitor waits for it.
    var locate: Countries.Lookup?
    private var batch = ClickBatch()
    /// One that was emptied: growing anew with each flush costs more than all that is done with the clicks meanwhile.
    private var spare: ClickBatch?
    private var sealed: [PackedBlock] = []
    /// Clicks in `batch` and `sealed`, and in blocks that are being written down.
    private(set) var waiting = 0
    private(set) var taken = 0
    private(set) var dropped = 0

    init(limit: Int) { self.limit = limit }

    /// Takes clicks, and counts as dropped those for which there is no room.
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

    /// All that waits; it counts as waiting until `settle`.
    mutating func takeAll() -> (batch: ClickBatch, sealed: [PackedBlock]) {
        defer {
            batch = spare.take() ?? ClickBatch()
            sealed = []
        }
        return (batch, sealed)
    }

    /// Takes back a batch that was emptied.
    mutating func reuse(_ batch: ClickBatch) { spare = batch }

    /// These were written down.
    mutating func settle(_ blocks: some Sequence<PackedBlock>) { waiting -= blocks.reduce(0) { $0 + $1.count } }

    /// What the store did not take; the next `takeAll` gives it again, under the same keys.
    mutating func putBack(_ blocks: some Sequence<PackedBlock>) { sealed.append(contentsOf: blocks) }
}
