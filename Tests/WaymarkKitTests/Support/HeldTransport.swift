import Synchronization
import WaymarkKit

/// Holds those who wait until it is opened.
final class Gate: Sendable {
    private struct State {
        var isOpen = false
        var waiting: [CheckedContinuation<Void, Never>] = []
    }

    private let state = Mutex(State())

    func open() {
        let waiting = state.withLock { state in
            defer { state = State(isOpen: true) }
            return state.waiting
        }
        for each in waiting { each.resume() }
    }

    func wait() async {
        await withCheckedContinuation { continuation in
            let isOpen = state.withLock { state in
                if !state.isOpen { state.waiting.append(continuation) }
                return state.isOpen
            }
            if isOpen { continuation.resume() }
        }
    }
}

/// Sends no request before a gate is open.
struct HeldTransport: HTTPTransport {
    let inner = StandInTransport()
    /// Opens with the first request.
    let wasAsked = Gate()
    let mayAnswer = Gate()

    func send(_ request: TransportRequest) async throws(TransportError) -> TransportResponse {
        wasAsked.open()
        await mayAnswer.wait()
        return try await inner.send(request)
    }
}
