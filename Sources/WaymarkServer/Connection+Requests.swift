import WaymarkHTTP
import WaymarkSockets

/// Requests: from a complete head to the answer.
extension Connection {
    /// Asks the handler, and does what its reply says.
    ///
    /// - Parameters:
    ///   - bytes: the head and nothing else; `worker.head` describes it.
    ///   - isMoreThere: whether bytes have come behind the head.
    func respond(to bytes: Span<UInt8>, isMoreThere: Bool, _ now: LoopInstant) {
        let head = worker.head
        isHead = head.method == .head
        persistence = ResponseHead.Persistence(for: head)
        if countRequest(now) { closeAfterAnswer() }
        if let transport, !transport.serves(bytes.extracting(head.host.indices)) {
            return refuse(.misdirectedRequest, detail: "This connection was made for another host.")
        }
        var peer = peer
        if peer.isTrustedProxy, head.holdsAny(of: Forwarding.allFields) {
            peer = worker.trustedProxies.client(behind: peer, head, bytes)
        }
        // unsafe because the answer is borrowed: the handler keeps it until it is called again, which is after it was
        // copied.
        if case .none = head.framing, let answer = unsafe worker.handler.readyAnswer(to: head, in: bytes, from: peer) {
            return unsafe answer._withUnsafeGuaranteedRef { send($0, to: head, in: bytes, from: peer, now) }
        }
        switch worker.handler.respond(to: head, in: bytes, from: peer) {
        case .now(let response):
            let entry = logEntry(for: head, in: bytes, from: peer, isWaiting: false)
            let unwanted = unwantedBody(head)
            write(response)
            finishAnswer(response, entry, unwanted, now, now)
        case .later(let operation):
            let exchange = Exchange(decoder: unwantedBody(head), started: now)
            exchange.entry = logEntry(for: head, in: bytes, from: peer, isWaiting: true)
            self.exchange = exchange
            answer { _ in await operation() }
        case .body(let limit, let operation):
            let exchange = Exchange(
                decoder: BodyDecoder(head.framing, limit: UInt64(clamping: limit)), started: now)
            exchange.entry = logEntry(for: head, in: bytes, from: peer, isWaiting: true)
            exchange.operation = operation
            if case .length(let length) = head.framing, length <= UInt64(clamping: limit) {
                // What is announced is not believed beyond this: memory is taken as the bytes arrive.
                exchange.body.reserveCapacity(Int(min(length, 65_536)))
            }
            self.exchange = exchange
            let awaitsContinue = head.expectsContinue && !isMoreThere
            phase = .body
            phaseStart = now
            // An empty look: a body that is empty or too large needs no further byte.
            _ = takeBody(Span(), now)
            if phase == .body, awaitsContinue {
                ResponseHead.appendContinue(to: worker.reply)
                worker.counters.countResponse(100)
            }
        }
    }

    /// What `write` and `finishAnswer` do for an answer without a body to a request without one.
    private func send(
        _ answer: PreparedResponse, to head: RequestHead, in bytes: Span<UInt8>, from peer: Peer, _ now: LoopInstant
    ) {
        answer.append(to: worker.reply, date: worker.dateLine, persistence: persistence)
        worker.counters.countResponse(Int(answer.status.code))
        if worker.logsEverything, var entry = logEntry(for: head, in: bytes, from: peer, isWaiting: false) {
            entry.status = Int(answer.status.code)
            worker.accessLog?.record(entry)
        }
        if case .close = persistence {
            phase = .finishing
        } else {
            phaseStart = now
        }
    }

    /// The decoder for a body that the handler does not want; nil where there is none. Where reading it to its end is not
    /// worth it, or the client still waits for leave to send it, the connection is closed after the answer instead.
    private func unwantedBody(_ head: RequestHead) -> BodyDecoder? {
        switch head.framing {
        case .none, .length(0): return nil
        case .length(let length) where length > UInt64(clamping: worker.limits.unwantedBody): break
        default:
            if !head.expectsContinue {
                return BodyDecoder(head.framing, limit: UInt64(clamping: worker.limits.unwantedBody))
            }
        }
        persistence = .close
        mustLinger = true
        return nil
    }

    // MARK: Bodies

    /// Takes what belongs to the body in hand; returns how many bytes that was, nil where it needs more than there is.
    func takeBody(_ bytes: Span<UInt8>, _ now: LoopInstant) -> Int? {
        guard let exchange, exchange.decoder != nil else {
            preconditionFailure("a body is read only in an exchange that has one")
        }
        var position = 0
        while true {
            switch exchange.decoder?.decode(bytes.extracting(position..<bytes.count)) {
            case .data(let range, let consumed):
                if phase == .body {
                    let piece = bytes.extracting(
                        range.indices.lowerBound + position..<range.indices.upperBound + position)
                    // unsafe because a pointer is lent; the copy is made before it ends.
                    unsafe piece.withUnsafeBufferPointer { unsafe exchange.body.append(contentsOf: $0) }
                }
                position += consumed
            case .needMore(let consumed):
                position += consumed
                exchange.received += position
                guard checkBody(exchange, now) else { return position }
                return position == 0 ? nil : position
            case .end(let consumed):
                position += consumed
                finishBody(exchange, now)
                return position
            case .reject(let status, let detail):
                mustLinger = true
                if phase == .body { refuse(status, detail: detail) } else { phase = .finishing }
                return position
            case nil: return position
            }
        }
    }

    /// Whether a body that is still arriving does so fast enough, and without more overhead than is worth reading.
    private func checkBody(_ exchange: Exchange, _ now: LoopInstant) -> Bool {
        let elapsed = now.since(phaseStart)
        let isTooSlow =
            elapsed > worker.deadlines.bodyIdle && exchange.received < worker.bytesDue(after: elapsed)
        if phase == .skipping {
            // Chunk lines count too here: nobody wants to read megabytes of them.
            guard isTooSlow || exchange.received > worker.limits.unwantedBody * 2 else { return true }
            mustLinger = true
            phase = .finishing
            return false
        }
        guard isTooSlow else { return true }
        refuse(.requestTimeout, detail: "The body took too long to arrive.")
        return false
    }

    private func finishBody(_ exchange: Exchange, _ now: LoopInstant) {
        exchange.decoder = nil
        guard phase == .body, let operation = exchange.operation else {
            self.exchange = nil
            phase = .head
            phaseStart = now
            return
        }
        exchange.operation = nil
        answer(operation)
    }

    // MARK: Answers that take their time

    /// Runs `operation` outside the loop; its response comes back through `complete`.
    private func answer(_ operation: @escaping @Sendable ([UInt8]) async -> Response) {
        phase = .answering
        let body = exchange?.body ?? []
        exchange?.body = []
        Task {
            let response = await operation(body)
            worker.loop.execute { self.complete(response) }
        }
    }

    private func complete(_ response: Response) {
        // The client may have gone in the meantime.
        guard phase == .answering, let exchange else { return }
        let now = worker.beginTurn()
        if worker.isDraining { closeAfterAnswer() }
        write(response)
        finishAnswer(response, exchange.entry, exchange.decoder, exchange.started, now)
        resume(now)
    }

    /// What follows when the answer has been written: the next request, or the body that is still in front of it.
    private func finishAnswer(
        _ response: Response, _ entry: AccessLogEntry?, _ unwanted: BodyDecoder?, _ started: LoopInstant,
        _ now: LoopInstant
    ) {
        if var entry {
            entry.status = Int(response.status.code)
            entry.bodyBytes = isHead || response.status.forbidsBody ? 0 : response.body.count
            entry.duration = .milliseconds(now.since(started))
            worker.accessLog?.record(entry)
        }
        if case .close = persistence {
            phase = .finishing
            if unwanted != nil { mustLinger = true }
            exchange = nil
        } else if let unwanted {
            exchange = Exchange(decoder: unwanted, started: now)
            phase = .skipping
            phaseStart = now
        } else {
            exchange = nil
            phase = .head
            phaseStart = now
        }
    }

    /// The server's own wish to close: the client does not know of it, and may have sent its next request already.
    private func closeAfterAnswer() {
        persistence = .close
        mustLinger = true
    }

    /// Answers a request that the server itself refuses, and closes: where the next request would begin is lost.
    func refuse(_ status: Status, detail: StaticString) {
        persistence = .close
        mustLinger = true
        let response = worker.handler.refusal(status, detail: detail)
        write(response)
        if let log = worker.accessLog {
            // Without an exchange the head was not readable, and there is nothing of it to tell.
            var entry =
                exchange?.entry
                ?? AccessLogEntry(
                    peer: peer, method: "", target: [], host: [], userAgent: [], status: 0, bodyBytes: 0,
                    duration: .zero)
            entry.status = Int(response.status.code)
            entry.bodyBytes = response.body.count
            log.record(entry)
        }
        exchange = nil
        input = []
        phase = .finishing
    }

    private func logEntry(
        for head: RequestHead, in bytes: Span<UInt8>, from peer: Peer, isWaiting: Bool
    ) -> AccessLogEntry? {
        guard let log = worker.accessLog else { return nil }
        if case .waiting = log.scope, !isWaiting { return nil }
        return AccessLogEntry(
            peer: peer, method: head.method.name, target: bytes.copy(head.target), host: bytes.copy(head.host),
            userAgent: head.value(.userAgent).map { bytes.copy($0) } ?? [], status: 0, bodyBytes: 0, duration: .zero)
    }
}

extension Span<UInt8> {
    /// A copy of a part of it.
    func copy(_ range: ByteRange) -> [UInt8] {
        // unsafe because a pointer is lent; the copy is made before it ends.
        unsafe extracting(range.indices).withUnsafeBufferPointer { unsafe [UInt8]($0) }
    }
}
