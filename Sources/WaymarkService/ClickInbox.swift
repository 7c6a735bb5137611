import WaymarkLinks

/// Clicks that wait to be written down as records, packed by link and day.
struct ClickInbox {
    private struct Place: Hashable {
        let link: LinkID
        let day: Int
    }

    /// A finished block, and how many clicks it holds.
    struct Sealed {
        let block: ClickBlock
        let count: Int
    }

    private let limit: Int
    private var writers: [Place: ClickBlockWriter] = [:]
    private var sealed: [Sealed] = []
    /// Clicks in `writers` and `sealed`, and in blocks that are being written down.
    private(set) var waiting = 0
    private(set) var taken = 0
    private(set) var dropped = 0
    /// By day; without one no visitors are told apart.
    private var salts: [Int: SipHash] = [:]
    private var lastNumber: Int64 = 0

    init(limit: Int) { self.limit = limit }

    /// Takes a click, or counts it as dropped where too many wait.
    mutating func take(_ click: Click) {
        taken += 1
        guard waiting < limit else {
            dropped += 1
            return
        }
        waiting += 1
        let day = click.time.day
        let place = Place(link: click.link, day: day)
        let salt = salts[day]
        let isFull = add(click, salt, to: &writers[place, default: ClickBlockWriter(link: click.link, day: day)])
        if isFull, let writer = writers.removeValue(forKey: place) { seal(writer, at: click.time) }
    }

    private func add(_ click: Click, _ salt: SipHash?, to writer: inout ClickBlockWriter) -> Bool {
        writer.add(click, salt: salt)
        return writer.count == ClickBlockWriter.capacity
    }

    mutating func set(_ salts: [Int: SipHash]) { self.salts = salts }

    /// The days whose visitors can be told apart.
    var saltedDays: Set<Int> { Set(salts.keys) }

    /// All that waits, in the order of the keys; they count as waiting until `settle`.
    mutating func takeAll(at now: Timestamp) -> [Sealed] {
        for writer in writers.values { seal(writer, at: now) }
        writers = [:]
        defer { sealed = [] }
        return sealed.sorted { $0.block.key < $1.block.key }
    }

    /// These were written down.
    mutating func settle(_ blocks: some Sequence<Sealed>) { waiting -= blocks.reduce(0) { $0 + $1.count } }

    /// What the store did not take; the next `takeAll` gives it again, under the same keys.
    mutating func putBack(_ blocks: some Sequence<Sealed>) { sealed.append(contentsOf: blocks) }

    /// 42 bits of milliseconds, so that blocks lie in the order of time, and 21 of chance, so that servers don't meet.
    private mutating func seal(_ writer: ClickBlockWriter, at now: Timestamp) {
        let number = (now.rawValue & (1 << 42 - 1)) << 21 | .random(in: 0..<1 << 21)
        lastNumber = number == lastNumber ? number + 1 : number
        sealed.append(Sealed(block: writer.block(number: lastNumber), count: writer.count))
    }
}
