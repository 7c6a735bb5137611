import Synchronization
import Testing
import WaymarkLinks
import WaymarkStores

@testable import WaymarkService

@Suite struct FairTurnsTests {
    private final class Order: Sendable {
        let names = Mutex<[String]>([])
    }

    @Test func callersTakeTurnsByApplicationAndKey() async throws {
        let turns = FairTurns(limit: 1)
        let order = Order()
        let gate = Gate()
        let callers = [
            ("loud", "1"), ("loud", "1"), ("loud", "1"), ("loud", "2"), ("quiet", "3"), ("quiet", "3"),
        ]
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask {
                try await turns.withTurn(of: .init(application: ApplicationID("first"), key: "0")) {
                    () async throws(StoreError) in
                    await gate.pass()
                }
            }
            while turns.runningCalls == 0 { await Task.yield() }
            for (number, (application, key)) in callers.enumerated() {
                group.addTask {
                    try await turns.withTurn(of: .init(application: ApplicationID(application), key: key)) {
                        () async throws(StoreError) in order.names.withLock { $0.append(application + key) }
                    }
                }
                while turns.waitingCalls == number { await Task.yield() }
            }
            gate.open()
            try await group.waitForAll()
        }
        #expect(order.names.withLock { $0 } == ["loud1", "quiet3", "loud2", "quiet3", "loud1", "loud1"])
        #expect(turns.runningCalls == 0)
    }

    @Test func aFailedCallEndsItsTurn() async throws {
        let turns = FairTurns(limit: 1)
        for _ in 0..<3 {
            await #expect(throws: StoreError.self) {
                try await turns.withTurn(of: .init(application: nil, key: "")) { () async throws(StoreError) in
                    throw .unavailable("away")
                }
            }
        }
        #expect(turns.runningCalls == 0)
    }
}
