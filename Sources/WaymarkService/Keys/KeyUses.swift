import WaymarkLinks

/// When keys were last used on this server.
struct KeyUses: Sendable {
    /// Minimum interval between writes of a key's use, in milliseconds; half of the documented accuracy, because
    /// several servers with different clocks write.
    static let interval: Int64 = 30 * 60 * 1_000

    private(set) var latest: [String: Timestamp] = [:]
    private var written: [String: Timestamp] = [:]

    mutating func note(_ id: String, at now: Timestamp) { latest[id] = now }

    /// The uses to store, compared with the `stored` ones; deleted keys are dropped.
    mutating func due(_ stored: [String: Timestamp?], all: Bool) -> [String: Timestamp] {
        latest = latest.filter { stored.keys.contains($0.key) }
        written = written.filter { latest.keys.contains($0.key) }
        return latest.filter { id, used in
            guard let known = [written[id], stored[id] ?? nil].compactMap(\.self).max() else { return true }
            return all ? used > known : used.rawValue - known.rawValue >= Self.interval
        }
    }

    mutating func settle(_ uses: [String: Timestamp]) { written.merge(uses) { max($0, $1) } }
}
