import WaymarkJSON

/// The idempotency keys of requests without a response yet. A request repeated after the app restarts keeps its key.
struct PendingRequests: StoredValue {
    struct Entry: Sendable, Equatable {
        /// A hash of the request: bodies may be private.
        let fingerprint: String
        let key: String
        /// Unix time in seconds.
        let at: Int
    }

    static let name = "requests"
    /// Maximum number of entries; the oldest are removed first.
    static let limit = 200
    /// In seconds. The service stores keys for 24 hours; one hour is left for retries and clock differences.
    static let age = 23 * 3_600

    private(set) var entries: [Entry] = []

    init() {}

    init?(_ json: JSONValue) {
        guard let elements = json["requests"]?.array else { return nil }
        for element in elements {
            guard let fingerprint = element["request"]?.string, let key = element["key"]?.string,
                let at = element["at"]?.integer, !key.isEmpty, key.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7f })
            else { return nil }
            entries.append(Entry(fingerprint: fingerprint, key: key, at: at))
        }
    }

    var json: JSONValue {
        var object = JSONObject()
        object["requests"] = JSONValue(
            entries.map { entry in
                var member = JSONObject()
                member["request"] = JSONValue(entry.fingerprint)
                member["key"] = JSONValue(entry.key)
                member["at"] = JSONValue(entry.at)
                return JSONValue(member)
            })
        return JSONValue(object)
    }

    mutating func add(_ later: PendingRequests) {
        entries += later.entries
        trim()
    }

    /// The key of the first fresh entry for the request that satisfies `isFree`.
    func key(for fingerprint: String, now: Int, isFree: (String) -> Bool) -> String? {
        entries.first { $0.fingerprint == fingerprint && $0.isFresh(now: now) && isFree($0.key) }?.key
    }

    mutating func note(_ fingerprint: String, key: String, now: Int) {
        entries.removeAll { !$0.isFresh(now: now) }
        entries.append(Entry(fingerprint: fingerprint, key: key, at: now))
        trim()
    }

    mutating func forget(key: String) {
        entries.removeAll { $0.key == key }
    }

    private mutating func trim() {
        entries.removeFirst(max(0, entries.count - Self.limit))
    }
}

extension PendingRequests.Entry {
    /// If the clock was set back, the entry counts as expired rather than fresh for longer.
    fileprivate func isFresh(now: Int) -> Bool {
        let age = now.subtractingReportingOverflow(at)
        return !age.overflow && (0..<PendingRequests.age).contains(age.partialValue)
    }
}
