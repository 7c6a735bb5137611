import Foundation
import Synchronization
import Testing
import WaymarkClient
import WaymarkJSON

@testable import waymark

/// The lock of an apply: when it is renewed, and what its loss stops.
@Suite(.timeLimit(.minutes(1))) struct CodeLockTests {
    /// A server on which a write takes some seconds of the test's time.
    private final class Server: API {
        struct State {
            var now = Duration.zero
            var writes = 0
            var renewals = 0
            var isHeld = true
        }

        let state = Mutex(State())
        let length: Duration
        /// Done in the middle of each write.
        let during: @Sendable (Server) async -> Void
        let (renewed, renewal) = AsyncStream.makeStream(of: Void.self)
        let (ticks, tick) = AsyncStream.makeStream(of: Void.self)

        init(writing length: Duration, during: @escaping @Sendable (Server) async -> Void = { _ in }) {
            self.length = length
            self.during = during
        }

        var clock: CodeLock.Clock {
            CodeLock.Clock {
                self.state.withLock(\.now)
            } sleep: { _ in
                for await _ in self.ticks { return }
                throw CancellationError()
            }
        }

        func send(_ request: APIRequest) async throws -> HTTPResponse {
            // No application is there yet.
            guard request.method != "GET" else { return HTTPResponse(status: 404) }
            guard request.target == "/api/v1/links:lock" else {
                state.withLock { $0.writes += 1 }
                state.withLock { $0.now += length }
                await during(self)
                return HTTPResponse(status: 200, body: Array("{}".utf8))
            }
            let isHeld = state.withLock { state in
                if String(decoding: request.body ?? [], as: UTF8.self).contains("token") { state.renewals += 1 }
                return state.isHeld
            }
            renewal.yield()
            return HTTPResponse(status: 200, body: Array("{\"held\": \(isHeld), \"token\": \"t\"}".utf8))
        }

        func close() async {}
    }

    /// A plan of some writes.
    private func apply(_ count: Int, to server: Server) async throws {
        var plan = CodePlan()
        let place = CodePlace("apps.json", [], at: 0)
        plan.apps = (0..<count).map { .init(id: "a\($0)", document: [], version: nil, place: place) }
        let lock = try await CodeLock(server, owner: "links", clock: server.clock)
        var done = CodeVersions()
        try await CodeApplier(api: server, lock: lock, secrets: nil).apply(plan, done: &done)
    }

    @Test(arguments: [(1, 11, 2), (5, 4, 3), (12, 4, 3), (0, 200, 0)])
    func `a lock is renewed by time`(seconds: Int, writes: Int, renewals: Int) async throws {
        let server = Server(writing: .seconds(seconds))
        try await apply(writes, to: server)
        #expect(server.state.withLock { ($0.writes, $0.renewals) } == (writes, renewals))
    }

    @Test func `a lock is renewed while a request lasts`() async throws {
        let server = Server(writing: .seconds(6)) { server in
            var renewed = server.renewed.makeAsyncIterator()
            // That of the lock's beginning.
            _ = await renewed.next()
            server.tick.yield()
            _ = await renewed.next()
        }
        try await apply(1, to: server)
        #expect(server.state.withLock(\.renewals) == 1)
    }

    @Test func `a lost lock stops an apply before the next write`() async throws {
        let server = Server(writing: .seconds(6)) { server in
            server.state.withLock { if $0.writes == 2 { $0.isHeld = false } }
        }
        await #expect {
            try await apply(5, to: server)
        } throws: { error in
            (error as? CommandFailure)?.message.contains("the lock was lost") == true
        }
        #expect(server.state.withLock(\.writes) == 2)
    }

    @Test func `versions are not stored without the lock`() async throws {
        let server = Server(writing: .zero)
        let lock = try await CodeLock(server, owner: "links", clock: server.clock)
        var versions = CodeVersions()
        versions["shop", "go.example.com/x"] = 2
        try await lock.keep(versions)
        server.state.withLock { $0.isHeld = false }
        await #expect(throws: CommandFailure.self) { try await lock.keep(versions) }
        await #expect(throws: CommandFailure.self) { try await lock.check() }
    }

    @Test func `a lock that another holds is not taken`() async throws {
        let server = Server(writing: .zero)
        server.state.withLock { $0.isHeld = false }
        await #expect {
            try await apply(1, to: server)
        } throws: { error in
            (error as? CommandFailure)?.message.contains("another apply is running") == true
        }
        #expect(server.state.withLock(\.writes) == 0)
    }
}
