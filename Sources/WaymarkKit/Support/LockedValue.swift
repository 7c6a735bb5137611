import Foundation

/// A value protected by a lock. `Mutex` requires iOS 18.
///
/// Safety: the conformance is unchecked because the compiler can't see that `lock` guards `value`. It does: `value`
/// is private and only `withLock` accesses it, between `lock()` and `unlock()`, which order memory. The value is
/// `Sendable`, so whatever a body returns of it may be used on any thread. `NSLock` is not recursive: a body that
/// calls `withLock` on the same object deadlocks instead of changing the value twice at once.
package final class LockedValue<Value: Sendable>: @unchecked Sendable {
    private let lock = NSLock()
    private var value: Value

    package init(_ value: Value) {
        self.value = value
    }

    package func withLock<Result, Failure: Error>(
        _ body: (inout Value) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        lock.lock()
        defer { lock.unlock() }
        return try body(&value)
    }
}
