import Synchronization
import Testing

@testable import WaymarkSite

/// A result that is computed once for all concurrent callers.
@Suite struct SharedResponseTests {
    private final class Work: Sendable {
        let count = Atomic<Int>(0)
        private let gate = AsyncStream.makeStream(of: Void.self)

        func open() { gate.continuation.finish() }

        /// Counts, and waits until it may go on.
        func perform() async -> Int {
            let number = count.add(1, ordering: .relaxed).newValue
            for await _ in gate.stream {}
            return number
        }
    }

    @Test func `a response is made once for all who ask meanwhile`() async {
        let work = Work()
        let answer = SharedResponse<Int>("test", lifetime: { _ in 3_600_000_000_000 })
        let values = await withTaskGroup { group in
            for _ in 0..<100 { group.addTask { await answer.value { await work.perform() } } }
            while work.count.load(ordering: .relaxed) == 0 { await Task.yield() }
            work.open()
            return await group.reduce(into: []) { $0.append($1) }
        }
        #expect(values == Array(repeating: 1, count: 100))
        #expect(answer.current == 1)
    }

    @Test func `a response is made again once it is too old`() async {
        let work = Work()
        work.open()
        let answer = SharedResponse<Int>("test", lifetime: { _ in 0 })
        for number in 1...3 { #expect(await answer.value { await work.perform() } == number) }
        #expect(answer.current == nil)
    }

    @Test func givesTheFallbackWhereItTakesTooLong() async {
        let work = Work()
        let answer = SharedResponse<Int>("test", lifetime: { _ in 0 }, fallback: (-1, after: 1_000_000))
        // The second does not wait at all, and begins nothing beside what hangs.
        for _ in 0..<2 { #expect(await answer.value { await work.perform() } == -1) }
        #expect(work.count.load(ordering: .relaxed) == 1)
        work.open()
    }
}
