import Dispatch
import Synchronization
import Testing

@testable import WaymarkService

/// Computations that clients wait for, while a first one runs until all have asked.
@Suite struct BoundedWorkTests {
    private static let mostWaiting = 6

    private final class Log: Sendable {
        private let state = Mutex((ran: [String](), refused: [String](), hasBegun: false))
        let gate = DispatchSemaphore(value: 0)

        func begin() { state.withLock { $0.hasBegun = true } }
        func add(ran client: String) { state.withLock { $0.ran.append(client) } }
        func add(refused client: String) { state.withLock { $0.refused.append(client) } }

        var hasBegun: Bool { state.withLock { $0.hasBegun } }
        var ran: [String] { state.withLock { $0.ran } }
        var refused: [String] { state.withLock { $0.refused } }
    }

    private static func run(_ clients: [String]) async -> Log {
        let work = BoundedWork<String>("test", limit: 1, mostWaiting: mostWaiting)
        let log = Log()
        await withTaskGroup(of: Void.self) { group in
            group.addTask {
                _ = await work.run(for: "first") {
                    log.begin()
                    log.gate.wait()
                }
            }
            while !log.hasBegun { await Task.yield() }
            for (index, client) in clients.enumerated() {
                group.addTask {
                    let isDone = await work.run(for: client) { log.add(ran: client) } != nil
                    if !isDone { log.add(refused: client) }
                }
                // In this order: each has a place before the next one asks, or was refused.
                while work.waitingCalls + log.refused.count < index + 1 { await Task.yield() }
            }
            log.gate.signal()
        }
        return log
    }

    @Test func `clients that wait take turns`() async {
        let log = await Self.run(["a", "a", "a", "b", "c", "b"])
        #expect(log.ran == ["a", "b", "c", "a", "b", "a"])
        #expect(log.refused.isEmpty)
    }

    @Test func `a client that fills the line makes room for others`() async {
        let log = await Self.run(["a", "a", "a", "a", "a", "a", "a", "b", "c"])
        #expect(log.ran == ["a", "b", "c", "a", "a", "a"])
        #expect(log.refused == ["a", "a", "a"])
    }

    @Test func `clients with equal parts keep them`() async {
        let log = await Self.run(["a", "a", "b", "b", "c", "c", "a", "d"])
        #expect(log.ran.prefix(4) == ["a", "b", "c", "d"] && log.ran.count == Self.mostWaiting)
        #expect(log.refused.count == 2 && log.refused.first == "a")
    }
}
