import Foundation
import Synchronization
import WaymarkClient

/// The robots.txt of each origin, read once a day.
final class RobotsFiles: Sendable {
    enum Reading: Sendable {
        case rules(RobotsRules)
        /// It can't be read, which forbids all (RFC 9309 section 2.3.1.4).
        case failing
        /// Requests to the host before this one take longer than the caller waits.
        case late
    }

    /// Origins that are remembered; beyond that all are forgotten.
    private static let limit = 10_000
    /// Milliseconds for which a robots.txt holds.
    private static let validity: Int64 = 24 * 3_600_000
    /// Of a robots.txt, in bytes (RFC 9309 section 2.5 asks for at least 500 KiB).
    private static let bytes = 524_288
    /// RFC 9309 section 2.3.1.2 asks for at least five.
    private static let hops = 5

    private let sender: PoliteSender
    private let now: @Sendable () -> Int64
    private let known = Mutex<[String: (reading: Task<Reading, Never>, at: Int64)]>([:])

    init(_ sender: PoliteSender, now: @escaping @Sendable () -> Int64) {
        self.sender = sender
        self.now = now
    }

    func rules(of target: HTTPTarget, until end: Int64) async -> Reading {
        let origin = "\(target.isSecure ? "https" : "http")://\(target.authority)"
        let time = now()
        let reading = known.withLock { known in
            if let hit = known[origin], time - hit.at < Self.validity, hit.at <= time { return hit.reading }
            if known.count >= Self.limit { known = [:] }
            let reading = Task(priority: .background) { await self.read(origin, until: end) }
            known[origin] = (reading, time)
            return reading
        }
        let found = await reading.value
        // Asked again by the next walk.
        if case .rules = found { return found }
        known.withLock { $0[origin] = nil }
        return found
    }

    func cancel() { known.withLock { for (reading, _) in $0.values { reading.cancel() } } }

    /// A host without a file, or that can't be reached, forbids nothing: the destination itself then shows what is wrong.
    private func read(_ origin: String, until end: Int64) async -> Reading {
        for attempt in 0..<PoliteSender.tries {
            guard await sender.waitForTry(attempt, until: end) else { break }
            var url = origin + "/robots.txt"
            for _ in 0...Self.hops {
                guard let target = HTTPTarget(url) else { return .rules(.allowAll) }
                switch await sender.send(url, to: target, bodyLimit: Self.bytes, until: end) {
                case .late: return .late
                case .paused: return .failing
                case .failure:
                    if attempt == PoliteSender.tries - 1 { return .rules(.allowAll) }
                case .response(let response):
                    if (300..<400).contains(response.status), let location = response["Location"],
                        let next = URL(string: location, relativeTo: URL(string: url))?.absoluteURL
                    {
                        url = next.absoluteString
                        continue
                    }
                    if response.status == 429 { return .failing }
                    if response.status < 500 {
                        return .rules(response.isSuccess ? RobotsRules(response.body) : .allowAll)
                    }
                }
                break
            }
        }
        return .failing
    }
}
