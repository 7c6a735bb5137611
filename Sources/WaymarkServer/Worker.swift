import Synchronization
import WaymarkHTTP
import WaymarkMetrics
import WaymarkSockets

#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// One event loop's share of a server: its handler, its buffers and its connections.
///
/// The receive and the reply buffer are shared by all connections of the loop: a connection uses them during its turn and
/// takes home what is left over.
/// `@unchecked Sendable` because after `start` it is touched on its loop only; the counters are atomics.
/// `@safe` because the receive buffer lives as long as the object and is only lent out with its bounds.
@safe
final class Worker: @unchecked Sendable {
    private struct Slot {
        var connection: Connection?
        /// Whose share of connections it is.
        var subscriber: Subscriber?
    }

    // First, side by side, what every request looks at: by the time the kernel has taken the answer before, each line of
    // memory is far from the processor again.

    let loop: any EventLoop
    let handler: any RequestHandler
    let counters: ServerCounters
    /// These once more, for the redirect path: counting a reference costs two locked instructions each time. Sound,
    /// because this object keeps them.
    let borrowedReply: Unmanaged<ByteBuffer>
    let borrowedFigures: Unmanaged<RequestMetrics>
    @exclusivity(unchecked) private(set) var borrowedHead: Unmanaged<RequestHead>
    // Unchecked here and below, because the run time would check each access for overlap with another, and there is none.
    @exclusivity(unchecked) private var receive: UnsafeMutableRawBufferPointer
    /// What spells the access log's lines; nil where there is no access log.
    let line: AccessLogLine?
    /// Of `RequestHandler.cachedResponse`.
    let readyRoute: Int
    /// Whether the access log may hear of ready answers.
    let logsReadyAnswers: Bool
    private(set) var isDraining = false
    @safe @exclusivity(unchecked) private var nextDate = CoarseInstant(milliseconds: .min)
    @safe @exclusivity(unchecked) private(set) var dateLine = DateLine(unixSeconds: 0)

    /// Of the loop among those of the server, from 0.
    let number: Int
    // They change in `use` only, between turns.
    @safe @exclusivity(unchecked) private(set) var limits: ServerLimits
    @safe @exclusivity(unchecked) private(set) var deadlines: Deadlines
    let trustedProxies: TrustedProxies
    let forwardedFields: ForwardedFields
    let requestIDs: RequestIDs
    private let unknownProxy: UnknownProxy
    /// The handler's routes, those of `counters`; 0 is none.
    let routes: [RequestRoute]
    private let accessLog: (any AccessLog)?
    /// Of the requests to quiet routes one in so many is logged; 0 where none is.
    let quietInterval: Int
    private var quietCount = 0
    let reply = ByteBuffer(capacity: 65_536)
    @safe @exclusivity(unchecked) private(set) var head: RequestHead
    /// The line that answers over a transport have besides; empty for none.
    let securityLine: [UInt8]
    /// Fields that `head` has room for.
    private var fieldCapacity: Int
    /// Connections looked at for an idle one, and descriptors among which they are looked for; many are other loops'.
    private static let examinedConnections = 64
    private static let examinedSlots = 4_096
    /// Bytes asked for in one read.
    static let readSize = 65_536
    private let connectionLimiter: ConnectionLimiter
    /// The backlog of all loops together.
    let inFlightLimiter: InFlightLimiter
    var reserves: DescriptorReserves { connectionLimiter.reserves }
    /// By descriptor.
    private var slots: [Slot] = []
    /// Where the search for an idle connection goes on.
    private var nextPlace = 0
    /// Connections that were refused and linger for their answer; counted by them.
    var rejected = 0
    private var acceptors: [Acceptor] = []
    private var count = 0
    private var drained: (@Sendable () -> Void)?

    /// On the loop.
    init(
        loop: any EventLoop, number: Int, configuration: ServerConfiguration, connectionLimiter: ConnectionLimiter,
        inFlightLimiter: InFlightLimiter,
        counters: ServerCounters, unknownProxy: UnknownProxy, handler: any RequestHandler
    ) {
        self.loop = loop
        self.number = number
        self.connectionLimiter = connectionLimiter
        self.inFlightLimiter = inFlightLimiter
        self.counters = counters
        self.handler = handler
        limits = configuration.limits
        trustedProxies = configuration.trustedProxies
        forwardedFields = configuration.forwardedFields
        self.unknownProxy = unknownProxy
        requestIDs = RequestIDs(paths: configuration.identifiedPaths)
        deadlines = Deadlines(configuration.limits)
        routes = configuration.routes
        readyRoute = handler.readyRoute
        precondition(routes.indices.contains(readyRoute), "the handler has a route that its server was not told of")
        accessLog = configuration.accessLog?(number)
        line = accessLog.map { _ in AccessLogLine() }
        quietInterval = accessLog?.scope.quietInterval ?? 0
        logsReadyAnswers = accessLog != nil && (quietInterval > 0 || !routes[readyRoute].isQuiet)
        let head = RequestHead(limits: configuration.limits.head)
        self.head = head
        // unsafe because the references are not counted; this object keeps what they are to.
        unsafe borrowedReply = .passUnretained(reply)
        unsafe borrowedHead = .passUnretained(head)
        unsafe borrowedFigures = .passUnretained(counters.requests)
        fieldCapacity = configuration.limits.head.fieldCount
        securityLine = configuration.strictTransportSecurity?.line ?? []
        // unsafe because manual memory is: freed in deinit, and in `use` where it is replaced.
        unsafe receive = .allocate(byteCount: Self.receiveCapacity(configuration.limits), alignment: 16)
        refreshDate()
    }

    deinit {
        // unsafe because manual memory is: no connection of this loop is left.
        unsafe receive.deallocate()
    }

    /// Called at the beginning of a connection's turn: the Date line is made anew once a second.
    @inline(__always)
    func beginTurn() -> CoarseInstant {
        let now = loop.now
        if now >= nextDate { refreshDate() }
        return now
    }

    private func refreshDate() {
        var time = timespec()
        // unsafe because clock_gettime writes through the pointer.
        _ = unsafe clock_gettime(CLOCK_REALTIME, &time)
        if dateLine.unixSeconds != Int64(time.tv_sec) { dateLine = DateLine(unixSeconds: Int64(time.tv_sec)) }
        nextDate = loop.now.advanced(by: 1_000 - Int64(time.tv_nsec) / 1_000_000)
    }

    // MARK: Figures and the access log

    /// Whether the clock is read for a request, should its answer be ready.
    @inline(__always)
    var timesReadyAnswer: Bool {
        // unsafe because the reference is not counted; this object keeps what it is to.
        unsafe logsReadyAnswers || borrowedFigures._withUnsafeGuaranteedRef { $0.isReadyTimed }
    }

    /// Whether a request of the route has a line in the access log; of quiet ones each one asked for counts.
    func wantsLine(of route: Int) -> Bool {
        guard routes[route].isQuiet else { return true }
        guard quietInterval > 1 else { return quietInterval == 1 }
        quietCount += 1
        guard quietCount == quietInterval else { return false }
        quietCount = 0
        return true
    }

    func write(_ line: ByteBuffer) {
        // unsafe because a pointer is lent for the call.
        unsafe line.withBytes { accessLog?.write(unsafe $0.assumingMemoryBound(to: UInt8.self).span) }
    }

    /// Now, on the wall.
    var unixMilliseconds: Int64 {
        var time = timespec()
        // unsafe because clock_gettime writes through the pointer.
        _ = unsafe clock_gettime(CLOCK_REALTIME, &time)
        return Int64(time.tv_sec) * 1_000 + Int64(time.tv_nsec) / 1_000_000
    }

    /// Notes how late this comes, and what the connections are doing.
    func look(_ delay: Int) {
        counters.delays.recordAlone(delay)
        counters.publish(connectionStates)
    }

    /// Goes on with other limits. Sizes of heads hold for connections that come from now on, deadlines that are running
    /// end when they were to.
    func use(_ limits: ServerLimits) {
        self.limits = limits
        deadlines = Deadlines(limits)
        // Open connections keep the parsers that they have: nothing becomes smaller.
        if limits.head.fieldCount > fieldCapacity {
            fieldCapacity = limits.head.fieldCount
            head = RequestHead(limits: limits.head)
            // unsafe because the reference is not counted; this object keeps what it is to.
            unsafe borrowedHead = .passUnretained(head)
        }
        let needed = Self.receiveCapacity(limits)
        // unsafe because manual memory is: nothing of the old buffer is in use between turns.
        if unsafe needed > receive.count {
            unsafe receive.deallocate()
            unsafe receive = .allocate(byteCount: needed, alignment: 16)
        }
    }

    /// Room for the most that a connection can hold over, and a whole read behind it.
    private static func receiveCapacity(_ limits: ServerLimits) -> Int {
        max(limits.head.head, limits.readAhead) + readSize
    }

    // MARK: The receive buffer

    /// A part of the receive buffer to read into. Valid for the turn.
    func room(at position: Int, count: Int) -> UnsafeMutableRawBufferPointer {
        // unsafe because it lends a pointer; the precondition keeps it within the buffer.
        unsafe precondition(position >= 0 && count >= 0 && position <= receive.count - count, "not in the buffer")
        return unsafe UnsafeMutableRawBufferPointer(rebasing: unsafe receive[position..<position + count])
    }

    /// A part of what has been received. Valid for the turn.
    @inline(__always)
    func received(_ range: Range<Int>) -> UnsafeBufferPointer<UInt8> {
        // unsafe because it lends a pointer; the precondition keeps it within the buffer, and bytes have no alignment.
        unsafe precondition(range.lowerBound >= 0 && range.upperBound <= receive.count, "not in the buffer")
        return unsafe UnsafeRawBufferPointer(rebasing: receive[range]).assumingMemoryBound(to: UInt8.self)
    }

    // MARK: Connections

    /// Starts to accept on a socket.
    func listen(
        _ descriptor: consuming FileDescriptor, listener: ServerConfiguration.Listener, isUnixSocket: Bool
    ) throws(SystemError) {
        let acceptor = Acceptor(worker: self, listener: listener, isUnixSocket: isUnixSocket)
        try acceptor.start(descriptor)
        acceptors.append(acceptor)
    }

    /// Takes over an accepted connection, or turns it away where there is no place for it.
    func adopt(
        _ descriptor: consuming FileDescriptor, peer: Peer, transport: (any Transport)?, expectsProxyHeader: Bool
    ) {
        let subscriber = subscriber(peer)
        var outcome = connectionLimiter.enter(subscriber, role: peer.role, limits: limits)
        if case .full = outcome, closeIdleConnection() {
            outcome = connectionLimiter.enter(subscriber, role: peer.role, limits: limits)
        }
        switch outcome {
        case .entered: break
        case .full: return turnAway(descriptor, .connections, hasTransport: transport != nil || expectsProxyHeader)
        case .addressFull:
            ServerCounters.add(1, to: counters.connectionsRefusedByAddress)
            return turnAway(descriptor, .address, hasTransport: transport != nil || expectsProxyHeader)
        }
        let number = Int(descriptor.number)
        let connection = Connection(
            worker: self, descriptor: descriptor.number, peer: peer, transport: transport,
            expectsProxyHeader: expectsProxyHeader)
        do throws(SystemError) {
            try connection.start(descriptor)
        } catch {
            connectionLimiter.leave(subscriber)
            return ServerCounters.add(1, to: counters.acceptFailures)
        }
        ServerCounters.add(1, to: counters.connectionsAccepted)
        ServerCounters.add(1, to: counters.connectionsOpen)
        while slots.count <= number { slots.append(Slot()) }
        slots[number] = Slot(connection: connection, subscriber: subscriber)
        count += 1
    }

    /// A proxy passes this connection on: from now on it counts for its client. False, with nothing changed, where the
    /// client has as many as one may have.
    func assign(_ descriptor: Int32, to client: Peer) -> Bool {
        // Counted already, where loopback is not exempt.
        guard slots[Int(descriptor)].subscriber == nil, let subscriber = subscriber(client) else { return true }
        guard connectionLimiter.enterShare(subscriber, limits: limits) else {
            ServerCounters.add(1, to: counters.connectionsRefused)
            ServerCounters.add(1, to: counters.connectionsRefusedByAddress)
            return false
        }
        slots[Int(descriptor)].subscriber = subscriber
        return true
    }

    /// Whose connections a peer's count with; nil where they are not counted by address. A proxy's are those of many.
    private func subscriber(_ peer: Peer) -> Subscriber? {
        let isCounted =
            peer.role != .admin && !peer.isTrustedProxy && !(limits.exemptsLoopback && peer.isLocal)
        return isCounted ? Subscriber(peer.address) : nil
    }

    private func turnAway(_ descriptor: consuming FileDescriptor, _ overload: Overload, hasTransport: Bool) {
        ServerCounters.add(1, to: counters.connectionsRefused)
        // A client that expects a handshake would not understand, and one handshake costs more than many requests.
        if !hasTransport { RejectedConnection.begin(descriptor, overload, on: self) }
    }

    /// Makes room for a newcomer: closes a connection that has been idle for longer than is granted in a crowd.
    ///
    /// Its deadline may be later, because it was set when there was no crowd. Looks at a bounded number of connections.
    func closeIdleConnection() -> Bool {
        let now = loop.now
        var examined = 0
        for _ in 0..<min(slots.count, Self.examinedSlots) where examined < Self.examinedConnections {
            nextPlace = nextPlace < slots.count ? nextPlace : 0
            let slot = slots[nextPlace]
            nextPlace += 1
            guard let connection = slot.connection else { continue }
            examined += 1
            guard connection.isIdle(now, since: deadlines.keepAliveIdleWhenCrowded) else { continue }
            ServerCounters.add(1, to: counters.connectionsEvicted)
            connection.close()
            return true
        }
        return false
    }

    /// A connection has closed its descriptor.
    func forget(_ descriptor: Int32) {
        connectionLimiter.leave(slots[Int(descriptor)].subscriber)
        slots[Int(descriptor)] = Slot()
        count -= 1
        ServerCounters.add(-1, to: counters.connectionsOpen)
        finishDrainIfEmpty()
    }

    /// Takes a place among the connections in a lingering close; false where there is none.
    func beginLingering() -> Bool { connectionLimiter.beginLingering(limit: limits.lingeringConnections) }

    func endLingering() { connectionLimiter.endLingering() }

    /// Whether more than three quarters of the connections are taken.
    var isCrowded: Bool { connectionLimiter.isCrowded(limit: limits.connections) }

    /// How many bytes a client must have moved after so many milliseconds, at so many a second.
    func bytesDue(after elapsed: Int64, at rate: Int) -> Int {
        let (product, overflow) = rate.multipliedReportingOverflow(by: Int(clamping: elapsed))
        return overflow ? .max : product / 1_000
    }

    /// What the connections of this loop are doing.
    var connectionStates: ConnectionStateCounts {
        var connectionStates = ConnectionStateCounts()
        for slot in slots {
            if let connection = slot.connection { connectionStates.count(connection) }
        }
        return connectionStates
    }

    /// A peer of this machine that is no trusted proxy forwards requests.
    func noteUnknownProxy() { unknownProxy.note() }

    // MARK: Drain

    /// Stops accepting, lets requests in flight finish, and calls `completion` when no connection is left.
    func drain(_ completion: @escaping @Sendable () -> Void) {
        drained = completion
        // What the kernel has accepted for us would be reset with the listener: take it over before.
        for acceptor in acceptors { acceptor.stop() }
        acceptors = []
        isDraining = true
        for slot in slots { slot.connection?.drain() }
        finishDrainIfEmpty()
    }

    /// Closes whatever is left; returns how many connections that was.
    func closeAll() -> Int {
        let cut = count
        for slot in slots { slot.connection?.close() }
        return cut
    }

    private func finishDrainIfEmpty() {
        guard isDraining, count == 0, let drained else { return }
        self.drained = nil
        drained()
    }
}
