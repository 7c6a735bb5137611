import Dispatch
import Synchronization
import Testing
import WaymarkHTTP
import WaymarkServer
import WaymarkSockets

/// One client's crowd of requests does not hold up another client's one.
@Suite struct FairnessTests {
    /// Notes in which order requests come; the first one stops the loop until the test has brought all clients into place.
    private final class Order: RequestHandler {
        final class Notes: Sendable {
            let calls = Atomic<Int>(0)
            let quietAt = Mutex<[Int]>([])
            let isHolding = Gate()
            let release = DispatchSemaphore(value: 0)
        }

        let notes: Notes

        init(_ notes: Notes) { self.notes = notes }

        func respond(to head: RequestHead, in bytes: Span<UInt8>, from peer: Peer) -> Reply {
            let number = notes.calls.add(1, ordering: .relaxed).newValue
            let path = String(decoding: head.path.indices.map { bytes[$0] }, as: UTF8.self)
            if path == "/hold" {
                let gate = notes.isHolding
                Task { await gate.open() }
                notes.release.wait()
            }
            if path == "/quiet" { notes.quietAt.withLock { $0.append(number) } }
            return .now(Response(.noContent))
        }

        func refusal(_ status: Status, detail: StaticString) -> Response { Response(status) }
    }

    private static let crowd = 2_000

    private static func positions(_ kind: EventLoopKind, limits: ServerLimits, quiet: Int) async throws -> [Int] {
        var configuration = ServerConfiguration(listeners: [.init(HostAndPort(host: "127.0.0.1", port: 0))])
        configuration.eventLoop = kind
        configuration.limits = limits.patient
        let notes = Order.Notes()
        let server = try await Server.start(configuration) { Order(notes) }
        let address = server.listeners[0].address
        var others: [RawClient] = []
        for _ in 0..<quiet {
            let client = try RawClient(address)
            await client.send("GET /known HTTP/1.1\r\nHost: a\r\n\r\n")
            #expect(try await client.readResponse().status == 204)
            others.append(client)
        }
        let loud = try RawClient(address)
        await loud.send("GET /hold HTTP/1.1\r\nHost: a\r\n\r\n")
        await notes.isHolding.wait()
        // Everything below is in the kernel's buffers before the loop goes on, the crowd first.
        await loud.send(String(repeating: "GET /loud HTTP/1.1\r\nHost: a\r\n\r\n", count: crowd))
        for client in others { await client.send("GET /quiet HTTP/1.1\r\nHost: a\r\n\r\n") }
        notes.release.signal()
        for client in others { #expect(try await client.readResponse().status == 204) }
        for _ in 0...crowd { #expect(try await loud.readResponse().status == 204) }
        await server.drain()
        #expect(notes.calls.load(ordering: .relaxed) == crowd + 1 + 2 * quiet)
        // Counted from the request that held the loop.
        return notes.quietAt.withLock { $0.map { $0 - quiet } }
    }

    @Test(arguments: EventLoopKind.allCases)
    func aPipeliningClientDoesNotHoldUpOthers(kind: EventLoopKind) async throws {
        let positions = try await Self.positions(kind, limits: ServerLimits(), quiet: 5)
        #expect(positions.count == 5)
        for position in positions {
            // On epoll the order is the kernel's: the others' turn comes after at most two of the loud one's. Dispatch has a
            // thread of its own that reports readiness, so there the loud one may get a few turns more.
            #expect(position <= (kind == .epoll ? 2 * 64 + 10 : crowd / 2), "\(position) of \(Self.crowd)")
        }
    }

    private var crowd: Int { Self.crowd }

    @Test(arguments: EventLoopKind.allCases)
    func aTurnIsAsLongAsItIsSetToBe(kind: EventLoopKind) async throws {
        var limits = ServerLimits()
        limits.requestsPerTurn = 4
        let positions = try await Self.positions(kind, limits: limits, quiet: 1)
        #expect(positions[0] <= (kind == .epoll ? 10 : crowd / 2), "\(positions)")
    }
}
