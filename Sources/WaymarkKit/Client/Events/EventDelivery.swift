import WaymarkAPI

/// Sends queued events in batches, one batch at a time.
actor EventDelivery {
    /// Pauses after failed rounds.
    static let pauses = RetryPolicy(attempts: .max, firstWait: .seconds(10), longestWait: .seconds(600))

    private let queue: EventQueue
    private let sender: RequestSender
    private var sending: Task<WaymarkClientError?, Never>?
    private var delivering: Task<Void, Never>?

    init(queue: EventQueue, sender: RequestSender) {
        self.queue = queue
        self.sender = sender
    }

    /// Sends all queued events. Returns nil if all were confirmed or given up, otherwise the error.
    func flush() async -> WaymarkClientError? {
        // A running delivery may have missed an event that was queued later.
        while let sending {
            if let failure = await sending.value { return failure }
        }
        if queue.isEmpty { return nil }
        let task = Task {
            let failure = await sendBatches()
            sending = nil
            return failure
        }
        sending = task
        return await task.value
    }

    /// Sends the queued events and those added meanwhile. Retries transient failures with increasing pauses. Does
    /// nothing if a delivery is already running.
    func deliver() {
        guard delivering == nil else { return }
        delivering = Task {
            await deliverAll()
            // There is no suspension between the last check of the queue and this line, so no event is left without a
            // delivery.
            delivering = nil
        }
    }

    func stop() {
        delivering?.cancel()
    }

    private func deliverAll() async {
        var failures = 0
        while !queue.isEmpty, !Task.isCancelled {
            guard let failure = await flush() else {
                failures = 0
                continue
            }
            guard failure.isTransient else { return }
            failures += 1
            // Honours the service's `Retry-After` even if it is longer than the longest pause.
            let pause =
                Self.pauses.wait(after: failures, retryAfter: failure.retryAfter, fraction: sender.random.fraction())
                ?? failure.retryAfter ?? Self.pauses.longestWait
            guard (try? await sender.clock.sleep(for: pause)) != nil else { return }
        }
    }

    private func sendBatches() async -> WaymarkClientError? {
        var size = EventsRequest.limit
        while true {
            let batch = queue.batch(size, now: sender.clock.now.wholeSeconds)
            guard !batch.isEmpty else { return nil }
            do throws(WaymarkClientError) {
                let answer = try await sender.post(Endpoint.events, EventsRequest(events: batch.map(\.body)).json)
                // A captive portal also responds with 200, and has counted nothing.
                guard EventsResponse(json: answer.body) != nil else {
                    return .unexpectedAnswer(status: answer.status, retryAfter: nil)
                }
                queue.confirm(batch)
                size = min(EventsRequest.limit, size * 2)
            } catch {
                guard let problem = error.problem, [400, 413, 422].contains(problem.status) else { return error }
                // A rejected event must not block the others.
                let named = Set(problem.errors.compactMap(\.eventIndex)).filter(batch.indices.contains)
                if !named.isEmpty {
                    queue.giveUp(named.map { batch[$0] })
                } else if batch.count == 1 {
                    queue.giveUp(batch)
                } else {
                    size = batch.count / 2
                }
            }
        }
    }
}

extension FieldProblem {
    /// The index of the event that the problem is about: 3 in `events[3].type`.
    fileprivate var eventIndex: Int? {
        guard field.hasPrefix("events["), let end = field.firstIndex(of: "]") else { return nil }
        return Int(field[field.index(field.startIndex, offsetBy: 7)..<end])
    }
}
