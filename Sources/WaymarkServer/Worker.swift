import Synchronization
import WaymarkHTTP
import WaymarkMetrics
import WaymarkSockets

#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// One event loop's part of a server: its handler, its buffers and its connections.
///
/// All connections of the loop share the receive and the reply buffer: a connection uses them during its turn and
/// copies what is left over.
/// `@unchecked Sendable` because after `start` it is used on its loop only; the counters are atomics.
/// `@safe` because the receive buffer lives as long as the object and is only lent out with its bounds.
@safe
final class Worker: @unchecked Sendable {
    private struct Slot {
        var connection: Connection?
        /// The subscriber that the connection is counted for.
        var subscriber: Subscriber?
    }

    // Hot fields first, so they share cache lines: by the next request the kernel has evicted them.

    let loop: any EventLoop
    let handler: any RequestHandler
    let counters: ServerCounters
    /// Uncounted copies for the redirect path: retaining and releasing costs two locked instructions each time. Sound
    /// because this object owns the objects.
    let borrowedReply: Unmanaged<ByteBuffer>
    let borrowedMetrics: Unmanaged<RequestMetrics>
    @exclusivity(unchecked) private(set) var borrowedHead: Unmanaged<RequestHead>
    // Unchecked here and below because the runtime would check each access for overlap, and there is none.
    @exclusivity(unchecked) private var receive: UnsafeMutableRawBufferPointer
    /// Formats the access log's lines; nil if there is no access log.
    let line: AccessLogLine?
    /// The route from `RequestHandler.cachedRoute`.
    let cachedRoute: Int
    /// Whether cached responses may be logged.
    let logsCachedResponses: Bool
    private(set) var isDraining = false
    @safe @exclusivity(unchecked) private var nextDate = CoarseInstant(milliseconds: .min)
    @safe @exclusivity(unchecked) private(set) var dateLine = DateLine(unixSeconds: 0)

    /// The loop's index in the server, from 0.
    let number: Int
    // Changed only in `use`, between turns.
    @safe @exclusivity(unchecked) private(set) var limits: ServerLimits
    @safe @exclusivity(unchecked) private(set) var deadlines: Deadlines
    let trustedProxies: TrustedProxies
    let forwardedFields: ForwardedFields
    let requestIDs: RequestIDs
    private let unknownProxy: UnknownProxy
    /// The handler's routes, as in `counters`; index 0 is none.
    let routes: [RequestRoute]
    private let accessLog: (any AccessLog)?
    /// One in this many requests to quiet routes is logged; 0 for none.
    let quietInterval: Int
    private var quietCount = 0
    let reply = ByteBuffer(capacity: 65_536)
    @safe @exclusivity(unchecked) private(set) var head: RequestHead
    /// The Strict-Transport-Security line of responses over a transport; empty for none.
    let securityLine: [UInt8]
    /// Number of fields that `head` has room for.
    private var fieldCapacity: Int
    /// Limit of descriptors examined in a search for an idle connection; many belong to other loops.
    private static let examinedConnections = 64
    private static let examinedSlots = 4_096
    /// Bytes requested per read.
    static let readSize = 65_536
    private let connectionLimiter: ConnectionLimiter
    /// Shared by all loops.
    let inFlightLimiter: InFlightLimiter
    /// From this number on, descriptors are for listeners that only operators reach.
    let publicDescriptors: Int
    var reserves: DescriptorReserves { connectionLimiter.reserves }
    /// Indexed by descriptor.
    private var slots: [Slot] = []
    /// Where the search for an idle connection continues.
    private var nextPlace = 0
    /// Rejected connections that linger for their response; they update this count.
    var rejected = 0
    private var acceptors: [Acceptor] = []
    private var count = 0
    private var drained: (@Sendable () -> Void)?

    /// Called on the loop.
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
        cachedRoute = handler.cachedRoute
        precondition(routes.indices.contains(cachedRoute), "the handler has a route that its server was not told of")
        accessLog = configuration.accessLog?(number)
        publicDescriptors = configuration.descriptors.map { $0 - ConnectionLimiter.operatorDescriptors } ?? .max
        line = accessLog.map { AccessLogLine($0.format) }
        quietInterval = accessLog?.scope.quietInterval ?? 0
        logsCachedResponses = accessLog != nil && (quietInterval > 0 || !routes[cachedRoute].isQuiet)
        let head = RequestHead(limits: configuration.limits.head)
        self.head = head
        // unsafe because the references are not counted; this object owns their targets.
        unsafe borrowedReply = .passUnretained(reply)
        unsafe borrowedHead = .passUnretained(head)
        unsafe borrowedMetrics = .passUnretained(counters.requests)
        fieldCapacity = configuration.limits.head.fieldCount
        securityLine = configuration.strictTransportSecurity?.line ?? []
        // unsafe because the memory is managed manually: freed in deinit, and in `use` when it is replaced.
        unsafe receive = .allocate(byteCount: Self.receiveCapacity(configuration.limits), alignment: 16)
        refreshDate()
    }

    deinit {
        // unsafe because the memory is managed manually: no connection of this loop is left.
        unsafe receive.deallocate()
    }

    /// Called at the beginning of a connection's turn: refreshes the Date line once a second.
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

    // MARK: Metrics and the access log

    /// Whether the clock must be read for a request before it is known whether its response is cached.
    @inline(__always)
    var timesCachedResponses: Bool {
        // unsafe because the reference is not counted; this object owns its target.
        unsafe logsCachedResponses || borrowedMetrics._withUnsafeGuaranteedRef { $0.isCachedRouteTimed }
    }

    /// Whether a request of the route is logged; each call counts for the sampling of quiet routes.
    func wantsLine(of route: Int) -> Bool {
        // Visits first, because they are the most frequent.
        guard routes[route].isQuiet else { return !routes[route].isProbe || quietInterval == 1 }
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

    /// The current wall-clock time.
    var unixMilliseconds: Int64 {
        var time = timespec()
        // unsafe because clock_gettime writes through the pointer.
        _ = unsafe clock_gettime(CLOCK_REALTIME, &time)
        return Int64(time.tv_sec) * 1_000 + Int64(time.tv_nsec) / 1_000_000
    }

    /// Records the loop's delay and samples the connections' states.
    func look(_ delay: Int) {
        counters.delays.recordAlone(delay)
        counters.publish(connectionStates)
    }

    /// Applies new limits. Sizes of heads apply to new connections, and running deadlines are unchanged.
    func use(_ limits: ServerLimits) {
        self.limits = limits
        deadlines = Deadlines(limits)
        // Open connections keep their parsers, so the capacity must not shrink.
        if limits.head.fieldCount > fieldCapacity {
            fieldCapacity = limits.head.fieldCount
            head = RequestHead(limits: limits.head)
            // unsafe because the reference is not counted; this object owns its target.
            unsafe borrowedHead = .passUnretained(head)
        }
        let needed = Self.receiveCapacity(limits)
        // unsafe because the memory is managed manually: the old buffer is not in use between turns.
        if unsafe needed > receive.count {
            unsafe receive.deallocate()
            unsafe receive = .allocate(byteCount: needed, alignment: 16)
        }
    }

    /// Room for the most that a connection can hold, followed by a whole read.
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

    /// A part of the received bytes. Valid for the turn.
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

    /// Takes ownership of an accepted connection, or rejects it if there is no slot.
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
        case .full: return reject(descriptor, .connections, hasTransport: transport != nil || expectsProxyHeader)
        case .addressFull:
            ServerCounters.add(1, to: counters.connectionsRefusedByAddress)
            return reject(descriptor, .address, hasTransport: transport != nil || expectsProxyHeader)
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

    /// Counts a proxy's connection for its client from now on. False, with nothing changed, if the client has as many
    /// as one address may have.
    func assign(_ descriptor: Int32, to client: Peer) -> Bool {
        // Already counted if loopback is not exempt.
        guard slots[Int(descriptor)].subscriber == nil, let subscriber = subscriber(client) else { return true }
        guard connectionLimiter.enterShare(subscriber, limits: limits) else {
            ServerCounters.add(1, to: counters.connectionsRefused)
            ServerCounters.add(1, to: counters.connectionsRefusedByAddress)
            return false
        }
        slots[Int(descriptor)].subscriber = subscriber
        return true
    }

    /// The subscriber that a peer's connections count for; nil if not counted by address. A proxy's connections serve
    /// many clients.
    private func subscriber(_ peer: Peer) -> Subscriber? {
        let isCounted =
            !peer.role.isForOperators && !peer.isTrustedProxy && !(limits.exemptsLoopback && peer.isLocal)
        return isCounted ? Subscriber(peer.address) : nil
    }

    private func reject(_ descriptor: consuming FileDescriptor, _ overload: Overload, hasTransport: Bool) {
        ServerCounters.add(1, to: counters.connectionsRefused)
        // A client that expects a handshake can't read plain text, and a handshake costs more than many requests.
        if !hasTransport { RejectedConnection.begin(descriptor, overload, on: self) }
    }

    /// Makes room for a new connection: closes one that has been idle for longer than the limit under load.
    ///
    /// Its deadline may be later, because it was set before the load. Examines a bounded number of connections.
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

    /// Called when a connection has closed its descriptor.
    func forget(_ descriptor: Int32) {
        connectionLimiter.leave(slots[Int(descriptor)].subscriber)
        slots[Int(descriptor)] = Slot()
        count -= 1
        ServerCounters.add(-1, to: counters.connectionsOpen)
        finishDrainIfEmpty()
    }

    /// Takes a slot for a lingering close; false if there is none.
    func beginLingering() -> Bool { connectionLimiter.beginLingering(limit: limits.lingeringConnections) }

    func endLingering() { connectionLimiter.endLingering() }

    /// Whether more than three quarters of the connections are in use.
    var isCrowded: Bool { connectionLimiter.isCrowded(limit: limits.connections) }

    /// Bytes that a client must have moved after this many milliseconds, at this many bytes a second.
    func bytesDue(after elapsed: Int64, at rate: Int) -> Int {
        let (product, overflow) = rate.multipliedReportingOverflow(by: Int(clamping: elapsed))
        return overflow ? .max : product / 1_000
    }

    /// The states of this loop's connections.
    var connectionStates: ConnectionStateCounts {
        var connectionStates = ConnectionStateCounts()
        for slot in slots {
            if let connection = slot.connection { connectionStates.count(connection) }
        }
        return connectionStates
    }

    /// Reports an untrusted peer of this machine that forwards requests.
    func noteUnknownProxy() { unknownProxy.note() }

    // MARK: Drain

    /// Stops accepting, lets requests in flight finish, and calls `completion` when no connection is left.
    func drain(_ completion: @escaping @Sendable () -> Void) {
        drained = completion
        // Connections that the kernel has completed would be reset when the listener closes, so they are accepted
        // first.
        for acceptor in acceptors { acceptor.stop() }
        acceptors = []
        isDraining = true
        for slot in slots { slot.connection?.drain() }
        finishDrainIfEmpty()
    }

    /// Closes the remaining connections; returns their number.
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
