import Synchronization
import WaymarkHTTP
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
    let loop: any EventLoop
    /// Of the loop among those of the server, from 0.
    let number: Int
    let limits: ServerLimits
    let deadlines: Deadlines
    let trustedProxies: TrustedProxies
    let handler: any RequestHandler
    let counters: ServerCounters
    let accessLog: (any AccessLog)?
    /// Whether the access log hears of answers that are given at once.
    let logsEverything: Bool
    let reply = ByteBuffer(capacity: 65_536)
    let head: RequestHead
    private let receive: UnsafeMutableRawBufferPointer
    /// Bytes asked for in one read.
    static let readSize = 65_536
    private let population: Population
    private var connections: [Connection?] = []
    private var acceptors: [Acceptor] = []
    private var count = 0
    private(set) var isDraining = false
    private var drained: (@Sendable () -> Void)?
    private(set) var dateLine = DateLine(unixSeconds: 0)
    private var nextDate = LoopInstant(milliseconds: .min)

    /// On the loop.
    init(
        loop: any EventLoop, number: Int, configuration: ServerConfiguration, population: Population,
        counters: ServerCounters, handler: any RequestHandler
    ) {
        self.loop = loop
        self.number = number
        self.population = population
        self.counters = counters
        self.handler = handler
        limits = configuration.limits
        trustedProxies = configuration.trustedProxies
        deadlines = Deadlines(limits)
        accessLog = configuration.accessLog?(number)
        logsEverything = if case .all = accessLog?.scope { true } else { false }
        head = RequestHead(limits: limits.head)
        // Room for the most that a connection can hold over, and a whole read behind it.
        let room = max(limits.head.head, limits.readAhead) + Self.readSize
        // unsafe because manual memory is: freed in deinit and nowhere else.
        unsafe receive = .allocate(byteCount: room, alignment: 16)
        refreshDate()
    }

    deinit {
        // unsafe because manual memory is: no connection of this loop is left.
        unsafe receive.deallocate()
    }

    /// Called at the beginning of a connection's turn: the Date line is made anew once a second.
    @inline(__always)
    func beginTurn() -> LoopInstant {
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

    /// Takes over an accepted connection, or closes it at once where the server is full.
    func adopt(
        _ descriptor: consuming FileDescriptor, peer: Peer, transport: (any Transport)?, expectsProxyHeader: Bool
    ) {
        guard population.enter(limit: limits.connections) else {
            ServerCounters.add(1, to: counters.connectionsRefused)
            return
        }
        let number = Int(descriptor.number)
        let connection = Connection(
            worker: self, descriptor: descriptor.number, peer: peer, transport: transport,
            expectsProxyHeader: expectsProxyHeader)
        do throws(SystemError) {
            try connection.start(descriptor)
        } catch {
            population.leave()
            return ServerCounters.add(1, to: counters.acceptFailures)
        }
        ServerCounters.add(1, to: counters.connectionsAccepted)
        ServerCounters.add(1, to: counters.connectionsOpen)
        while connections.count <= number { connections.append(nil) }
        connections[number] = connection
        count += 1
    }

    /// A connection has closed its descriptor.
    func forget(_ descriptor: Int32) {
        connections[Int(descriptor)] = nil
        count -= 1
        population.leave()
        ServerCounters.add(-1, to: counters.connectionsOpen)
        finishDrainIfEmpty()
    }

    /// Whether more than three quarters of the connections are taken.
    var isCrowded: Bool { population.isCrowded(limit: limits.connections) }

    /// How many bytes a client must have moved after so many milliseconds.
    func bytesDue(after elapsed: Int64) -> Int {
        let (product, overflow) = limits.minimumRate.multipliedReportingOverflow(by: Int(clamping: elapsed))
        return overflow ? .max : product / 1_000
    }

    // MARK: Drain

    /// Stops accepting, lets requests in flight finish, and calls `completion` when no connection is left.
    func drain(_ completion: @escaping @Sendable () -> Void) {
        drained = completion
        // What the kernel has accepted for us would be reset with the listener: take it over before.
        for acceptor in acceptors { acceptor.stop() }
        acceptors = []
        isDraining = true
        for connection in connections { connection?.drain() }
        finishDrainIfEmpty()
    }

    /// Closes whatever is left.
    func cutOff() {
        for connection in connections { connection?.close() }
    }

    private func finishDrainIfEmpty() {
        guard isDraining, count == 0, let drained else { return }
        self.drained = nil
        drained()
    }
}

/// How many connections all loops of a server have together.
final class Population: Sendable {
    private let count = Atomic<Int>(0)

    /// False, with nothing changed, where the limit is reached.
    func enter(limit: Int) -> Bool {
        if count.add(1, ordering: .relaxed).newValue <= limit { return true }
        leave()
        return false
    }

    func leave() {
        count.subtract(1, ordering: .relaxed)
    }

    func isCrowded(limit: Int) -> Bool {
        count.load(ordering: .relaxed) > limit - limit / 4
    }
}
