/// Holds a history to what the service promises.
///
/// Each link has one writer, so its values come in the order of their numbers; readers are many. A change whose answer
/// got lost may have happened or not.
struct HistoryChecker {
    /// How old a visitor's answer may be, in seconds during which the database was there.
    var staleness = 2.0

    /// A sentence for each promise that was broken.
    func violations(in history: History) -> [String] {
        let outages = Outages(history.outages)
        var found: [String] = []
        for (link, events) in Dictionary(grouping: history.events, by: \.link).sorted(by: { $0.key < $1.key }) {
            let events = events.sorted { $0.start < $1.start }
            found += contents(of: link, events, outages)
            if let limit = history.limits[link] {
                found += redeems(of: link, events, limit: limit)
                found += clicks(of: link, events, limit: limit)
            }
        }
        return found
    }

    // MARK: What links say

    private func contents(of link: String, _ events: [History.Event], _ outages: Outages) -> [String] {
        let changes = events.compactMap(Change.init)
        var found: [String] = []
        for event in events {
            switch event.action {
            case .visit(let value):
                // What was acknowledged long enough ago must be seen.
                let wrong = complaint(about: value, event, changes) { change in
                    outages.uptime(from: change.end, to: event.start) > staleness
                }
                if let wrong { found.append("\(link): a visit at \(event.start) \(wrong)") }
            case .read(let value):
                let wrong = complaint(about: value, event, changes) { change in change.end < event.start }
                if let wrong { found.append("\(link): a reading at \(event.start) \(wrong)") }
            default: continue
            }
        }
        return found
    }

    /// What is wrong with seeing `value`; nil where it may be seen.
    private func complaint(
        about value: Int?, _ event: History.Event, _ changes: [Change], mustBeSeen: (Change) -> Bool
    ) -> String? {
        // The last change that must be seen, and everything behind it that may be.
        let last = changes.lastIndex { $0.ending == .acknowledged && mustBeSeen($0) }
        let visible = (last.map { changes[$0...] } ?? changes[...]).filter { $0.start <= event.end }
        // Without a change that must be seen, a link may also not be there yet.
        if last == nil, value == nil { return nil }
        if visible.contains(where: { $0.value == value }) { return nil }
        guard let value else {
            return last.map { "found nothing, although \(changes[$0]) was acknowledged at \(changes[$0].end)" }
        }
        guard changes.contains(where: { $0.value == value && $0.start <= event.end }) else {
            return "found value \(value), which nobody had written"
        }
        return last.map { "found value \(value), although \(changes[$0]) was acknowledged at \(changes[$0].end)" }
    }

    private struct Change: CustomStringConvertible {
        let start: Double
        let end: Double
        /// nil: the link is gone.
        let value: Int?
        let ending: History.Ending

        init?(_ event: History.Event) {
            switch event.action {
            case .write(let value, let ending): (self.value, self.ending) = (value, ending)
            case .delete(let ending): (value, self.ending) = (nil, ending)
            default: return nil
            }
            start = event.start
            end = event.end
        }

        var description: String { value.map { "value \($0)" } ?? "its deletion" }
    }

    // MARK: Limits

    private func redeems(of link: String, _ events: [History.Event], limit: Int) -> [String] {
        var numbers: [String: Int] = [:]
        var keys: [Int: String] = [:]
        var found: [String] = []
        for event in events {
            guard case .redeem(let key, .taken(let number)) = event.action else { continue }
            if !(1...limit).contains(number) {
                found.append("\(link): redeem \(number) was handed out, the limit is \(limit)")
            }
            if let other = keys.updateValue(key, forKey: number), other != key {
                found.append("\(link): redeem \(number) was handed out to \(other) and to \(key)")
            }
            if let other = numbers.updateValue(number, forKey: key), other != number {
                found.append("\(link): \(key) was handed out redeem \(other) and redeem \(number)")
            }
        }
        let unknown = Set(
            events.compactMap { event -> String? in
                guard case .redeem(let key, .unknown) = event.action else { return nil }
                return key
            }
        ).subtracting(numbers.keys)
        for event in events {
            switch event.action {
            case .redeem(let key, .exhausted):
                if numbers[key] != nil { found.append("\(link): \(key) was refused a redeem that it has") }
                let begun = Set(
                    events.compactMap { other -> String? in
                        guard other.start <= event.end, case .redeem(let key, let outcome) = other.action,
                            outcome != .exhausted
                        else { return nil }
                        return key
                    })
                if begun.count < limit {
                    found.append("\(link): \(key) was refused after \(begun.count) of \(limit) redeems")
                }
            case .total(let redeemed):
                let taken = numbers.count
                if redeemed < taken || redeemed > taken + unknown.count {
                    found.append(
                        "\(link): the store counts \(redeemed) redeems, \(taken) were handed out, \(unknown.count) are unknown"
                    )
                }
            default: continue
            }
        }
        return found
    }

    private func clicks(of link: String, _ events: [History.Event], limit: Int) -> [String] {
        let admitted = events.count { $0.action == .click(wasAdmitted: true) }
        return admitted > limit ? ["\(link): \(admitted) clicks were let through, the limit is \(limit)"] : []
    }
}

/// The time in which something stood still.
private struct Outages {
    /// In order, apart from each other.
    private var ranges: [ClosedRange<Double>] = []

    init(_ given: [ClosedRange<Double>]) {
        for range in given.sorted(by: { $0.lowerBound < $1.lowerBound }) {
            if let last = ranges.last, range.lowerBound <= last.upperBound {
                ranges[ranges.count - 1] = last.lowerBound...max(last.upperBound, range.upperBound)
            } else {
                ranges.append(range)
            }
        }
    }

    /// Seconds between the two moments, without those in outages.
    func uptime(from start: Double, to end: Double) -> Double {
        guard start < end else { return 0 }
        return ranges.reduce(end - start) { time, range in
            time - max(0, min(end, range.upperBound) - max(start, range.lowerBound))
        }
    }
}
