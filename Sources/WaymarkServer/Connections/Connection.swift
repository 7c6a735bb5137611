import WaymarkHTTP
import WaymarkSockets

/// One client's connection, from accept to close: reads requests and writes responses in order.
///
/// An idle connection is only this object. It owns buffers only while it holds a partial request, or output that the
/// client has not taken; in the latter case it stops reading. `@unchecked Sendable` because it is used on its loop
/// only; tasks just carry it there and back.
final class Connection: ReadinessHandler, @unchecked Sendable {
    enum Phase {
        /// Waiting for the PROXY protocol header, on a listener that expects one.
        case proxyHeader
        /// The transport has not finished its handshake.
        case handshake
        /// Between requests, or within a head.
        case head
        /// Collecting a body for the handler.
        case body
        /// A task takes a piece of the body; the rest waits.
        case passing
        /// A task is producing the response.
        case answering
        /// Sending a body that a task produces, piece by piece.
        case streaming
        /// Dropping a body that the handler does not need, before the response.
        case skipping
        /// Sending the last response; no further input is read as a request.
        case finishing
        /// The response is sent and writing is shut down: input is dropped, so that no reset destroys the response.
        case lingering
        case closed
    }

    let worker: Worker
    let descriptor: Int32
    // Unchecked because everything runs on the loop, like the properties below. Changes once, after a PROXY protocol header.
    @safe @exclusivity(unchecked) var peer: Peer
    /// The client that a trusted proxy named in the current request; nil if none was named.
    @safe @exclusivity(unchecked) var forwarded: Peer?
    /// The client of the current request.
    var client: Peer { forwarded ?? peer }
    private(set) var transport: (any Transport)?
    private(set) var registration = Registration(descriptor: -1, generation: 0)

    var phase = Phase.head
    // The runtime would check each access to the next three properties for overlap, several times a request.
    // Unchecked because there is no overlap: everything runs on the loop, and no access to them calls back into this
    // object.
    @safe @exclusivity(unchecked) var parser: RequestParser
    /// Bytes received and not consumed: a partial head, or requests that wait for their turn.
    @safe @exclusivity(unchecked) var input: [UInt8] = []
    @safe @exclusivity(unchecked) var output = PendingOutput()
    /// The state of a request that is not answered at once.
    var exchange: Exchange?

    /// Whether and how the connection persists after the current response.
    var persistence = ResponseHead.Persistence.implied
    /// Whether the current request is a HEAD.
    var isHead = false
    /// The handler's route of the current request; 0 if none.
    var route = 0
    /// The current request's ID, if its path gets one; cached responses have none.
    @safe @exclusivity(unchecked) var requestID: [UInt8] = []
    /// The client has closed its side; requests it sent before are still answered.
    var hasPeerClosed = false
    /// A local client that forwards requests is counted by address, as others are.
    var isCountedByAddress = false
    /// Close only after the client has had time to read the response.
    var mustLinger = false
    private var isContinuationScheduled = false
    /// The transport's interest, apart from the phase's.
    var transportInterest = Interest.none
    private var interest: Interest = .read
    /// True if the last read drained the socket without reaching the end of the stream. Always false with a
    /// transport, which may hold decrypted bytes.
    private var hasReadAll = false

    private let accepted: CoarseInstant
    /// When the head, the body or the lingering close began; deadlines are counted from here.
    var phaseStart: CoarseInstant
    private(set) var requestCount = 0
    /// Bytes dropped while lingering.
    var dropped = 0

    init(
        worker: Worker, descriptor: Int32, peer: Peer, transport: (any Transport)?, expectsProxyHeader: Bool = false
    ) {
        self.worker = worker
        self.descriptor = descriptor
        self.peer = peer
        self.transport = transport
        parser = RequestParser(limits: worker.limits.head)
        accepted = worker.loop.now
        phaseStart = accepted
        if expectsProxyHeader { phase = .proxyHeader }
    }

    func start(_ descriptor: consuming FileDescriptor) throws(SystemError) {
        SystemCall.sendWithoutDelay(descriptor.number)
        registration = try worker.loop.register(descriptor, for: .read, handler: self)
        if let transport {
            transport.attach(to: self.descriptor)
            if phase != .proxyHeader { phase = .handshake }
        }
        worker.loop.setDeadline(accepted.advanced(by: worker.deadlines.firstByte), of: registration)
    }

    // MARK: Events

    func ready(_ readiness: Interest) {
        // No client is left to read a response.
        if readiness.contains(.hangUp) { return close() }
        hasReadAll = false
        let now = worker.beginTurn()
        switch phase {
        case .proxyHeader: readProxyHeader(now)
        case .handshake: shakeHands(now)
        case .lingering: drop(now)
        case .closed: break
        default:
            if output.isBlocked {
                flush()
                guard !output.isBlocked, phase != .closed else { return settle(now) }
                // Input that was read before the response was sent.
                process(takeInput(), now)
                if transport != nil { read(now) }
                continueStream()
            } else if !isContinuationScheduled {
                read(now, isEndNear: readiness.contains(.end))
            }
        }
    }

    func deadlinePassed() {
        let now = worker.beginTurn()
        ServerCounters.add(1, to: worker.counters.timeouts)
        let isWithinRequest =
            switch phase {
            // Line ends alone are not a request (RFC 9112 section 2.2), and their sender does not wait for a
            // response.
            case .head: input.contains { $0 != 0x0D && $0 != 0x0A }
            case .body, .skipping: true
            default: false
            }
        guard isWithinRequest, !output.isBlocked else { return close() }
        refuse(.requestTimeout, detail: "The request took too long to arrive.")
        finishTurn(now)
    }

    func shakeHands(_ now: CoarseInstant) {
        guard let transport else { return }
        switch transport.handshake() {
        case .done:
            phase = .head
            transportInterest = .none
            read(now)
        case .wantsRead: transportInterest = .none
        case .wantsWrite: transportInterest = .write
        case .plaintext:
            self.transport = nil
            transportInterest = .none
            refuse(.badRequest, detail: "This port speaks HTTPS, and the request came as plain HTTP.")
            return finishTurn(now)
        case .failed: return close()
        }
        // The accept's deadline remains in force.
        if phase == .handshake { updateInterest() }
    }

    // MARK: Reading

    /// Reads once and processes the bytes. A transport, which may hold more than the socket shows, is read until it
    /// is empty.
    ///
    /// - Parameter isEndNear: the client has closed its side, so the end of the stream follows the bytes that can be
    ///   read now.
    func read(_ now: CoarseInstant, isEndNear: Bool = false) {
        var rounds = 0
        while true {
            let held = input.count
            let room = isWaitingForTask ? min(worker.limits.readAhead - held, Worker.readSize) : Worker.readSize
            guard room > 0 else { return settle(now) }
            // unsafe because it reads into the loop's buffer, after the held bytes; the worker sized it for the most
            // that can be held and one whole read.
            let buffer = unsafe worker.room(at: held, count: room)
            switch unsafe receive(into: buffer) {
            case .processed(0):
                hasPeerClosed = true
                return finishTurn(now)
            case .processed(let count):
                // A stream socket that returns less than the requested size is drained (epoll(7)).
                hasReadAll = transport == nil && count < room && !isEndNear
                ServerCounters.add(count, to: worker.counters.bytesReceived)
                process(takeInput() + count, now)
            case .wouldBlock:
                hasReadAll = transport == nil
                return settle(now)
            case .failed:
                return close()
            }
            guard transport != nil, phase != .closed, phase != .lingering, !output.isBlocked else { return }
            rounds += 1
            if rounds == 4 { return scheduleContinuation() }
        }
    }

    /// Moves the held bytes to the front of the loop's buffer; returns their count.
    private func takeInput() -> Int {
        guard !input.isEmpty else { return 0 }
        let count = input.count
        // unsafe because it copies through pointers; the worker checks that its buffer is large enough.
        unsafe input.withUnsafeBytes { held in
            unsafe worker.room(at: 0, count: count).copyMemory(from: held)
        }
        return count
    }

    /// Processes the first `count` bytes of the loop's buffer: everything received and not consumed.
    private func process(_ count: Int, _ now: CoarseInstant) {
        var position = 0
        var answered = 0
        let before = phase
        loop: while position < count || phase == .body || phase == .skipping {
            // unsafe because the span is over the loop's buffer, which nothing else writes to during this turn.
            let bytes = unsafe worker.received(position..<count)
            switch phase {
            case .head:
                if output.isBlocked { break loop }
                if answered == worker.limits.requestsPerTurn {
                    scheduleContinuation()
                    break loop
                }
                switch unsafe worker.borrowedHead._withUnsafeGuaranteedRef({ unsafe parser.parse(bytes.span, into: $0) }
                ) {
                case .needMore: break loop
                case .head(let length):
                    position += length
                    answered += 1
                    unsafe respond(to: bytes.span.extracting(first: length), isMoreThere: position < count, now)
                    if worker.reply.count > Worker.readSize / 2 || output.isBlocked { flush() }
                case .reject(let status, let detail):
                    forwarded = nil
                    // unsafe because the span borrows the loop's buffer, for the call only.
                    isHead = unsafe RequestParser.begins(bytes.span, with: .head)
                    refuse(status, detail: detail)
                }
            case .body, .skipping:
                guard let consumed = unsafe takeBody(bytes.span, now) else { break loop }
                position += consumed
            case .answering, .passing, .streaming: break loop
            case .proxyHeader, .handshake, .finishing, .lingering, .closed:
                // Unread requests follow the last one: closing at once would send a reset.
                mustLinger = true
                position = count
            }
        }
        keep(position..<count, wasWithinHead: before == .head && answered == 0, now)
        finishTurn(now)
    }

    /// Stores the bytes that this turn has not consumed.
    private func keep(_ range: Range<Int>, wasWithinHead: Bool, _ now: CoarseInstant) {
        if range.isEmpty || phase == .closed {
            // Frees the memory as well: an idle connection holds none.
            if !input.isEmpty { input = [] }
            return
        }
        if phase == .head, input.isEmpty || !wasWithinHead { phaseStart = now }
        input.removeAll(keepingCapacity: true)
        // unsafe because it copies from the loop's buffer, within what was received.
        unsafe input.append(contentsOf: worker.received(range))
    }

    // Inlined for the same reason as `flush`.
    @inline(__always)
    private func receive(into buffer: UnsafeMutableRawBufferPointer) -> IOResult {
        // unsafe because it passes on a buffer with its bounds.
        guard let transport else { return unsafe SystemCall.receive(descriptor, into: buffer) }
        return unsafe receive(into: buffer, through: transport)
    }

    @inline(never)
    private func receive(
        into buffer: UnsafeMutableRawBufferPointer, through transport: any Transport
    ) -> IOResult {
        // unsafe because it passes on a buffer with its bounds.
        switch unsafe transport.receive(into: buffer) {
        case .done(let count):
            transportInterest = .none
            return .processed(count)
        case .wantsRead:
            transportInterest = .none
            return .wouldBlock
        case .wantsWrite:
            transportInterest = .write
            return .wouldBlock
        case .plaintext, .failed: return .failed(0)
        }
    }

    /// Continues with input that is already here, after other connections have had their turn.
    private func scheduleContinuation() {
        isContinuationScheduled = true
        worker.loop.execute { [self] in
            isContinuationScheduled = false
            guard phase != .closed else { return }
            resume(worker.beginTurn())
        }
    }

    /// Continues after a response, with input that was read ahead.
    func resume(_ now: CoarseInstant) {
        process(takeInput(), now)
        // A transport may hold decrypted bytes that no readiness event reports.
        if transport != nil, phase != .closed, !output.isBlocked, !isContinuationScheduled { read(now) }
    }

    // MARK: The end of a turn

    /// Sends the turn's output and decides how the connection continues.
    func finishTurn(_ now: CoarseInstant) {
        let wasBlocked = output.isBlocked
        flush()
        if !output.isBlocked {
            // The client may have taken the output that blocked the requests behind it. If those requests are all in
            // memory, no readiness event will report them.
            if wasBlocked, phase == .head, !input.isEmpty, !isContinuationScheduled { scheduleContinuation() }
            switch phase {
            case .finishing:
                if mustLinger { linger(now, total: worker.deadlines.lingerTotal) } else { return close() }
            // An incomplete request is never executed (RFC 9112 section 8), so there is nothing to answer.
            case .head, .body, .skipping: if hasPeerClosed, !isContinuationScheduled { return close() }
            default: break
            }
        }
        settle(now)
        // The connection was busy when the drain began and is now idle.
        if worker.isDraining { drain() }
    }

    /// Sets the interest and the deadline that the phase needs.
    func settle(_ now: CoarseInstant) {
        guard phase != .closed else { return }
        updateInterest()
        let deadline = deadline(now)
        worker.loop.setDeadline(deadline, of: registration)
    }

    private func updateInterest() {
        var wanted: Interest = transportInterest
        if output.isBlocked {
            if wanted.isEmpty { wanted = .write }
        } else if hasPeerClosed && phase != .lingering {
            // The end of the stream stays readable permanently.
            wanted = .none
        } else if wanted.isEmpty, !isWaitingForTask || input.count < worker.limits.readAhead {
            // A transport that must write first does not read, so a read interest would fire continuously.
            wanted = hasReadAll && (phase == .head || isWaitingForTask) ? .edgeTriggeredRead : .read
        }
        guard wanted != interest else { return }
        interest = wanted
        worker.loop.setInterest(wanted, of: registration)
    }

    private func deadline(_ now: CoarseInstant) -> CoarseInstant {
        let deadlines = worker.deadlines
        if output.isBlocked { return output.progress.advanced(by: deadlines.writeStall) }
        switch phase {
        case .head:
            if !input.isEmpty { return phaseStart.advanced(by: deadlines.header) }
            if requestCount == 0 { return accepted.advanced(by: deadlines.firstByte) }
            return now.advanced(by: worker.isCrowded ? deadlines.keepAliveIdleWhenCrowded : deadlines.keepAliveIdle)
        case .body, .skipping:
            let total = exchange?.receiver == nil ? deadlines.bodyTotal : deadlines.streamTotal
            return min(now.advanced(by: deadlines.bodyIdle), phaseStart.advanced(by: total))
        case .lingering:
            return min(now.advanced(by: deadlines.lingerIdle), phaseStart.advanced(by: deadlines.lingerTotal))
        case .proxyHeader, .handshake: return accepted.advanced(by: deadlines.firstByte)
        // The handler's own limits bound these phases.
        case .answering, .passing, .streaming, .finishing, .closed: return .distantFuture
        }
    }

    private var isWaitingForTask: Bool { phase == .answering || phase == .passing || phase == .streaming }

    /// Counts a request and returns whether it is the connection's last.
    func countRequest(_ now: CoarseInstant) -> Bool {
        requestCount += 1
        return worker.isDraining || requestCount >= worker.limits.requestsPerConnection
            || now.since(accepted) >= worker.deadlines.connectionAge
    }

    // MARK: Closing

    /// The server is shutting down: closes an idle connection, lets a busy one finish.
    func drain() {
        let now = worker.loop.now
        let end = now.advanced(by: worker.deadlines.farewell)
        switch phase {
        case .head where input.isEmpty && !output.isBlocked:
            // A client that has just connected may have its first request in flight, so it gets a moment.
            if requestCount > 0 { linger(now, total: worker.deadlines.farewell) }
            guard phase != .closed else { return }
            updateInterest()
        // The client has its response; a slow close must not delay the restart.
        case .lingering: phaseStart = min(phaseStart, end.advanced(by: -worker.deadlines.lingerTotal))
        // It may never end by itself.
        case .streaming: return close()
        default: return
        }
        worker.loop.setDeadline(end, of: registration)
    }

    /// Whether the connection has been idle for at least `patience` milliseconds since its last response. A client
    /// that has its last response, and keeps sending, may be evicted like a silent one.
    func isIdle(_ now: CoarseInstant, since patience: Int64) -> Bool {
        if case .lingering = phase { return now.since(phaseStart) >= patience }
        guard case .head = phase, requestCount > 0, input.isEmpty, !output.isBlocked else { return false }
        return !isContinuationScheduled && now.since(phaseStart) >= patience
    }

    func close() {
        guard phase != .closed else { return }
        // After a truncated response no orderly end is sent, so that the client notices.
        if output.isBlocked {
            SystemCall.dropUnsentOnClose(descriptor)
        } else if phase != .proxyHeader, phase != .handshake {
            transport?.closeWriting()
        }
        if phase == .lingering { worker.endLingering() }
        exchange?.source?.cancel()
        phase = .closed
        input = []
        exchange = nil
        output = PendingOutput()
        worker.reply.removeAll()
        worker.loop.close(registration)
        worker.forget(descriptor)
    }
}
