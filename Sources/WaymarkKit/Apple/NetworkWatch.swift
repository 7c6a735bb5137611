#if canImport(Network)
    import Dispatch
    import Network

    /// Calls `Deeplinking.networkIsBack()` when the device has a network again.
    ///
    /// Safety: the conformance is unchecked because `NWPathMonitor` is not declared `Sendable` by all SDKs.
    /// It is only started and cancelled, which Network allows on any thread; its handler runs on the queue
    /// that it was started on.
    final class NetworkWatch: @unchecked Sendable {
        private let monitor = NWPathMonitor()

        @MainActor
        init(of deeplinking: Deeplinking) {
            let wasAway = LockedValue(false)
            monitor.pathUpdateHandler = { [weak deeplinking] path in
                let isBack = wasAway.withLock { wasAway in
                    defer { wasAway = path.status != .satisfied }
                    return wasAway && path.status == .satisfied
                }
                guard isBack else { return }
                Task { @MainActor [weak deeplinking] in await deeplinking?.networkIsBack() }
            }
            monitor.start(queue: DispatchQueue(label: "waymark.network"))
        }

        deinit {
            monitor.cancel()
        }
    }
#endif
