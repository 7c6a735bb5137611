import Synchronization
import Testing

@testable import WaymarkClicks

/// Turns of reports.
@Suite struct FairTurnsTests {
    /// Holds a turn until it is opened.
    private final class Door: Sendable {
        private let state = Mutex<(isOpen: Bool, waiting: CheckedContinuation<Void, Never>?)>((false, nil))

        func pass() async {
            await withCheckedContinuation { continuation in
                let isOpen = state.withLock { state in
                    if !state.isOpen { state.waiting = continuation }
                    return state.isOpen
                }
                if isOpen { continuation.resume() }
            }
        }

        func open() {
            state.withLock { state in
                state.isOpen = true
                return state.waiting.take()
            }?.resume()
        }
    }

    private final class Log: Sendable {
        private let names = Mutex<[String]>([])
        var all: [String] { names.withLock { $0 } }
        func add(_ name: String) { names.withLock { $0.append(name) } }
    }

    @Test func aCallersSecondTurnLetsOthersGoFirst() async throws {
        let turns = FairTurns(limit: 2)
        let (door, other) = (Door(), Door())
        let done = Log()
        @Sendable func run(_ caller: String, _ name: String, through door: Door? = nil) async throws {
            try await turns.withTurn(of: caller) {
                await door?.pass()
                done.add(name)
            }
        }
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { try await run("a", "a1", through: door) }
            while turns.running < 1 { await Task.yield() }
            group.addTask { try await run("a", "a2") }
            while turns.waiting < 1 { await Task.yield() }
            // Of another caller: it need not wait.
            try await run("b", "b1")
            #expect(done.all == ["b1"])
            // All turns are taken.
            group.addTask { try await run("c", "c1", through: other) }
            while turns.running < 2 { await Task.yield() }
            group.addTask { try await run("d", "d1") }
            while turns.waiting < 2 { await Task.yield() }
            other.open()
            while done.all.count < 3 { await Task.yield() }
            #expect(done.all == ["b1", "c1", "d1"])
            door.open()
            try await group.waitForAll()
        }
        #expect(done.all == ["b1", "c1", "d1", "a1", "a2"])
        #expect(turns.running == 0 && turns.waiting == 0)
    }

    @Test func aFailureEndsItsTurn() async throws {
        struct Failure: Error {}
        let turns = FairTurns(limit: 1)
        await #expect(throws: Failure.self) { try await turns.withTurn(of: "a") { throw Failure() } }
        try await turns.withTurn(of: "b") {}
        #expect(turns.running == 0)
    }
}
