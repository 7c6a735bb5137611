import Foundation

/// A value that one thread at a time reads or changes. `Mutex` does the same and needs iOS 18.
///
/// The conformance is unchecked because the compiler can't see that `lock` guards `value`. It does: `value` is private and
/// only `withLock` touches it, between `lock()` and `unlock()`, which order memory. The value is `Sendable`, so whatever a
/// body returns of it may be used on any thread. `NSLock` is not recursive: a body that calls `withLock` on the same
/// object waits forever instead of changing the value twice at once.
final class LockedValue<Value: Sendable>: @unchecked Sendable {
    private let lock = NSLock()
    private var value: Value

    init(_ value: Value) {
        self.value = value
    }

    func withLock<Result, Failure: Error>(
        _ body: (inout Value) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        lock.lock()
        defer { lock.unlock() }
        return try body(&value)
    }
}
