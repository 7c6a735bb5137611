import ArgumentParser
import Foundation
import Synchronization
import WaymarkServer
import WaymarkSockets

/// Asks the service in this process for each kind of request, one phase after the other, for a tool that counts what that
/// costs. Scripts/count runs it under callgrind, which writes down its counts whenever `waymark_bench_mark` is called.
struct Benchmark: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "requests",
        abstract: "Send requests of each kind to a service in this process, in phases that a profiler can tell apart.",
        discussion: "Kinds: \(Variant.all.map(\.name).joined(separator: ", ")).")

    @Option(name: .long, help: "Requests in a phase.")
    var requests = 2_000

    @Option(name: .long, help: "epoll or dispatch.")
    var eventLoop = EventLoopKind.standard.rawValue

    @Option(name: .long, help: "Event loops of the server; with more than one, all at once are counted.")
    var loops = 1

    @Argument(help: "The kinds of requests; all of them where none is named.")
    var kinds: [String] = []

    mutating func run() async throws {
        guard let loop = EventLoopKind(rawValue: eventLoop) else {
            throw ValidationError("--event-loop: \(eventLoop) is none; give epoll or dispatch")
        }
        let variants =
            try kinds.isEmpty
            ? Variant.all
            : kinds.map { name in
                guard let variant = Variant.all.first(where: { $0.name == name }) else {
                    throw ValidationError("\(name) is no kind of request")
                }
                return variant
            }
        guard requests >= Variant.links else { throw ValidationError("--requests: at least \(Variant.links)") }
        let site = try await BenchmarkSite(eventLoop: loop)
        guard let plain = site.plain.listeners.first, let logging = site.logging.listeners.first else { return }
        try Client(port: plain.address.port).exchange(Variant.creation, answers: 1, status: 200)
        for variant in variants.filter({ !$0.isLongLink }) + variants.filter(\.isLongLink) {
            if variant.isLongLink { try await site.serveLongLinks() }
            if let creation = variant.creation {
                try Client(port: plain.address.port).exchange(creation, answers: 1, status: 200)
            }
            if loops > 1 {
                try await Self.runOnLoops(loops, variant, site, requests: requests)
                continue
            }
            let client = try Client(port: (variant.isLogged ? logging : plain).address.port)
            try await Self.run(variant, client, variant.isLogged ? site.logging : site.plain, requests: requests)
        }
        await site.stop()
    }

    private static func run(_ variant: Variant, _ client: Client, _ server: Server, requests: Int) async throws {
        // What the client sends is put together before it is counted, though on another thread.
        let step = variant.depth
        let batches = stride(from: 0, to: Variant.links, by: step).map { first in
            (first..<first + step).flatMap { variant.request($0 % Variant.links) }
        }
        func send(_ count: Int) throws {
            for number in 0..<count / step {
                try client.exchange(batches[number % batches.count], answers: step, status: variant.status)
            }
        }
        // A link enters the thread's cache with its second visit.
        try send(2 * Variant.links)
        await mark(server)
        let start = DispatchTime.now().uptimeNanoseconds
        try send(requests)
        let elapsed = DispatchTime.now().uptimeNanoseconds - start
        await mark(server)
        let count = requests / step * step
        print("\(variant.name) \(count) \(elapsed / UInt64(count))")
    }

    /// As many clients at once as there are event loops, so that each loop has about one. What is counted is what all loops
    /// did.
    private static func runOnLoops(_ count: Int, _ variant: Variant, _ site: BenchmarkSite, requests: Int) async throws
    {
        let server = try await site.startLoops(count)
        guard let address = server.listeners.first?.address else { return }
        // Unsafe because each client is used by one thread at a time: that of its number.
        nonisolated(unsafe) let clients = try (0..<count).map { _ in try Client(port: address.port) }
        let all = (0..<Variant.links).map(variant.request)
        func send(_ number: Int) throws {
            let failure = Mutex<(any Error)?>(nil)
            let group = DispatchGroup()
            for client in 0..<count {
                group.enter()
                // A thread each, because a queue runs no more at a time than there are cores.
                Thread.detachNewThread {
                    do {
                        for index in 0..<number {
                            try unsafe clients[client].exchange(
                                all[index % all.count], answers: 1, status: variant.status)
                        }
                    } catch {
                        failure.withLock { $0 = error }
                    }
                    group.leave()
                }
            }
            group.wait()
            if let failure = failure.withLock({ $0 }) { throw failure }
        }
        try send(2 * Variant.links)
        await mark(server)
        try send(requests)
        await mark(server)
        print("\(variant.name)-\(count)-loops \(requests * count) 0")
        await server.drain()
    }

    /// On each event loop's thread: callgrind writes down the counts of the thread that it meets the mark on, and of no other.
    private static func mark(_ server: Server) async {
        await withCheckedContinuation { continuation in
            server.touchLoops(waymarkBenchMark) { continuation.resume() }
        }
    }
}

/// Begins and ends a phase; does nothing. Named as it is in the program, because that is how a profiler is told of it.
@_silgen_name("waymark_bench_mark") @inline(never) @_optimize(none)
func waymarkBenchMark() {}
