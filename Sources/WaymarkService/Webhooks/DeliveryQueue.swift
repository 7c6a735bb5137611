import WaymarkStores

/// Deliveries to one endpoint that were read from the store and whose results are not stored yet, and how its requests
/// are shared among lanes.
struct DeliveryQueue {
    /// Requests at once.
    static let requests = 16
    /// While clicks wait, so many requests are not for changes.
    private static let reservedForClicks = 2
    /// While no change waits, so many requests are not for clicks: a change that comes finds one free.
    private static let reservedForChanges = 4

    private struct Lane {
        /// In the order in which they are sent.
        var ready: ArraySlice<DueDelivery> = []
        var requests = 0
        /// Whether all that is due was read.
        var isDrained = false
    }

    private var changes = Lane()
    private var clicks = Lane()
    /// Of the last request that began.
    private var last: DeliveryLane?
    /// Numbers of those that are ready, under way, or whose results are not stored yet, with their lanes.
    private var taken: [Int64: DeliveryLane] = [:]

    private subscript(lane: DeliveryLane) -> Lane {
        get { lane == .changes ? changes : clicks }
        set { if lane == .changes { changes = newValue } else { clicks = newValue } }
    }

    /// Requests that are under way.
    var requestCount: Int { changes.requests + clicks.requests }

    func requestCount(in lane: DeliveryLane) -> Int { self[lane].requests }

    /// Whether there is anything to send or to wait for.
    var isEmpty: Bool { taken.isEmpty }

    // MARK: Reading

    /// How many deliveries to read, those that are taken included; nil if there are enough, or no others.
    ///
    /// - Parameter page: How many are to be ready.
    func limit(for lane: DeliveryLane, page: Int) -> Int? {
        guard !self[lane].isDrained, self[lane].ready.count <= page / 2 else { return nil }
        return page - self[lane].ready.count + taken.values.count { $0 == lane }
    }

    /// - Returns: How many were not taken.
    mutating func add(_ due: [DueDelivery], to lane: DeliveryLane, limit: Int) -> Int {
        let new = due.filter { taken[$0.number] == nil }
        for delivery in new { taken[delivery.number] = lane }
        self[lane].ready += new
        self[lane].isDrained = due.count < limit
        return new.count
    }

    /// There may be others that are due.
    mutating func noteDue(in lane: DeliveryLane) { self[lane].isDrained = false }

    /// Forgets what is not under way: it is read again.
    mutating func removeReady() {
        for lane in DeliveryLane.allCases {
            for delivery in self[lane].ready { taken[delivery.number] = nil }
            self[lane].ready = []
            self[lane].isDrained = false
        }
    }

    // MARK: Sending

    /// The lanes whose request may begin, the preferred one first.
    ///
    /// - Parameter limit: Of the requests at once.
    func nextLanes(limit: Int) -> [DeliveryLane] {
        guard requestCount < limit else { return [] }
        let mostChanges = Self.requests - (clicks.ready.isEmpty ? 0 : Self.reservedForClicks)
        let mostClicks = changes.ready.isEmpty ? Self.requests - Self.reservedForChanges : Self.reservedForClicks
        var lanes: [DeliveryLane] = []
        if !changes.ready.isEmpty, changes.requests < mostChanges { lanes.append(.changes) }
        if !clicks.ready.isEmpty, clicks.requests < mostClicks { lanes.append(.clicks) }
        // With one request they take turns.
        if limit == 1, last == .changes { lanes.reverse() }
        return lanes
    }

    /// - Precondition: `nextLanes` has the lane.
    mutating func begin(in lane: DeliveryLane) -> DueDelivery {
        last = lane
        self[lane].requests += 1
        return self[lane].ready.removeFirst()
    }

    mutating func end(in lane: DeliveryLane) { self[lane].requests -= 1 }

    /// The result of a delivery is stored.
    mutating func forget(_ number: Int64) {
        // What waited for it may be due.
        if let lane = taken.removeValue(forKey: number) { noteDue(in: lane) }
    }
}
