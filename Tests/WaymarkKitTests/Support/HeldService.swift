import Synchronization
import WaymarkAPI
import WaymarkKit

/// A service whose answers a test gives when it likes.
final class HeldService: SmartlinkResolving {
    struct Failure: Error {}

    private struct State {
        var held: [String: CheckedContinuation<ResolveResponse, any Error>] = [:]
        var arrivals: [String: CheckedContinuation<Void, Never>] = [:]
    }

    private let state = Mutex(State())

    func resolve(_ subject: ResolveRequest.Subject) async throws -> ResolveResponse {
        try await withCheckedThrowingContinuation { continuation in
            let arrival = state.withLock { state in
                state.held[Self.name(subject)] = continuation
                return state.arrivals.removeValue(forKey: Self.name(subject))
            }
            arrival?.resume()
        }
    }

    /// Returns when the link has been asked for.
    func wasAsked(_ link: String) async {
        await withCheckedContinuation { continuation in
            let isHeld = state.withLock { state in
                if state.held[link] != nil { return true }
                state.arrivals[link] = continuation
                return false
            }
            if isHeld { continuation.resume() }
        }
    }

    /// Nil is a failure.
    func answer(_ link: String, _ deeplink: String?) {
        let held = state.withLock { $0.held.removeValue(forKey: link) }
        guard let deeplink else {
            held?.resume(throwing: Failure())
            return
        }
        held?.resume(
            returning: ResolveResponse(
                deeplink: deeplink, route: nil, routeParameters: [:], queryParameters: [:], metadata: nil,
                redeem: RedeemCount(limit: nil, used: 0)))
    }

    private static func name(_ subject: ResolveRequest.Subject) -> String {
        switch subject {
        case .smartlink(let link): link
        case .clickID(let id): id
        }
    }
}
