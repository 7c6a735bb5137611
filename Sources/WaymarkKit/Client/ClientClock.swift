public import Foundation

/// What time it is, and waiting. Tests give another one.
public protocol ClientClock: Sendable {
    /// The time of day.
    var now: Date { get }
    /// Waits. Throws `CancellationError` when the task is cancelled.
    func sleep(for duration: Duration) async throws
}

/// The system's clock.
public struct SystemClock: ClientClock {
    /// The system's clock.
    public init() {}

    public var now: Date { Date() }

    public func sleep(for duration: Duration) async throws { try await Task.sleep(for: duration) }
}
