import WaymarkLinks

/// Clicks that wait to be written down as records, and blocks of them that the store did not take yet.
struct ClickInbox {
    /// A finished block, and how many clicks it holds.
    typealias Sealed = (block: ClickBlock, count: Int)

    private let limit: Int
    /// Where visitors are that no proxy has said it of. Asked here, because here no visitor waits for it.
    var locate: Countries.Lookup?
    private var batch = ClickBatch()
    /// One that was emptied: growing anew with each flush costs more than all that is done with the clicks meanwhile.
    private var spare: ClickBatch?
    private var sealed: [Sealed] = []
    /// Clicks in `batch` and `sealed`, and in blocks that are being written down.
    private(set) var waiting = 0
    private(set) var taken = 0
    private(set) var dropped = 0

    init(limit: Int) { self.limit = limit }

    /// Takes a click, or counts it as dropped where too many wait.
    mutating func take(_ click: Click) {
        taken += 1
        guard waiting < limit else {
            dropped += 1
            return
        }
        waiting += 1
        guard let locate, click.isProfiled, click.country == nil else { return batch.add(click) }
        var located = click
        located.country = locate(click.subscriber)
        batch.add(located)
    }

    /// All that waits; it counts as waiting until `settle`.
    mutating func takeAll() -> (batch: ClickBatch, sealed: [Sealed]) {
        defer {
            batch = spare.take() ?? ClickBatch()
            sealed = []
        }
        return (batch, sealed)
    }

    /// Takes back a batch that was emptied.
    mutating func reuse(_ batch: ClickBatch) { spare = batch }

    /// These were written down.
    mutating func settle(_ blocks: some Sequence<Sealed>) { waiting -= blocks.reduce(0) { $0 + $1.count } }

    /// What the store did not take; the next `takeAll` gives it again, under the same keys.
    mutating func putBack(_ blocks: some Sequence<Sealed>) { sealed.append(contentsOf: blocks) }
}
