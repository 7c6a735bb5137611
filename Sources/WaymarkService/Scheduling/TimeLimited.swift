import Synchronization
import WaymarkLinks
import WaymarkStores

/// Returns the result of `body`, or throws `.unavailable` after the time limit; `body` then continues in the
/// background.
func limited<Value: Sendable>(
    to limit: Duration, _ body: @escaping @Sendable () async throws(StoreError) -> Value
) async throws(StoreError) -> Value {
    let outcome = await withCheckedContinuation {
        (continuation: CheckedContinuation<Result<Value, StoreError>, Never>) in
        let first = FirstAnswer(continuation)
        let timer = Task {
            guard (try? await Task.sleep(for: limit)) != nil else { return }
            first.take(.failure(.unavailable("the store did not answer in time")))
        }
        Task {
            do throws(StoreError) {
                first.take(.success(try await body()))
            } catch {
                first.take(.failure(error))
            }
            timer.cancel()
        }
    }
    return try outcome.get()
}

extension Task where Failure == Never {
    /// The value, or nil if `time` ends first or the caller is cancelled; the task then continues for others.
    ///
    /// - Parameter time: ends at once where its task is cancelled.
    func value(within time: @escaping @Sendable () async -> Void) async -> Success? {
        let timer = Task<Void, Never> { await time() }
        return await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let first = FirstAnswer(continuation)
                Task<Void, Never> {
                    await timer.value
                    first.take(nil)
                }
                Task<Void, Never> {
                    first.take(await self.value)
                    timer.cancel()
                }
            }
        } onCancel: {
            timer.cancel()
        }
    }
}

/// Returns the first of several results.
private final class FirstAnswer<Value: Sendable>: Sendable {
    private let continuation: Mutex<CheckedContinuation<Value, Never>?>

    init(_ continuation: CheckedContinuation<Value, Never>) { self.continuation = Mutex(continuation) }

    func take(_ answer: Value) {
        let waiting = continuation.withLock { continuation in
            defer { continuation = nil }
            return continuation
        }
        waiting?.resume(returning: answer)
    }
}
