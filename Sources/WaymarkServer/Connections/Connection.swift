import WaymarkHTTP
import WaymarkSockets

/// One client's connection, from accept to close: reads requests one after the other, writes their answers in order.
///
/// While nothing is going on it is only this object. It holds bytes of its own only while it has part of a request, or of
/// an answer that the client does not take; with the latter it reads nothing more.
/// `@unchecked Sendable` because it is touched on its loop only; tasks just carry it there and back.
final class Connection: ReadinessHandler, @unchecked Sendable {
    enum Phase {
        /// On a listener of the PROXY protocol: its header has not come yet.
        case proxyHeader
        /// The transport has not finished its handshake.
        case handshake
        /// Between requests, or within a head.
        case head
        /// Collecting a body that the handler wants.
        case body
        /// The handler's answer is being made by a task.
        case answering
        /// Dropping a body that nobody wants, ahead of the answer.
        case skipping
        /// The last answer is on its way; nothing more is read as a request.
        case finishing
        /// The answer is out and writing is shut down: dropping what comes, so that no reset destroys the answer.
        case lingering
        case closed
    }

    let worker: Worker
    let descriptor: Int32
    // Unchecked for the same reason as what stands further below. Changes once, behind a PROXY protocol header.
    @safe @exclusivity(unchecked) var peer: Peer
    /// For whom a trusted proxy asks with the request in hand; nil where nobody says so.
    @safe @exclusivity(unchecked) var forwarded: Peer?
    /// Who asks.
    var client: Peer { forwarded ?? peer }
    private(set) var transport: (any Transport)?
    private(set) var registration = Registration(descriptor: -1, generation: 0)

    var phase = Phase.head
    // The run time would check each access to the next three for overlap with another, several times a request. Unchecked
    // because there is none: everything happens on the loop, and no access to them calls anything that comes back here.
    @safe @exclusivity(unchecked) var parser: RequestParser
    /// Bytes received and not used up: the beginning of a head, or requests that wait for their turn.
    @safe @exclusivity(unchecked) var input: [UInt8] = []
    @safe @exclusivity(unchecked) var output = PendingOutput()
    /// What a request needs that is not answered at once.
    var exchange: Exchange?

    /// How the answer to the request in hand leaves the connection.
    var persistence = ResponseHead.Persistence.implied
    /// Whether the request in hand is a HEAD.
    var isHead = false
    /// Which of the handler's routes it went to; 0 where to none.
    var route = 0
    /// Of the request in hand, where it is one of those that have one; ready answers have none.
    @safe @exclusivity(unchecked) var requestID: [UInt8] = []
    /// The client has ended its side; what it sent before is still answered.
    var hasPeerClosed = false
    /// A local client that forwards requests is counted among the connections of its address, as others are.
    var isCountedByAddress = false
    /// Close only after the client has had the time to read the answer.
    var mustLinger = false
    private var isContinuationScheduled = false
    /// What the transport waits for, apart from what the phase wants.
    var transportInterest = Interest.none
    private var interest: Interest = .read
    /// Whether the last read has left nothing in the socket, and no end of the stream either. Never said of a transport:
    /// what it has read is not what it has given.
    private var hasReadAll = false

    private let accepted: CoarseInstant
    /// When the head, the body or the lingering began; its deadlines are counted from here.
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
        // Nobody is there to read an answer any more.
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
                // What was read ahead of the answer that has just gone out.
                process(takeInput(), now)
                if transport != nil { read(now) }
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
            // Line ends alone are no request (RFC 9112 section 2.2), and nobody who sends them waits for an answer.
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
        // The deadline stays: it was set by the accept.
        if phase == .handshake { updateInterest() }
    }

    // MARK: Reading

    /// Reads once and goes through what came; a transport, which may hold more than the socket shows, until it is dry.
    ///
    /// - Parameter isEndNear: the client has ended its side, so behind what can be read now is the end.
    func read(_ now: CoarseInstant, isEndNear: Bool = false) {
        var rounds = 0
        while true {
            let held = input.count
            let room = phase == .answering ? min(worker.limits.readAhead - held, Worker.readSize) : Worker.readSize
            guard room > 0 else { return settle(now) }
            // unsafe because it reads into the loop's buffer, behind what is held over; the worker has made it large
            // enough for the most that can be held and one whole read.
            let buffer = unsafe worker.room(at: held, count: room)
            switch unsafe receive(into: buffer) {
            case .processed(0):
                hasPeerClosed = true
                return finishTurn(now)
            case .processed(let count):
                // A stream socket that gives less than was asked for has no more (epoll(7)).
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

    /// Puts what is held over to the front of the loop's buffer; returns how much it is.
    private func takeInput() -> Int {
        guard !input.isEmpty else { return 0 }
        let count = input.count
        // unsafe because it copies through pointers; the worker checks that its buffer is large enough.
        unsafe input.withUnsafeBytes { held in
            unsafe worker.room(at: 0, count: count).copyMemory(from: held)
        }
        return count
    }

    /// Goes through the first `count` bytes of the loop's buffer, which hold all that is received and not used up.
    private func process(_ count: Int, _ now: CoarseInstant) {
        var position = 0
        var answered = 0
        let before = phase
        loop: while position < count || phase == .body || phase == .skipping {
            // unsafe because the span is over the loop's buffer, which nobody else fills before this turn ends.
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
            case .answering: break loop
            case .proxyHeader, .handshake, .finishing, .lingering, .closed:
                // Requests behind the last one: never looked at, but there, so that closing at once would reset.
                mustLinger = true
                position = count
            }
        }
        keep(position..<count, wasWithinHead: before == .head && answered == 0, now)
        finishTurn(now)
    }

    /// Takes home what this turn has not used up.
    private func keep(_ range: Range<Int>, wasWithinHead: Bool, _ now: CoarseInstant) {
        if range.isEmpty || phase == .closed {
            // Lets go of the memory as well: an idle connection holds none.
            if !input.isEmpty { input = [] }
            return
        }
        if phase == .head, input.isEmpty || !wasWithinHead { phaseStart = now }
        input.removeAll(keepingCapacity: true)
        // unsafe because it copies from the loop's buffer, within what was received.
        unsafe input.append(contentsOf: worker.received(range))
    }

    // Inlined as `flush` is.
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

    /// Goes on with what is here already, after other connections have had their turn.
    private func scheduleContinuation() {
        isContinuationScheduled = true
        worker.loop.execute { [self] in
            isContinuationScheduled = false
            guard phase != .closed else { return }
            resume(worker.beginTurn())
        }
    }

    /// Goes on after an answer, with what has been read ahead.
    func resume(_ now: CoarseInstant) {
        process(takeInput(), now)
        // A transport may hold decrypted bytes that no readiness of the socket will tell of.
        if transport != nil, phase != .closed, !output.isBlocked, !isContinuationScheduled { read(now) }
    }

    // MARK: The end of a turn

    /// Sends what the turn has produced and decides how the connection goes on.
    func finishTurn(_ now: CoarseInstant) {
        let wasBlocked = output.isBlocked
        flush()
        if !output.isBlocked {
            // The client may have taken in the meantime what held up the requests behind it, and if those are all here, no
            // readiness will tell of them.
            if wasBlocked, phase == .head, !input.isEmpty, !isContinuationScheduled { scheduleContinuation() }
            switch phase {
            case .finishing:
                if mustLinger { linger(now, total: worker.deadlines.lingerTotal) } else { return close() }
            // An incomplete request is never executed (RFC 9112 section 8): nothing to answer.
            case .head, .body, .skipping: if hasPeerClosed, !isContinuationScheduled { return close() }
            default: break
            }
        }
        settle(now)
        // A connection that was busy when the drain began, and is not any more.
        if worker.isDraining { drain() }
    }

    /// Sets interest and deadline to what the phase needs.
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
            // The end of the stream stays readable for ever.
            wanted = .none
        } else if wanted.isEmpty, phase != .answering || input.count < worker.limits.readAhead {
            // A transport that has to write first reads nothing before, so readable would be reported without end.
            wanted = hasReadAll && (phase == .head || phase == .answering) ? .edgeTriggeredRead : .read
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
            return min(now.advanced(by: deadlines.bodyIdle), phaseStart.advanced(by: deadlines.bodyTotal))
        case .lingering:
            return min(now.advanced(by: deadlines.lingerIdle), phaseStart.advanced(by: deadlines.lingerTotal))
        case .proxyHeader, .handshake: return accepted.advanced(by: deadlines.firstByte)
        // The handler's own limits end this one.
        case .answering, .finishing, .closed: return .distantFuture
        }
    }

    /// Whether this request is the last that the connection may bring.
    func countRequest(_ now: CoarseInstant) -> Bool {
        requestCount += 1
        return worker.isDraining || requestCount >= worker.limits.requestsPerConnection
            || now.since(accepted) >= worker.deadlines.connectionAge
    }

    // MARK: Closing

    /// The server is going down: ends an idle connection, leaves a busy one to finish.
    func drain() {
        let now = worker.loop.now
        let end = now.advanced(by: worker.deadlines.farewell)
        switch phase {
        case .head where input.isEmpty && !output.isBlocked:
            // A client that has just connected may have its first request on the way; it gets a moment.
            if requestCount > 0 { linger(now, total: worker.deadlines.farewell) }
            guard phase != .closed else { return }
            updateInterest()
        // The client has its answer; how slowly it leaves is not worth a slow restart.
        case .lingering: phaseStart = min(phaseStart, end.advanced(by: -worker.deadlines.lingerTotal))
        default: return
        }
        worker.loop.setDeadline(end, of: registration)
    }

    /// Whether nothing has been going on for so many milliseconds since the last answer. A client that has its last
    /// answer, and goes on sending, has no more claim to its place than one that is silent.
    func isIdle(_ now: CoarseInstant, since patience: Int64) -> Bool {
        if case .lingering = phase { return now.since(phaseStart) >= patience }
        guard case .head = phase, requestCount > 0, input.isEmpty, !output.isBlocked else { return false }
        return !isContinuationScheduled && now.since(phaseStart) >= patience
    }

    func close() {
        guard phase != .closed else { return }
        // Behind an answer that is cut off no end is announced: the client is to notice.
        if output.isBlocked {
            SystemCall.dropUnsentOnClose(descriptor)
        } else if phase != .proxyHeader, phase != .handshake {
            transport?.closeWriting()
        }
        if phase == .lingering { worker.endLingering() }
        phase = .closed
        input = []
        exchange = nil
        output = PendingOutput()
        worker.reply.removeAll()
        worker.loop.close(registration)
        worker.forget(descriptor)
    }
}
