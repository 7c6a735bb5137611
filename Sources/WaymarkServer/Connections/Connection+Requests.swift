import WaymarkHTTP
import WaymarkMetrics
import WaymarkSockets

/// Requests: from a complete head to the answer.
extension Connection {
    /// Asks the handler, and does what its reply says.
    ///
    /// - Parameters:
    ///   - bytes: the head and nothing else; `worker.head` describes it.
    ///   - isMoreThere: whether bytes have come behind the head.
    func respond(to bytes: Span<UInt8>, isMoreThere: Bool, _ now: CoarseInstant) {
        // unsafe because the reference is not counted; the worker keeps the head.
        unsafe worker.borrowedHead._withUnsafeGuaranteedRef {
            respond(to: $0, in: bytes, isMoreThere: isMoreThere, now)
        }
    }

    @inline(__always)
    private func respond(to head: RequestHead, in bytes: Span<UInt8>, isMoreThere: Bool, _ now: CoarseInstant) {
        isHead = head.method == .head
        persistence = ResponseHead.Persistence(for: head)
        if countRequest(now) { closeAfterAnswer() }
        if let transport, !transport.serves(bytes.extracting(head.host.indices)) {
            return refuse(.misdirectedRequest, detail: "This connection was made for another host.")
        }
        if peer.isTrustedProxy {
            // What the proxy said of the request before holds no longer.
            forwarded =
                head.holdsAny(of: Forwarding.allFields)
                ? worker.trustedProxies.client(behind: peer, head, bytes, believing: worker.forwardedFields) : nil
        }
        let client = client
        let timed = worker.timesReadyAnswer ? MonotonicInstant.current() : nil
        if case .none = head.framing, let answer = unsafe cachedResponse(to: head, in: bytes, from: client) {
            // unsafe because the answer is borrowed: the handler keeps it until it is called again, which is after it was
            // copied.
            return unsafe answer._withUnsafeGuaranteedRef { answer in
                var timed = timed
                // Looking it up is not in the time then; the log counts in microseconds, and that takes a fraction of one.
                if timed == nil, answer.route != worker.readyRoute, worker.line != nil { timed = .current() }
                send(answer, to: head, in: bytes, timed, now)
            }
        }
        let started = timed ?? .current()
        requestID = worker.requestIDs.id(of: head, in: bytes)
        // Only now: a ready answer counts against no limit, so it need not know.
        let caller = client.isLocal ? caller(client, head, bytes) : client
        guard client.isLocal == caller.isLocal || countsAmongItsAddress() else {
            return refuse(Overload.address.response(worker.handler))
        }
        let reply = admitted(worker.handler.respond(to: head, in: bytes, from: caller))
        route = worker.handler.route
        switch reply {
        case .now(let response):
            if let unwanted = unwantedBody(head) {
                let exchange = Exchange(decoder: unwanted, started: started)
                return skip(exchange, logEntry(for: head, in: bytes), before: .ready(response), now)
            }
            write(response)
            let elapsed = MonotonicInstant.current().since(started)
            worker.counters.requests.note(elapsed, .loop)
            log(response, to: head, in: bytes, elapsed)
            endAnswer(now)
        case .later(let executionHint, let operation):
            let exchange = Exchange(decoder: unwantedBody(head), started: started)
            let entry = logEntry(for: head, in: bytes)
            if exchange.decoder != nil {
                return skip(exchange, entry, before: .operation(executionHint) { _ in await operation() }, now)
            }
            exchange.entry = entry
            self.exchange = exchange
            answer(executionHint) { _ in await operation() }
        case .body(let routeLimit, let executionHint, let operation):
            let limit = min(routeLimit, worker.limits.body)
            let exchange = Exchange(decoder: decoder(head, limit: limit), started: started)
            exchange.share = InFlightPermit(worker.inFlightLimiter)
            exchange.entry = logEntry(for: head, in: bytes)
            exchange.answer = .operation(executionHint, operation)
            self.exchange = exchange
            let awaitsContinue = head.expectsContinue && !isMoreThere
            phase = .body
            phaseStart = now
            // An empty look: a body that is empty or too large needs no further byte.
            _ = takeBody(Span(), now)
            if phase == .body, awaitsContinue {
                ResponseHead.appendContinue(to: worker.reply)
                worker.counters.requests.count(100, route: route)
            }
        }
    }

    /// A client of this machine is exempt from limits only while it asks for itself.
    @inline(never)
    private func caller(_ client: Peer, _ head: RequestHead, _ bytes: Span<UInt8>) -> Peer {
        guard Forwarding.isMentioned(in: head, bytes) else { return client }
        worker.noteUnknownProxy()
        return client.forwarding
    }

    /// Counts a connection that forwards requests among those of its address, which is done once; false where that has
    /// as many as one may have.
    private func countsAmongItsAddress() -> Bool {
        if isCountedByAddress { return true }
        isCountedByAddress = worker.assign(descriptor, to: peer.forwarding)
        return isCountedByAddress
    }

    /// Without counting a reference to the handler: that waits for whatever was written before it, a click among others.
    @inline(__always)
    private func cachedResponse(
        to head: RequestHead, in bytes: Span<UInt8>, from client: Peer
    ) -> Unmanaged<PreparedResponse>? {
        // unsafe because the reference is not counted; the connection keeps its worker, and that the handler.
        unsafe Unmanaged.passUnretained(worker)._withUnsafeGuaranteedRef {
            unsafe $0.handler.cachedResponse(to: head, in: bytes, from: client)
        }
    }

    /// What `write` and `finishAnswer` do for an answer that is ready, to a request without a body.
    private func send(
        _ answer: PreparedResponse, to head: RequestHead, in bytes: Span<UInt8>, _ timed: MonotonicInstant?,
        _ now: CoarseInstant
    ) {
        // unsafe because the reference is not counted; the worker keeps the buffer.
        unsafe worker.borrowedReply._withUnsafeGuaranteedRef {
            answer.append(to: $0, date: worker.dateLine, persistence: persistence)
        }
        if transport != nil { appendSecurityLine() }
        if answer.bodyCount > 0, !isHead { answer.appendBody(to: worker.reply) }
        // unsafe as above.
        unsafe worker.borrowedFigures._withUnsafeGuaranteedRef {
            $0.countReady(Int(answer.status.code), route: answer.route)
        }
        if let timed {
            let elapsed = MonotonicInstant.current().since(timed)
            worker.counters.requests.time(elapsed, .ready)
            if worker.logsReadyAnswers || answer.route != worker.readyRoute {
                logReady(answer, to: head, in: bytes, elapsed)
            }
        }
        if case .close = persistence {
            phase = .finishing
        } else {
            phaseStart = now
        }
    }

    /// Reads a body that nobody wants, and answers behind it: whether the request is well-formed shows only there, and
    /// must not depend on how fast the body comes.
    private func skip(
        _ exchange: Exchange, _ entry: AccessLogEntry?, before answer: Exchange.Answer, _ now: CoarseInstant
    ) {
        exchange.entry = entry
        exchange.answer = answer
        self.exchange = exchange
        phase = .skipping
        phaseStart = now
    }

    /// The decoder for a body that the handler does not want; nil where there is none. Where reading it to its end is not
    /// worth it, or the client still waits for leave to send it, the connection is closed after the answer instead.
    private func unwantedBody(_ head: RequestHead) -> BodyDecoder? {
        switch head.framing {
        case .none, .length(0): return nil
        case .length(let length) where length > UInt64(clamping: worker.limits.unwantedBody): break
        default:
            if !head.expectsContinue {
                return decoder(head, limit: worker.limits.unwantedBody)
            }
        }
        persistence = .close
        mustLinger = true
        return nil
    }

    // MARK: Bodies

    private func decoder(_ head: RequestHead, limit: Int) -> BodyDecoder {
        BodyDecoder(head.framing, limit: UInt64(clamping: limit), chunkOverhead: worker.limits.chunkOverhead)
    }

    /// Takes what belongs to the body in hand; returns how many bytes that was, nil where it needs more than there is.
    func takeBody(_ bytes: Span<UInt8>, _ now: CoarseInstant) -> Int? {
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
                    guard exchange.share?.hold(piece.count, worker.limits) != false else {
                        ServerCounters.add(1, to: worker.counters.requestsShed)
                        refuse(Overload.requests.response(worker.handler))
                        return position
                    }
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
            case .reject(.contentTooLarge, _) where phase == .skipping:
                stopSkipping(exchange, now)
                return position
            case .reject(let status, let detail):
                refuse(status, detail: detail)
                return position
            case nil: return position
            }
        }
    }

    /// Whether a body that is still arriving does so fast enough, and without more overhead than is worth reading.
    private func checkBody(_ exchange: Exchange, _ now: CoarseInstant) -> Bool {
        let elapsed = now.since(phaseStart)
        let isTooSlow =
            elapsed > worker.deadlines.bodyIdle
            && exchange.received < worker.bytesDue(after: elapsed, at: worker.limits.bodyRate)
        // Chunk lines count too here: nobody wants to read megabytes of them.
        if phase == .skipping, exchange.received > worker.limits.unwantedBody * 2 {
            stopSkipping(exchange, now)
            return false
        }
        guard isTooSlow else { return true }
        refuse(.requestTimeout, detail: "The body took too long to arrive.")
        return false
    }

    private func finishBody(_ exchange: Exchange, _ now: CoarseInstant) {
        exchange.decoder = nil
        switch exchange.answer.take() {
        case .operation(let executionHint, let operation): answer(executionHint, operation)
        case .ready(let response):
            if worker.isDraining { closeAfterAnswer() }
            write(response)
            finishAnswer(response, of: exchange, .loop, now)
        case nil: preconditionFailure("an exchange with a body has something to answer behind it")
        }
    }

    /// Answers in front of the rest of a body that is not worth reading, and closes.
    private func stopSkipping(_ exchange: Exchange, _ now: CoarseInstant) {
        closeAfterAnswer()
        finishBody(exchange, now)
    }

    // MARK: Answers that take their time

    /// Runs `operation` as a task; its response comes back through `complete`.
    private func answer(
        _ executionHint: Reply.ExecutionHint, _ operation: @escaping @Sendable ([UInt8]) async -> Response
    ) {
        phase = .answering
        let body = exchange?.body ?? []
        let share = exchange?.share ?? InFlightPermit(worker.inFlightLimiter)
        exchange?.body = []
        exchange?.share = nil
        guard executionHint == .shared || share.beginWaiting(worker.limits) else { return answerOverload() }
        let loop = worker.loop
        let isBrief =
            executionHint == .shared || (executionHint == .onEventLoop && body.count <= Reply.ExecutionHint.briefBody)
        Task(executorPreference: isBrief ? loop : nil) {
            let response = await operation(body)
            // Held up to here, also where the client has gone: the work was done all the same.
            withExtendedLifetime(share) {}
            loop.execute { self.complete(response) }
        }
    }

    /// The reply as it is, or where no further request may wait, and this one would, the answer that says so.
    private func admitted(_ reply: Reply) -> Reply {
        switch reply {
        case .now, .later(.shared, _): return reply
        case .later, .body: break
        }
        guard worker.inFlightLimiter.isFull(worker.limits) else { return reply }
        ServerCounters.add(1, to: worker.counters.requestsShed)
        return .now(Overload.requests.response(worker.handler))
    }

    /// The same for a request whose body was still on its way when there was room.
    private func answerOverload() {
        ServerCounters.add(1, to: worker.counters.requestsShed)
        guard let exchange else { return }
        let response = Overload.requests.response(worker.handler)
        write(response)
        finishAnswer(response, of: exchange, .loop, worker.loop.now)
    }

    private func complete(_ response: Response) {
        // The client may have gone in the meantime.
        guard phase == .answering, let exchange else { return }
        let now = worker.beginTurn()
        if worker.isDraining { closeAfterAnswer() }
        write(response)
        finishAnswer(response, of: exchange, .waiting, now)
        // A body that the client takes at once must not hold up what it has sent behind the request: nothing else would
        // come back to that.
        if output.isBlocked { flush() }
        resume(now)
    }

    /// Notes and logs an answer that has been written.
    private func finishAnswer(
        _ response: Response, of exchange: Exchange, _ servedFrom: RequestMetrics.ServedFrom, _ now: CoarseInstant
    ) {
        let elapsed = MonotonicInstant.current().since(exchange.started)
        worker.counters.requests.note(elapsed, servedFrom)
        log(response, of: exchange.entry, elapsed)
        endAnswer(now)
    }

    /// What follows when the answer has been written: the next request, or the end.
    private func endAnswer(_ now: CoarseInstant) {
        exchange = nil
        if case .close = persistence {
            phase = .finishing
        } else {
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
        worker.counters.refusals.addAlone(1, at: ParseErrorReason.number(of: status, detail: detail))
        refuse(worker.handler.refusal(status, detail: detail))
    }

    func refuse(_ response: Response) {
        closeAfterAnswer()
        // Without an exchange the head was not readable, and there is nothing of it to tell.
        if exchange == nil {
            route = 0
            requestID = []
        }
        write(response)
        log(response, of: exchange?.entry, exchange.map { MonotonicInstant.current().since($0.started) } ?? 0)
        exchange = nil
        input = []
        phase = .finishing
    }
}

extension Span<UInt8> {
    /// A copy of a part of it.
    func copy(_ range: ByteRange) -> [UInt8] {
        // unsafe because a pointer is lent; the copy is made before it ends.
        unsafe extracting(range.indices).withUnsafeBufferPointer { unsafe [UInt8]($0) }
    }
}
