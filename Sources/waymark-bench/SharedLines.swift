import ArgumentParser
import Foundation
import Synchronization
import WaymarkHTTP
import WaymarkLinks
import WaymarkServer
import WaymarkService
import WaymarkSite
import WaymarkSockets

/// Visits through the handlers of two event loops, one after the other on one thread, for Scripts/check-shared-lines, which
/// records the memory that each of them touches. A visit must write nothing that another loop reads: on machines with many cores,
/// waiting for each other's cache lines costs more than the visit.
struct SharedLines: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "lines",
        abstract: "Let two event loops answer the same visits, for a library that records the memory they touch.")

    @Flag(name: .long, help: "Both loops add to one counter: something to be found.") var plant = false

    private static let kinds = [
        "redirect", "redirect-browser", "redirect-query", "redirect-rules", "redirect-android",
        "redirect-android-query",
        "page-iphone", "page-iphone-query", "long-link",
    ]

    private static let byCountry = Variant(
        name: "redirect-country", status: 302,
        creation: Variant.creation(
            of: "c", more: #""rules": [{"when": {"country": ["DE"]}, "to": "https://de.example.com/"}]"#)
    ) { Variant.follow("/c\($0)") }

    /// The functions of the library that is preloaded.
    private typealias Record =
        @convention(c) (Int32, @convention(c) (UnsafeMutableRawPointer?) -> Void, UnsafeMutableRawPointer?) -> Void
    private typealias Report = @convention(c) (UnsafePointer<CChar>) -> Int32

    mutating func run() async throws {
        // unsafe because C functions are looked up by name; the library of the script has them with these types.
        guard let record = unsafe dlsym(nil, "waymark_lines_record"),
            let report = unsafe dlsym(nil, "waymark_lines_report")
        else { throw ValidationError("run it by Scripts/check-shared-lines") }
        let (recordLines, reportLines) = unsafe (
            unsafeBitCast(record, to: Record.self), unsafeBitCast(report, to: Report.self)
        )
        let bench = try await BenchmarkSite(eventLoop: .standard)
        guard let address = bench.plain.listeners.first?.address else { return }
        bench.service.countries.use { _ in CountryCode(UInt8(ascii: "D"), UInt8(ascii: "E")) }
        let variants = Variant.all.filter { Self.kinds.contains($0.name) } + [Self.byCountry]
        for creation in [Variant.creation] + variants.compactMap(\.creation) {
            try Client(port: address.port).exchange(creation, answers: 1, status: 200)
        }
        try await bench.serveLongLinks()
        // From here on there is one thread that does anything.
        await bench.plain.drain()
        await bench.logging.drain()
        let counter = plant ? PlantedCounter() : nil
        var shared: Int32 = 0
        for variant in variants {
            let loops = try (0..<2).map { _ in try Loop(bench.site, variant, counter) }
            for loop in loops { try await loop.warmUp() }
            // unsafe because a loop is passed through C; it lives until the calls have returned.
            for (number, loop) in loops.enumerated() {
                unsafe recordLines(Int32(number), { unsafe Loop.visit($0) }, Unmanaged.passUnretained(loop).toOpaque())
            }
            shared += unsafe variant.name.withCString { unsafe reportLines($0) }
        }
        await bench.service.stop()
        guard shared == 0 else { throw ExitCode.failure }
    }

    private final class PlantedCounter: Sendable {
        let visits = Atomic<Int>(0)
    }

    /// What an event loop has of its own.
    private final class Loop {
        private let handler: any RequestHandler
        private let requests: [[UInt8]]
        private let head = RequestHead()
        private let peer: Peer
        private let sent = ByteBuffer(capacity: 1 << 16)
        private let counter: PlantedCounter?
        private let date = DateLine(unixSeconds: 0)
        private var cached = 0

        init(_ site: Site, _ variant: Variant, _ counter: PlantedCounter?) throws {
            guard let peer = Peer(addressText: "127.0.0.1", role: .public) else {
                throw BenchmarkSite.Failure(description: "no peer")
            }
            self.peer = peer
            handler = site.makeHandler()
            requests = (0..<8).map { variant.request($0) }
            self.counter = counter
        }

        /// A response is cached with the first or the second visit; some are looked at by the third.
        func warmUp() async throws {
            for _ in 0..<4 {
                for request in requests { await decide(request) }
            }
            cached = 0
            visitAll()
            guard cached == requests.count else {
                throw BenchmarkSite.Failure(description: "\(cached) of \(requests.count) responses are cached")
            }
        }

        private func decide(_ request: [UInt8]) async {
            var parser = RequestParser()
            // unsafe because the response is borrowed; it is only compared with nil.
            guard case .head = parser.parse(request.span, into: head),
                unsafe handler.cachedResponse(to: head, in: request.span, from: peer) == nil
            else { return }
            if case .later(_, let work) = handler.respond(to: head, in: request.span, from: peer) { _ = await work() }
        }

        static func visit(_ loop: UnsafeMutableRawPointer?) {
            // unsafe because the caller holds the loop meanwhile.
            guard let loop = unsafe loop else { return }
            unsafe Unmanaged<Loop>.fromOpaque(loop).takeUnretainedValue().visitAll()
        }

        private func visitAll() {
            for request in requests {
                let bytes = request.span
                var parser = RequestParser()
                guard case .head = parser.parse(bytes, into: head) else { continue }
                counter?.visits.wrappingAdd(1, ordering: .relaxed)
                sent.removeAll()
                // unsafe because the reference is not counted; the handler keeps the response until its next call.
                if let ready = unsafe handler.cachedResponse(to: head, in: bytes, from: peer) {
                    unsafe ready._withUnsafeGuaranteedRef {
                        $0.append(to: sent, date: date, persistence: .implied)
                        if $0.bodyCount > 0 { $0.appendBody(to: sent) }
                    }
                    cached += 1
                }
            }
        }
    }
}
