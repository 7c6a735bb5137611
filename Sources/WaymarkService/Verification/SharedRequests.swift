import Synchronization

/// Requests whose answers several callers share. A caller stops waiting at the end of its own time; the request goes on for the
/// others, until the end of the time of the caller that began it.
final class SharedRequests<Answer: Sendable>: Sendable {
    /// Milliseconds by which a caller waits longer for the answer of a request that ends with its time.
    private static var grace: Int64 { 2_000 }
    /// Milliseconds that a request must have left for callers that have more: else they begin their own.
    private static var rest: Int64 { 60_000 }

    private struct Request {
        let number: Int
        let asking: Task<Answer, Never>
        /// Of its start; once it is answered, of its answer.
        var time: Int64
        let end: Int64
        /// Nil while it is awaited.
        var answer: Answer?
    }

    private struct State {
        var requests: [String: Request] = [:]
        /// All requests that have no answer yet, also those that later ones replaced.
        var unfinished: [Int: Task<Answer, Never>] = [:]
        var last = 0
    }

    private let limit: Int
    private let validity: @Sendable (Answer) -> Int64
    private let timer: @Sendable (_ milliseconds: Int64) async -> Void
    private let now: @Sendable () -> Int64
    private let state = Mutex(State())

    /// - Parameters:
    ///   - limit: answers that are remembered; beyond that all are forgotten.
    ///   - validity: milliseconds for which an answer holds for later callers. With 0, the answer is not remembered.
    init(
        limit: Int, _ settings: VerificationSettings, now: @escaping @Sendable () -> Int64,
        validity: @escaping @Sendable (Answer) -> Int64
    ) {
        self.limit = limit
        self.validity = validity
        timer = settings.timer
        self.now = now
    }

    /// - Parameters:
    ///   - walkStart: answers that came since then hold, too: a slow walk asks once for all its visitors.
    ///   - end: when the caller stops waiting.
    ///   - isFresh: uses no request that was begun before.
    ///   - ask: ends at `end`, too.
    /// - Returns: nil if the caller's time ended, or if it was cancelled.
    func answer(
        to name: String, since walkStart: Int64, until end: Int64, isFresh: Bool = false,
        _ ask: @escaping @Sendable () async -> Answer
    ) async -> Answer? {
        let time = now()
        let request = state.withLock { state in
            if !isFresh, let hit = state.requests[name], isUsable(hit, at: time, since: walkStart, until: end) {
                return hit
            }
            if state.requests.count >= limit { state.requests = state.requests.filter { $0.value.answer == nil } }
            state.last += 1
            let number = state.last
            let asking = Task(priority: .background) {
                let answer = await ask()
                self.note(answer, of: number, as: name)
                return answer
            }
            let request = Request(number: number, asking: asking, time: time, end: end)
            state.requests[name] = request
            state.unfinished[number] = asking
            return request
        }
        if let answer = request.answer { return answer }
        let patience = max(0, end + Self.grace - time)
        return await request.asking.value { [timer] in await timer(patience) }
    }

    /// Ends waits between requests.
    func cancel() { for asking in state.withLock(\.unfinished).values { asking.cancel() } }

    private func isUsable(_ request: Request, at time: Int64, since walkStart: Int64, until end: Int64) -> Bool {
        // The clock may have been set back.
        guard request.time <= time else { return false }
        if let answer = request.answer {
            return request.time >= walkStart || time - request.time < validity(answer)
        }
        return request.end >= min(end, time + Self.rest)
    }

    private func note(_ answer: Answer, of number: Int, as name: String) {
        let isWorthless = validity(answer) <= 0
        let time = now()
        state.withLock { state in
            state.unfinished[number] = nil
            guard state.requests[name]?.number == number else { return }
            if isWorthless {
                state.requests[name] = nil
            } else {
                state.requests[name]?.answer = answer
                state.requests[name]?.time = time
            }
        }
    }
}
