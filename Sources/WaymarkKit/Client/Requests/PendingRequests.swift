import WaymarkJSON

/// The idempotency keys of requests whose answer has not arrived yet, so that the same request after a restart of the app
/// is the same request for the service.
struct PendingRequests: StoredValue {
    struct Entry: Sendable, Equatable {
        /// What was asked, as a hash: bodies may be private.
        let fingerprint: String
        let key: String
        /// Seconds since 1970.
        let at: Int
    }

    static let name = "requests"
    /// How many are kept; the oldest go first.
    static let limit = 200
    /// In seconds. The service keeps keys for 24 hours; an hour is left for a retry and for clocks that differ.
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

    /// The key of the first entry for the request that `isFree` lets pass.
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
    /// A clock that was set back makes an entry old, never fresh for longer.
    fileprivate func isFresh(now: Int) -> Bool {
        let age = now.subtractingReportingOverflow(at)
        return !age.overflow && (0..<PendingRequests.age).contains(age.partialValue)
    }
}
