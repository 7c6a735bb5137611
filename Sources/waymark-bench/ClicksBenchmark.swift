import ArgumentParser
import Foundation
import Logging
import WaymarkLinks
import WaymarkSQLite
import WaymarkService
import WaymarkSockets

/// The way of clicks from an event loop's ring to the database: gathered, added up, packed, written down.
struct ClicksBenchmark: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "clicks", abstract: "Record clicks, gather them, and write down their numbers and records.",
        discussion: "Clicks come at random to the links, a second's and five seconds' worth as with 100,000 a second.")

    @Option(name: .long, help: "How many links are clicked.") var links = 10_000
    @Option(name: .long, help: "Turns in which records are written down.") var turns = 1
    @Option(name: .long, help: "Clicks between two writings of numbers.") var clicks = 100_000
    @Option(name: .long, help: "Writings of numbers in a turn.") var seconds = 5
    @Flag(name: .long, help: "All visitors have the same browser and come from nowhere.") var alike = false

    /// What loops leave in their rings before they wake who empties them.
    private static let ringful = 2_000

    func validate() throws {
        guard links > 0, turns > 0, clicks > 0, seconds > 0 else { throw ValidationError("all numbers: at least 1") }
    }

    mutating func run() async throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("waymark-bench-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let store = try SQLiteLinkStore(path: folder.appendingPathComponent("clicks.db").path)
        try await LinksBenchmark.addApplication(to: store)
        let generator = LinkGenerator(seed: 1)
        for first in stride(from: 0, to: links, by: 2_000) {
            let drafts = (first..<min(links, first + 2_000)).compactMap { generator.link($0) }
            _ = try await store.create(drafts, idempotency: nil)
        }
        let service = LinkService(
            store: store, configuration: ServiceConfiguration(), dependencies: BenchmarkSite.dependencies,
            readApplication: { _ in nil }, logger: Logger(label: "bench") { _ in SwiftLogNoOpLogHandler() })
        let buffer = service.clicks.makeBuffer()
        var visitors = Visitors(links: links, areAlike: alike)
        // Makes the tables of the size that they have from then on.
        _ = try await turn(service, buffer, &visitors)
        waymarkBenchMark()
        for _ in 0..<turns { print(try await turn(service, buffer, &visitors)) }
        waymarkBenchMark()
        await service.stop()
        await store.close()
    }

    /// - Returns: what it took, in nanoseconds for each click.
    private func turn(
        _ service: LinkService, _ buffer: ClickBuffer, _ visitors: inout Visitors
    ) async throws -> String {
        var gathering = Duration.zero
        var counting = Duration.zero
        for _ in 0..<seconds {
            for first in stride(from: 0, to: clicks, by: Self.ringful) {
                for _ in first..<min(clicks, first + Self.ringful) { buffer.record(visitors.next()) }
                gathering += ContinuousClock().measure { service.clicks.gather() }
            }
            let begun = ContinuousClock.now
            try await service.clicks.flush()
            counting += .now - begun
        }
        let begun = ContinuousClock.now
        try await service.flushRecords()
        let recording = .now - begun
        let count = clicks * seconds
        return """
            clicks \(count) gathering-ns \(gathering.nanoseconds / count) counting-ns \(counting.nanoseconds / count) \
            recording-ns \(recording.nanoseconds / count) dropped \(service.clicks.dropped)
            """
    }

    /// Who clicks. Not the command itself, because its options are looked up with each use.
    private struct Visitors {
        private let links: Int
        private let areAlike: Bool
        private var random = UInt64(7)
        private let kinds = [Variant.desktop, Variant.android, Variant.iPhone].map { UserAgent.classify($0) }
        private let referrerHosts = (0..<20).map { Click.Name("news\($0).example.com") }

        init(links: Int, areAlike: Bool) {
            self.links = links
            self.areAlike = areAlike
        }

        mutating func next() -> Click {
            random = LinkGenerator.mixed(random)
            return Click(
                link: LinkID(rawValue: Int64(random % UInt64(links)) + 1),
                time: Timestamp(rawValue: WallClock.recentMilliseconds()),
                kind: kinds[areAlike ? 0 : Int(random >> 32) % kinds.count], destination: .web,
                referrerHost: areAlike ? nil : referrerHosts[Int(random >> 36) % referrerHosts.count],
                subscriber: random >> 32)
        }
    }
}
