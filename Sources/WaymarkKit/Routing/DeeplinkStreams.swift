#if canImport(Observation)
    public import Observation
#endif

extension Deeplinking {
    /// The links whose targets have run, for code that waits for them in place of a target:
    ///
    ///     try deeplinking.map("products/:product_id")
    ///     for await deeplink in deeplinking.links { path.append(deeplink.routeParameters) }
    ///
    /// Each access is a sequence of its own, with the links from then on. The first one begins with the last
    /// link that was opened before it, the one that started the app; up to 16 links wait for a slow reader,
    /// the newest ones.
    public var links: AsyncStream<Deeplink> { streams.make() }
}

/// The readers of `Deeplinking.links`.
@MainActor
final class DeeplinkStreams {
    private var readers: [Int: AsyncStream<Deeplink>.Continuation] = [:]
    private var count = 0
    private var unread: Deeplink?

    func make() -> AsyncStream<Deeplink> {
        let (stream, continuation) = AsyncStream.makeStream(
            of: Deeplink.self, bufferingPolicy: .bufferingNewest(16))
        count += 1
        let number = count
        readers[number] = continuation
        continuation.onTermination = { [weak self] _ in
            Task { @MainActor [weak self] in self?.readers[number] = nil }
        }
        if let unread { continuation.yield(unread) }
        unread = nil
        return stream
    }

    func yield(_ deeplink: Deeplink) {
        if readers.isEmpty { unread = deeplink }
        for reader in readers.values { reader.yield(deeplink) }
    }

    deinit {
        for reader in readers.values { reader.finish() }
    }
}

/// Tells views that read `Deeplinking.currentDeeplink` that it changes. `Observation` requires iOS 17.
@MainActor
struct DeeplinkObservation {
    #if canImport(Observation)
        private let registrar: (any Sendable)?

        init() {
            if #available(macOS 14, iOS 17, tvOS 17, watchOS 10, visionOS 1, *) {
                registrar = ObservationRegistrar()
            } else {
                registrar = nil
            }
        }

        func access(_ deeplinking: Deeplinking) {
            guard #available(macOS 14, iOS 17, tvOS 17, watchOS 10, visionOS 1, *) else { return }
            (registrar as? ObservationRegistrar)?.access(deeplinking, keyPath: \.currentDeeplink)
        }

        func change(_ deeplinking: Deeplinking, _ change: () -> Void) {
            guard #available(macOS 14, iOS 17, tvOS 17, watchOS 10, visionOS 1, *),
                let registrar = registrar as? ObservationRegistrar
            else { return change() }
            registrar.withMutation(of: deeplinking, keyPath: \.currentDeeplink, change)
        }
    #else
        func access(_ deeplinking: Deeplinking) {}
        func change(_ deeplinking: Deeplinking, _ change: () -> Void) { change() }
    #endif
}

#if canImport(Observation)
    @available(macOS 14, iOS 17, tvOS 17, watchOS 10, visionOS 1, *)
    extension Deeplinking: Observable {}
#endif
