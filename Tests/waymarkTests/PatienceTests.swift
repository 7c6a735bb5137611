import Synchronization
import Testing
import WaymarkClient

@testable import waymark

/// How commands wait for a server's limit on requests.
@Suite struct PatienceTests {
    /// Refuses the first requests.
    private final class LimitedServer: API {
        let retryAfter: String
        let left: Mutex<Int>

        init(refusing count: Int, retryAfter: String) {
            left = Mutex(count)
            self.retryAfter = retryAfter
        }

        func send(_ request: APIRequest) async throws -> HTTPResponse {
            let isRefused = left.withLock { left in
                left -= 1
                return left >= 0
            }
            guard isRefused else { return HTTPResponse(status: 200) }
            return HTTPResponse(status: 429, fields: retryAfter.isEmpty ? [] : [("Retry-After", retryAfter)])
        }

        func close() async {}
    }

    private final class Log: Sendable {
        let delays = Mutex<[Duration]>([])
        let notes = Mutex<[String]>([])

        var patience: Patience {
            Patience { [self] delay in
                delays.withLock { $0.append(delay) }
            } note: { [self] note in
                notes.withLock { $0.append(note) }
            }
        }
    }

    private static let request = APIRequest(method: "GET", target: "/api/v1/links")

    @Test(arguments: [(0, "5", 0, 5), (1, "0", 1, 1), (3, "5", 3, 5), (60, "900", 60, 10)])
    func `a delay is noted once a request`(refusals: Int, retryAfter: String, delays: Int, seconds: Int) async throws {
        let (server, log) = (LimitedServer(refusing: refusals, retryAfter: retryAfter), Log())
        let answer = try await server.sendPatiently(Self.request, log.patience)
        #expect(answer.status == 200)
        #expect(log.delays.withLock { $0 } == Array(repeating: .seconds(seconds), count: delays))
        #expect(log.notes.withLock { $0 } == (delays == 0 ? [] : [Patience.delay]))
    }

    @Test(arguments: [(61, "1", 60), (1, "", 0), (1, "soon", 0)])
    func `a lasting limit is named`(refusals: Int, retryAfter: String, delays: Int) async throws {
        let (server, log) = (LimitedServer(refusing: refusals, retryAfter: retryAfter), Log())
        await #expect {
            _ = try await server.sendPatiently(Self.request, log.patience)
        } throws: { error in
            (error as? CommandFailure)?.message.contains("the server's limit on requests (429) holds this up") == true
        }
        #expect(log.delays.withLock(\.count) == delays)
    }
}
