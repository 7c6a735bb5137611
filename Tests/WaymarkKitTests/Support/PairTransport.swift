import Synchronization
import WaymarkKit

/// Sends two requests at the same time: the first has its response once both have been sent, the second loses its own.
/// Later requests go through.
final class PairTransport: HTTPTransport {
    let inner = StandInTransport()
    private let count = Mutex(0)
    private let bothSent = AsyncStream.makeStream(of: Void.self)
    private let firstIsOver = AsyncStream.makeStream(of: Void.self)

    func send(_ request: TransportRequest) async throws(TransportError) -> TransportResponse {
        let number = count.withLock { count in
            count += 1
            return count
        }
        switch number {
        case 1:
            for await _ in bothSent.stream { break }
            let response = try await inner.send(request)
            firstIsOver.continuation.yield()
            return response
        case 2:
            bothSent.continuation.yield()
            for await _ in firstIsOver.stream { break }
            _ = try await inner.send(request)
            throw .timedOut
        default: return try await inner.send(request)
        }
    }
}
