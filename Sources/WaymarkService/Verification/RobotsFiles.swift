import Foundation
import WaymarkClient

/// The robots.txt of each origin, read once a day.
final class RobotsFiles: Sendable {
    enum Reading: Sendable {
        case rules(RobotsRules)
        /// The host can't be reached, which forbids nothing.
        case unreachable
        /// It can't be read, which forbids all (RFC 9309 section 2.3.1.4).
        case failing
        /// It takes longer than the caller waits.
        case late
    }

    /// Origins that are remembered; beyond that all are forgotten.
    private static let limit = 10_000
    /// Milliseconds for which a robots.txt holds.
    private static let validity: Int64 = 24 * 3_600_000
    /// Milliseconds for which a host that can't be reached is not asked again.
    private static let absence: Int64 = 600_000
    /// Of a robots.txt, in bytes (RFC 9309 section 2.5 asks for at least 500 KiB).
    private static let bytes = 524_288
    /// RFC 9309 section 2.3.1.2 asks for at least five.
    private static let hops = 5

    private let sender: PoliteSender
    private let requests: SharedRequests<Reading>

    init(_ settings: VerificationSettings, _ sender: PoliteSender, now: @escaping @Sendable () -> Int64) {
        self.sender = sender
        requests = SharedRequests(limit: Self.limit, settings, now: now) { reading in
            switch reading {
            case .rules: Self.validity
            case .unreachable: Self.absence
            // Asked again by the next walk.
            case .failing, .late: 0
            }
        }
    }

    /// - Parameters:
    ///   - walkStart: when the caller's walk began.
    ///   - end: when the caller stops waiting.
    ///   - isFresh: does not use what was read before.
    func rules(
        of target: HTTPTarget, since walkStart: Int64, until end: Int64, isFresh: Bool = false
    ) async -> Reading {
        let origin = "\(target.isSecure ? "https" : "http")://\(target.authority)"
        return await requests.answer(to: origin, since: walkStart, until: end, isFresh: isFresh) {
            await self.read(origin, until: end)
        } ?? .late
    }

    func cancel() { requests.cancel() }

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
                    if attempt == PoliteSender.tries - 1 { return .unreachable }
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
