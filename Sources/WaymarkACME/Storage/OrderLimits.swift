import WaymarkJSON

/// The document of limits that hold for all hosts and all servers: `limits`.
struct OrderLimits: Sendable, Equatable {
    static let name = "limits"
    /// In seconds.
    static let period: Int64 = 3_600
    /// Maximum time for which one refused order blocks its authority for all hosts, in seconds: the limit may be one of
    /// the refused host alone, which has its own pause.
    static let blockLimit: Int64 = 3_600

    /// When orders began, in seconds since 1970.
    var orders: [Int64] = []
    /// Those of them that were for hosts that had failed.
    var retries: [Int64] = []
    /// When orders for hosts without a certificate began, by the hosts' owner.
    var first: [String: [Int64]] = [:]
    /// When orders at an authority may begin again, by `ACMEAuthority.digest`, in seconds since 1970.
    var blocked: [String: Int64] = [:]

    init() {}

    /// Nil if the document can't be decoded.
    init?(_ json: [UInt8]) {
        guard let value = try? JSONValue(parsing: json), let orders = value["orders"], orders.array != nil else {
            return nil
        }
        self.orders = orders.times
        retries = value["retries"]?.times ?? []
        for member in value["first"]?.object?.members ?? [] { first[member.name] = member.value.times }
        blocked = value["blocked"]?.timesByName ?? [:]
    }

    var json: [UInt8] {
        var writer = JSONWriter()
        writer.beginObject()
        writer.times("orders", orders)
        writer.times("retries", retries)
        writer.name("first")
        writer.beginObject()
        for (owner, times) in first.sorted(by: { $0.key < $1.key }) {
            writer.name(given: owner)
            writer.beginArray()
            for time in times { writer.integer(Int(time)) }
            writer.endArray()
        }
        writer.endObject()
        writer.times("blocked", blocked)
        writer.endObject()
        return writer.bytes
    }

    /// Whether an order may begin. Half of the orders are for hosts that have not failed, and half for others than the
    /// first certificates of one owner's hosts.
    ///
    /// - Parameter owner: of a host without a certificate, if there are several owners.
    func allow(isRetry: Bool, firstOf owner: String? = nil, limit: Int, at now: Int64) -> Bool {
        guard Self.recent(orders, at: now).count < limit else { return false }
        if let owner, firstOrders(of: owner, at: now) >= max(1, limit / 2) { return false }
        return !isRetry || Self.recent(retries, at: now).count < max(1, limit / 2)
    }

    /// First orders for the owner's hosts within the last hour.
    func firstOrders(of owner: String, at now: Int64) -> Int { Self.recent(first[owner] ?? [], at: now).count }

    /// Moments within the last hour. Those in the future were written with a wrong clock.
    private static func recent(_ moments: [Int64], at now: Int64) -> [Int64] {
        moments.filter { $0 > now - period && $0 <= now }
    }

    /// Earliest time of an order at the authority; 0: any time.
    func blockedUntil(_ authority: ACMEAuthority, at now: Int64) -> Int64 {
        guard let until = blocked[authority.digest], until > now, until <= now + Self.blockLimit else { return 0 }
        return until
    }

    mutating func recordOrder(isRetry: Bool, firstOf owner: String? = nil, at now: Int64) {
        orders = Self.recent(orders, at: now) + [now]
        first = first.mapValues { Self.recent($0, at: now) }.filter { !$0.value.isEmpty }
        if let owner { first[owner, default: []].append(now) }
        retries = Self.recent(retries, at: now) + (isRetry ? [now] : [])
        blocked = blocked.filter { $0.value > now }
    }

    /// - Parameter seconds: as the authority demands.
    mutating func block(_ authority: ACMEAuthority, seconds: Int, at now: Int64) {
        blocked[authority.digest] = now + min(Int64(seconds), Self.blockLimit)
    }
}
