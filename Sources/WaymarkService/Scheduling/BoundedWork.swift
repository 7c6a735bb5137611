import Dispatch
import Synchronization

/// Computes on threads of its own, a few at a time, so that neither event loops nor the threads of tasks wait for it. Clients that
/// wait take turns. Where no more may wait, the client with the most loses its last turn to another: no client fills the line alone.
final class BoundedWork<Client: Hashable & Sendable>: Sendable {
    private typealias Turn = CheckedContinuation<Bool, Never>

    private struct State {
        var running = 0
        /// Those that wait, in the order of their turns; each once.
        var clients: [Client] = []
        var waiting: [Client: [Turn]] = [:]
        var count = 0

        mutating func append(_ turn: Turn, of client: Client) {
            if waiting[client] == nil { clients.append(client) }
            waiting[client, default: []].append(turn)
            count += 1
        }

        mutating func next() -> Turn? {
            guard !clients.isEmpty else { return nil }
            let client = clients.removeFirst()
            guard var turns = waiting.removeValue(forKey: client), !turns.isEmpty else { return nil }
            let turn = turns.removeFirst()
            count -= 1
            if !turns.isEmpty {
                waiting[client] = turns
                clients.append(client)
            }
            return turn
        }

        /// The last turn of the client with the most, if the other one has fewer with one more.
        mutating func takeFromLongest(for client: Client) -> Turn? {
            guard let longest = waiting.max(by: { $0.value.count < $1.value.count })?.key, longest != client,
                let most = waiting[longest]?.count, most > (waiting[client]?.count ?? 0) + 1
            else { return nil }
            count -= 1
            return waiting[longest]?.removeLast()
        }
    }

    private let queue: DispatchQueue
    private let limit: Int
    private let mostWaiting: Int
    private let state = Mutex(State())

    /// - Parameters:
    ///   - limit: computations at the same time.
    ///   - mostWaiting: further ones that wait for their turn.
    init(_ label: String, limit: Int, mostWaiting: Int) {
        queue = DispatchQueue(label: label, attributes: .concurrent)
        self.limit = limit
        self.mostWaiting = mostWaiting
    }

    /// Nil if too many wait already.
    func run<Value: Sendable>(for client: Client, _ work: @escaping @Sendable () -> Value) async -> Value? {
        guard await takeTurn(of: client) else { return nil }
        let value = await withCheckedContinuation { (continuation: CheckedContinuation<Value, Never>) in
            queue.async { continuation.resume(returning: work()) }
        }
        endTurn()
        return value
    }

    private func takeTurn(of client: Client) async -> Bool {
        await withCheckedContinuation { (turn: Turn) in
            let (begins, refused) = state.withLock { state -> (Bool, Turn?) in
                if state.running < limit {
                    state.running += 1
                    return (true, nil)
                }
                var refused: Turn?
                if state.count >= mostWaiting {
                    refused = state.takeFromLongest(for: client)
                    guard refused != nil else { return (false, turn) }
                }
                state.append(turn, of: client)
                return (false, refused)
            }
            if begins { turn.resume(returning: true) }
            refused?.resume(returning: false)
        }
    }

    private func endTurn() {
        let next = state.withLock { state -> Turn? in
            let next = state.next()
            if next == nil { state.running -= 1 }
            return next
        }
        next?.resume(returning: true)
    }

    var waitingCalls: Int { state.withLock { $0.count } }
}
