package import WaymarkLinks

/// Visits of addresses that no link has, for an application and a day (UTC): by host and path. Bounded, because anyone can visit
/// any number of addresses; the most visited ones are kept, and few that scanners request (`ProbePath`).
package struct UnknownVisits: Sendable, Equatable {
    package static let addressLimit = 1_000
    /// Of these, addresses that browsers and scanners request from every host, unless there is room for more.
    package static let probeLimit = 100
    /// In bytes; visits of longer addresses are only counted.
    package static let addressLength = 300

    private var values = ClickTotal.Values()

    package init() {}

    package var isEmpty: Bool { values.counts.isEmpty && values.rest.sum == 0 }

    /// By address, without those that did not fit.
    package var counts: [(address: String, count: ClickCount)] {
        values.counts.compactMap { address, count in address.map { ($0, count) } }
    }

    package var addressCount: Int { values.counts.count }

    /// Adds visits without their address.
    package mutating func add(_ count: ClickCount) { values.rest += count }

    /// - Parameter address: Host and path, without a query.
    package mutating func add(_ count: ClickCount, of address: String) {
        guard address.utf8.count <= Self.addressLength else {
            values.rest += count
            return
        }
        values.add(count, of: address)
        // Not at each one, because it sorts them.
        if values.counts.count >= Self.addressLimit * 2 { shorten() }
    }

    package mutating func merge(_ other: UnknownVisits) {
        values.merge(other.values)
        shorten()
    }

    private mutating func shorten() {
        guard values.counts.count > Self.addressLimit else { return }
        // Of equal ones those that come first in the alphabet, so that the result does not depend on the order.
        let ordered = values.counts.sorted { ($1.value.sum, $0.key ?? "") < ($0.value.sum, $1.key ?? "") }
        let probes = ordered.filter { ProbePath.contains(address: $0.key ?? "") }
        let others = ordered.filter { !ProbePath.contains(address: $0.key ?? "") }
        let kept = min(others.count, Self.addressLimit - min(probes.count, Self.probeLimit))
        for (address, count) in [others[kept...], probes[min(probes.count, Self.addressLimit - kept)...]].joined() {
            values.counts[address] = nil
            values.rest += count
        }
    }

    /// Form 1: the form's number, and the values as in `ClickTotal`.
    package var encoded: [UInt8] {
        var kept = self
        kept.shorten()
        var writer = BinaryWriter()
        writer.byte(1)
        kept.values.write(to: &writer)
        return writer.bytes
    }

    /// - Throws: `.corrupt` for bytes that `encoded` did not write.
    package init(encoded bytes: [UInt8]) throws(StoreError) {
        guard bytes.first == 1, let values = ClickTotal.Values(reading: bytes[1...]) else {
            throw .corrupt("counts of visits of unknown addresses are damaged")
        }
        self.values = values
    }

    /// The stored row after adding to it.
    ///
    /// - Parameter bytes: The row so far; nil if there is none.
    package func added(to bytes: [UInt8]?) throws(StoreError) -> [UInt8] {
        guard let bytes else { return encoded }
        var stored = try UnknownVisits(encoded: bytes)
        stored.merge(self)
        return stored.encoded
    }
}

/// The visits of an application on a day.
package struct UnknownVisitsOfDay: Sendable, Equatable {
    package var application: ApplicationID
    /// Since 1970.
    package var day: Int
    package var visits: UnknownVisits

    package init(application: ApplicationID, day: Int, visits: UnknownVisits) {
        self.application = application
        self.day = day
        self.visits = visits
    }
}
