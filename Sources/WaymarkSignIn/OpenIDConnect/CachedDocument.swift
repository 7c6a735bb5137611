/// A document of a provider, fetched once for all that wait for it, and remembered.
actor CachedDocument<Value: Sendable> {
    /// Seconds for which a failure is remembered, so that visitors can't make this program send a request each.
    static var failureAge: Int64 { 10 }

    private struct Fetched {
        let start: Int64
        let task: Task<Result<Value, OpenIDFailure>, Never>
    }

    private let now: @Sendable () -> Int64
    private let fetch: @Sendable () async throws(OpenIDFailure) -> Value
    private var fetched: Fetched?

    /// - Parameter now: in seconds.
    init(now: @escaping @Sendable () -> Int64, fetch: @escaping @Sendable () async throws(OpenIDFailure) -> Value) {
        self.now = now
        self.fetch = fetch
    }

    /// - Parameter maximumAge: in seconds; an older one is fetched again.
    func value(maximumAge: Int64) async throws(OpenIDFailure) -> Value {
        while let known = fetched {
            let result = await known.task.value
            // Another caller may have fetched it again meanwhile.
            guard fetched?.start == known.start else { continue }
            let limit = (try? result.get()) == nil ? min(Self.failureAge, maximumAge) : maximumAge
            guard (0..<limit).contains(now() - known.start) else { break }
            return try result.get()
        }
        let task = Task { [fetch] in await Result { () async throws(OpenIDFailure) in try await fetch() } }
        fetched = Fetched(start: now(), task: task)
        return try await task.value.get()
    }
}

extension Result {
    fileprivate init(_ body: () async throws(Failure) -> Success) async {
        do throws(Failure) {
            self = .success(try await body())
        } catch {
            self = .failure(error)
        }
    }
}
