import WaymarkHTTP
import WaymarkMetrics
import WaymarkSockets

/// Requests: from a complete head to the response.
extension Connection {
    /// Calls the handler and carries out its reply.
    ///
    /// - Parameters:
    ///   - bytes: exactly the head; `worker.head` describes it.
    ///   - isMoreThere: whether bytes follow the head.
    func respond(to bytes: Span<UInt8>, isMoreThere: Bool, _ now: CoarseInstant) {
        // unsafe because the reference is not counted; the worker owns the head.
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
            // The forwarding of the previous request does not apply to this one.
            forwarded =
                head.holdsAny(of: Forwarding.allFields)
                ? worker.trustedProxies.client(behind: peer, head, bytes, believing: worker.forwardedFields) : nil
        }
        let client = client
        let timed = worker.timesCachedResponses ? MonotonicInstant.current() : nil
        // unsafe because the response is borrowed: the handler keeps it until its next call, which comes after the
        // copy.
        if case .none = head.framing, let answer = unsafe cachedResponse(to: head, in: bytes, from: client) {
            return unsafe answer._withUnsafeGuaranteedRef { answer in
                var timed = timed
                // Started after the lookup, which is a fraction of the microsecond that the log counts in.
                if timed == nil, answer.route != worker.cachedRoute, worker.line != nil { timed = .current() }
                send(answer, to: head, in: bytes, timed, now)
            }
        }
        let started = timed ?? .current()
        requestID = worker.requestIDs.id(of: head, in: bytes)
        // Computed after the cached response, which no limit applies to.
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
            // With an empty span: a body that is empty or too large needs no further bytes.
            _ = takeBody(Span(), now)
            if phase == .body, awaitsContinue {
                sendContinue()
            }
        case .stream(let limit, let receiver):
            let exchange = Exchange(decoder: decoder(head, limit: limit), started: started)
            exchange.share = InFlightPermit(worker.inFlightLimiter)
            exchange.entry = logEntry(for: head, in: bytes)
            exchange.receiver = receiver
            exchange.answer = .operation(.any) { rest in
                if !rest.isEmpty, let refusal = await receiver.receive(rest) { return refusal }
                return await receiver.end()
            }
            exchange.awaitsContinue = head.expectsContinue && !isMoreThere
            self.exchange = exchange
            phaseStart = now
            pass { await receiver.begin() }
        }
    }

    private func sendContinue() {
        ResponseHead.appendContinue(to: worker.reply)
        worker.counters.requests.count(100, route: route)
    }

    /// A client of this machine is exempt from limits only while its requests are its own, not forwarded ones.
    @inline(never)
    private func caller(_ client: Peer, _ head: RequestHead, _ bytes: Span<UInt8>) -> Peer {
        guard Forwarding.isMentioned(in: head, bytes) else { return client }
        worker.noteUnknownProxy()
        return client.forwarding
    }

    /// Counts a connection that forwards requests for its address, once; false if the address has as many connections
    /// as one may have.
    private func countsAmongItsAddress() -> Bool {
        if isCountedByAddress { return true }
        isCountedByAddress = worker.assign(descriptor, to: peer.forwarding)
        return isCountedByAddress
    }

    /// Does not retain the handler: the locked instruction would wait for all earlier writes to memory, such as a
    /// click.
    @inline(__always)
    private func cachedResponse(
        to head: RequestHead, in bytes: Span<UInt8>, from client: Peer
    ) -> Unmanaged<PreparedResponse>? {
        // unsafe because the reference is not counted; the connection owns its worker, which owns the handler.
        unsafe Unmanaged.passUnretained(worker)._withUnsafeGuaranteedRef {
            unsafe $0.handler.cachedResponse(to: head, in: bytes, from: client)
        }
    }

    /// Does the work of `write` and `finishAnswer` for a cached response to a request without a body.
    private func send(
        _ answer: PreparedResponse, to head: RequestHead, in bytes: Span<UInt8>, _ timed: MonotonicInstant?,
        _ now: CoarseInstant
    ) {
        // unsafe because the reference is not counted; the worker owns the buffer.
        unsafe worker.borrowedReply._withUnsafeGuaranteedRef {
            answer.append(to: $0, date: worker.dateLine, persistence: persistence)
        }
        if transport != nil { appendSecurityLine() }
        if answer.bodyCount > 0, !isHead { answer.appendBody(to: worker.reply) }
        // unsafe as above.
        unsafe worker.borrowedMetrics._withUnsafeGuaranteedRef {
            $0.countCached(Int(answer.status.code), route: answer.route)
        }
        if let timed {
            let elapsed = MonotonicInstant.current().since(timed)
            worker.counters.requests.time(elapsed, .ready)
            if worker.logsCachedResponses || answer.route != worker.cachedRoute {
                logReady(answer, to: head, in: bytes, elapsed)
            }
        }
        if case .close = persistence {
            phase = .finishing
        } else {
            phaseStart = now
        }
    }

    /// Reads a body that the handler does not need, and answers after it: only its end shows whether the request is
    /// well-formed, and the response must not depend on how fast the body arrives.
    private func skip(
        _ exchange: Exchange, _ entry: AccessLogEntry?, before answer: Exchange.Answer, _ now: CoarseInstant
    ) {
        exchange.entry = entry
        exchange.answer = answer
        self.exchange = exchange
        phase = .skipping
        phaseStart = now
    }

    /// The decoder for a body that the handler does not need; nil if there is none. If the body is too long to read,
    /// or the client still waits for 100 Continue, the connection is closed after the response instead.
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

    /// Consumes the current body's bytes; returns how many, or nil if it needs more than there are.
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
                    // A receiver's share is one piece, and it bounds how many requests it takes.
                    guard exchange.receiver != nil || exchange.share?.hold(piece.count, worker.limits) != false else {
                        ServerCounters.add(1, to: worker.counters.requestsShed)
                        refuse(Overload.requests.response(worker.handler))
                        return position
                    }
                    // unsafe because a pointer is lent; the copy is made before the call returns.
                    unsafe piece.withUnsafeBufferPointer { unsafe exchange.body.append(contentsOf: $0) }
                }
                position += consumed
                if let receiver = exchange.receiver, exchange.body.count >= Self.pieceSize {
                    exchange.received += position
                    let piece = exchange.body
                    exchange.body = []
                    pass { await receiver.receive(piece) }
                    return position
                }
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

    /// Whether a body arrives fast enough, and without too much overhead.
    private func checkBody(_ exchange: Exchange, _ now: CoarseInstant) -> Bool {
        let elapsed = now.since(phaseStart)
        let isTooSlow =
            elapsed > worker.deadlines.bodyIdle
            && exchange.received < worker.bytesDue(after: elapsed, at: worker.limits.bodyRate)
        // Counts chunk lines too: the limit is on bytes read, not on content.
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

    /// Answers before the end of a body that is too long to skip, and closes.
    private func stopSkipping(_ exchange: Exchange, _ now: CoarseInstant) {
        closeAfterAnswer()
        finishBody(exchange, now)
    }

    // MARK: Bodies in pieces

    /// Bytes that are collected for a receiver: a task for each read would cost more than the read.
    private static let pieceSize = 65_536

    /// Runs a call to the receiver as a task. Until it returns, the connection reads ahead as it does during an answer.
    private func pass(_ operation: @escaping @Sendable () async -> Response?) {
        phase = .passing
        let loop = worker.loop
        Task {
            let refusal = await operation()
            loop.execute { self.passed(refusal) }
        }
    }

    private func passed(_ refusal: Response?) {
        // The client may have gone while the task ran.
        guard phase == .passing, let exchange else { return }
        let now = worker.beginTurn()
        if let refusal {
            refuse(refusal)
            return finishTurn(now)
        }
        phase = .body
        if exchange.awaitsContinue {
            exchange.awaitsContinue = false
            // A body that is empty or too large needs no further bytes.
            _ = takeBody(Span(), now)
            if phase == .body { sendContinue() }
        }
        resume(now)
    }

    // MARK: Responses of tasks

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
            // Held until here, even if the client has gone: the work was done regardless.
            withExtendedLifetime(share) {}
            loop.execute { self.complete(response) }
        }
    }

    /// Returns the reply, or a 503 if it would have to wait and the limit is reached.
    private func admitted(_ reply: Reply) -> Reply {
        switch reply {
        case .now, .later(.shared, _): return reply
        case .later, .body, .stream: break
        }
        guard worker.inFlightLimiter.isFull(worker.limits) else { return reply }
        ServerCounters.add(1, to: worker.counters.requestsShed)
        return .now(Overload.requests.response(worker.handler))
    }

    /// The same for a request that was admitted before its body was complete.
    private func answerOverload() {
        ServerCounters.add(1, to: worker.counters.requestsShed)
        guard let exchange else { return }
        let response = Overload.requests.response(worker.handler)
        write(response)
        finishAnswer(response, of: exchange, .loop, worker.loop.now)
    }

    private func complete(_ response: Response) {
        // The client may have gone while the task ran.
        guard phase == .answering, let exchange else { return }
        let now = worker.beginTurn()
        if worker.isDraining { closeAfterAnswer() }
        write(response)
        finishAnswer(response, of: exchange, .waiting, now)
        // If the client took the body at once, its pipelined requests must not stay blocked: no event would resume
        // them.
        if output.isBlocked { flush() }
        resume(now)
        continueStream()
    }

    /// Counts and logs a response that has been written.
    private func finishAnswer(
        _ response: Response, of exchange: Exchange, _ servedFrom: RequestMetrics.ServedFrom, _ now: CoarseInstant
    ) {
        let elapsed = MonotonicInstant.current().since(exchange.started)
        worker.counters.requests.note(elapsed, servedFrom)
        log(response, of: exchange.entry, elapsed)
        endAnswer(now)
    }

    /// Continues after a response: with the next request, or with the close.
    private func endAnswer(_ now: CoarseInstant) {
        if exchange?.source != nil {
            phase = .streaming
            return
        }
        exchange = nil
        if case .close = persistence {
            phase = .finishing
        } else {
            phase = .head
            phaseStart = now
        }
    }

    /// Closes after the response at the server's initiative: the client does not know, and may have sent its next
    /// request already.
    private func closeAfterAnswer() {
        persistence = .close
        mustLinger = true
    }

    /// Answers a request that the server itself rejects, and closes: the start of the next request is unknown.
    func refuse(_ status: Status, detail: StaticString) {
        worker.counters.refusals.addAlone(1, at: ParseErrorReason.number(of: status, detail: detail))
        refuse(worker.handler.refusal(status, detail: detail))
    }

    func refuse(_ response: Response) {
        closeAfterAnswer()
        // Without an exchange the head was unreadable, so there are no fields to log.
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
    /// A copy of a subrange.
    func copy(_ range: ByteRange) -> [UInt8] {
        // unsafe because a pointer is lent; the copy is made before the call returns.
        unsafe extracting(range.indices).withUnsafeBufferPointer { unsafe [UInt8]($0) }
    }
}
