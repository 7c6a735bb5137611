/// What is worked on at a time, and what comes next.
struct RenewalSlots {
    struct Item: Sendable, Hashable {
        let host: String
        /// Whether the authority is asked for renewal information; else a certificate is ordered.
        let isCheck: Bool
        let hasFailures: Bool
    }

    private let limit: Int
    /// In reverse: the next one is the last.
    private var waiting: [Item] = []
    private var running: [String: Item] = [:]
    /// Hosts that have had their turn.
    private var done: Set<String> = []

    init(_ limit: Int) { self.limit = max(1, limit) }

    var isIdle: Bool { running.isEmpty }

    /// - Parameter items: all that is due, the most urgent first.
    mutating func replace(_ items: [Item]) {
        waiting = items.reversed().filter { !done.contains($0.host) && running[$0.host] == nil }
    }

    /// Lets hosts that have had their turn have another.
    mutating func repeatHosts() { done = [] }

    /// The next item, which occupies a slot until `finish`; nil if there is none, or no slot. One slot is never given to
    /// hosts that have failed, as they may take minutes to fail again.
    mutating func next() -> Item? {
        guard running.count < limit, let item = waiting.last else { return nil }
        let isReserved = limit > 1 && running.values.count(where: \.hasFailures) >= limit - 1
        guard !(item.hasFailures && isReserved) else { return nil }
        waiting.removeLast()
        running[item.host] = item
        return item
    }

    mutating func finish(_ item: Item) {
        running[item.host] = nil
        done.insert(item.host)
    }
}
