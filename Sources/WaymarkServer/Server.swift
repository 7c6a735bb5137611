import Dispatch
import Synchronization
import WaymarkBytes
package import WaymarkSockets

#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// A running HTTP/1.1 server: listening sockets, one event loop per thread, one handler per loop.
///
///     let server = try await Server.start(configuration) { MyHandler() }
///     // …
///     await server.drain()
///
/// It runs until it is drained, even if no reference to this object is left. Safe to use from any thread.
package final class Server: Sendable {
    /// A bound listening address.
    package struct BoundListener: Sendable, Equatable {
        /// With the port that was actually bound; for a Unix-domain socket, which has none, the zero address.
        package let address: SocketAddress
        /// The path of a Unix-domain socket; nil for others.
        package let path: String?
        package let role: ListenerRole
        package let isSecure: Bool

        init(_ endpoint: InheritedSockets.Endpoint, role: ListenerRole, isSecure: Bool) {
            switch endpoint {
            case .network(let address): (self.address, path) = (address, nil)
            case .unix(let path):
                address = SocketAddress(address: IPAddress(ipv4: 0), port: 0)
                self.path = path
            }
            self.role = role
            self.isSecure = isSecure
        }
    }

    private struct Loop: Sendable {
        let loop: any EventLoop
        let worker: Worker
    }

    /// In the order of the configuration; a name with several addresses has one entry for each.
    package let listeners: [BoundListener]
    /// Why optional listeners are missing.
    package let unbound: [BindError]
    private let loops: [Loop]
    private let counters: [ServerCounters]
    private let limits: Mutex<ServerLimits>
    private let probe: LoopProbe
    /// Removed when the server stops.
    private let files: [SocketFile]
    private let drainTask = Mutex<Task<Void, Never>?>(nil)

    private init(
        listeners: [BoundListener], unbound: [BindError], loops: [Loop], counters: [ServerCounters],
        limits: ServerLimits, probe: LoopProbe,
        files: [SocketFile]
    ) {
        self.listeners = listeners
        self.unbound = unbound
        self.probe = probe
        self.loops = loops
        self.counters = counters
        self.limits = Mutex(limits)
        self.files = files
    }

    /// Binds all listeners, then starts the loops. When it returns, connections are being accepted.
    ///
    /// - Parameters:
    ///   - configuration: at least one listener and one thread.
    ///   - makeHandler: makes the handler of one loop, on that loop; called once for each.
    /// - Throws: if an address can't be bound; nothing is left running then.
    package static func start(
        _ configuration: ServerConfiguration, handler makeHandler: @escaping @Sendable () -> any RequestHandler
    ) async throws(ServerError) -> Server {
        precondition(configuration.threads > 0, "a server has at least one thread")
        // send is passed a flag against SIGPIPE, but sendfile has none: without this, a client that disconnects
        // during a file would kill the process.
        signal(SIGPIPE, SIG_IGN)
        var sockets = try ServerSockets(configuration)
        let listeners = sockets.bound
        let connectionLimiter = ConnectionLimiter()
        let inFlightLimiter = InFlightLimiter()
        let unknownProxy = UnknownProxy(configuration.onUnknownProxy)
        let allCounters = (0..<configuration.threads).map { _ in ServerCounters(routes: configuration.routes) }
        var running: [any EventLoop] = []
        var loops: [Loop] = []
        for number in 0..<configuration.threads {
            let loop: any EventLoop
            do throws(SystemError) {
                loop = try configuration.eventLoop.makeLoop(named: "waymark-loop-\(number)")
            } catch {
                for loop in running { loop.stop {} }
                throw .eventLoop(error)
            }
            running.append(loop)
            let counters = allCounters[number]
            let descriptors = sockets.takeShare()
            let outcome = await withCheckedContinuation { continuation in
                loop.execute {
                    let worker = Worker(
                        loop: loop, number: number, configuration: configuration, connectionLimiter: connectionLimiter,
                        inFlightLimiter: inFlightLimiter, counters: counters, unknownProxy: unknownProxy,
                        handler: makeHandler())
                    continuation.resume(returning: worker.listen(descriptors))
                }
            }
            switch outcome {
            case .success(let worker): loops.append(Loop(loop: loop, worker: worker))
            case .failure(let error):
                for loop in running { loop.stop {} }
                throw .eventLoop(error)
            }
        }
        let probe = LoopProbe(loops.map { ($0.loop, $0.worker) }, every: configuration.probeInterval)
        return Server(
            listeners: listeners, unbound: sockets.unbound, loops: loops, counters: allCounters,
            limits: configuration.limits, probe: probe, files: sockets.takeFiles())
    }

    /// The current counters of all loops together.
    package var statistics: ServerStatistics {
        var statistics = ServerStatistics()
        for counters in counters { statistics.add(counters) }
        return statistics
    }

    /// Calls `completion` once every loop has reached its next turn: a heartbeat for watchdogs. Never called if a
    /// loop hangs or has ended.
    ///
    /// - Parameter each: called on each loop.
    package func touchLoops(
        _ each: @escaping @Sendable () -> Void = {}, _ completion: @escaping @Sendable () -> Void
    ) {
        touch(loops[...], each, completion)
    }

    private func touch(
        _ rest: ArraySlice<Loop>, _ each: @escaping @Sendable () -> Void, _ completion: @escaping @Sendable () -> Void
    ) {
        guard let loop = rest.first else { return completion() }
        loop.loop.execute {
            each()
            self.touch(rest.dropFirst(), each, completion)
        }
    }

    /// The connections' current states, collected from each loop. Empty when the server has been drained.
    package func connectionStates() async -> ConnectionStateCounts {
        var connectionStates = ConnectionStateCounts()
        for loop in loops {
            if let part = await ask(loop, { $0.connectionStates }) { connectionStates.add(part) }
        }
        return connectionStates
    }

    /// Applies new limits: sizes of request heads to new connections only, everything else also to open ones, except
    /// for deadlines that are already running.
    package func use(_ limits: ServerLimits) {
        self.limits.withLock { $0 = limits }
        for loop in loops { loop.loop.execute { loop.worker.use(limits) } }
    }

    /// Closes all connections at once, in whatever state; for callers that can't wait for a drain to end. Returns
    /// their number.
    package func closeAll() async -> Int {
        var cut = 0
        for loop in loops { cut += await ask(loop) { $0.closeAll() } ?? 0 }
        return cut
    }

    /// Nil if the loop has stopped.
    private func ask<Value: Sendable>(_ loop: Loop, _ question: @escaping @Sendable (Worker) -> Value) async -> Value? {
        await withCheckedContinuation { continuation in
            let answer = LoopReply(continuation)
            loop.loop.execute { answer.give(question(loop.worker)) }
        }
    }

    /// Stops accepting, answers in-flight requests with `Connection: close`, closes idle connections, cuts off the
    /// rest after `ServerLimits.shutdownGrace`, and ends the loops. Returns when all that is done; may be called
    /// repeatedly.
    package func drain() async {
        let task = drainTask.withLock { task in
            let running = task ?? Task { await self.drainLoops() }
            task = running
            return running
        }
        await task.value
    }

    private func drainLoops() async {
        // Before the listeners close: clients that connect to a file without a listener would wait.
        for file in files { file.remove() }
        probe.stop()
        await withTaskGroup { group in
            for loop in loops {
                group.addTask { await self.drain(loop) }
            }
        }
    }

    private func drain(_ loop: Loop) async {
        await withCheckedContinuation { continuation in
            loop.loop.execute {
                loop.worker.drain { continuation.resume() }
            }
            let grace = Deadlines(limits.withLock(\.self)).shutdownGrace
            DispatchQueue.global().asyncAfter(deadline: .now() + .milliseconds(Int(grace))) {
                loop.loop.execute { _ = loop.worker.closeAll() }
            }
        }
        await withCheckedContinuation { continuation in
            loop.loop.stop { continuation.resume() }
        }
    }
}

/// Why a server could not start. The description is one line for the operator.
package enum ServerError: Error, Sendable, CustomStringConvertible {
    case bind(BindError)
    /// The system has no thread or descriptor left for an event loop.
    case eventLoop(SystemError)

    package var description: String {
        switch self {
        case .bind(let error): error.description
        case .eventLoop(let error): "cannot start an event loop: \(error)"
        }
    }
}
