import Foundation
import WaymarkClient
import WaymarkStores

/// Asks destinations whether they answer: HEAD, then GET where HEAD is refused.
final class DestinationAnswers: Sendable {
    /// What a destination's answer means for links to it.
    struct Finding: Sendable, Equatable {
        var code: VerificationFinding.Code
        var message: String
        var url: String
        /// There is no answer: it takes longer than the caller waits.
        var isLate = false
    }

    private static let hops = 10
    /// Answers that are remembered; beyond that all are forgotten.
    private static let cacheLimit = 20_000

    private let sender: PoliteSender
    private let robots: RobotsFiles
    private let requests: SharedRequests<Finding?>

    init(_ settings: VerificationSettings, _ sender: PoliteSender, now: @escaping @Sendable () -> Int64) {
        self.sender = sender
        robots = RobotsFiles(settings, sender, now: now)
        requests = SharedRequests(limit: Self.cacheLimit, settings, now: now) { finding in
            // Another link may have more time.
            finding?.code == .rateLimited ? 0 : settings.validity
        }
    }

    /// Nil if the destination answers well.
    ///
    /// - Parameters:
    ///   - walkStart: when the caller's walk began.
    ///   - end: when the caller stops waiting.
    ///   - isFresh: does not use what was asked before.
    func finding(_ url: String, since walkStart: Int64, until end: Int64, isFresh: Bool) async -> Finding? {
        // Equal destinations are asked once, also while the answer is awaited.
        let answer = await requests.answer(to: url, since: walkStart, until: end, isFresh: isFresh) {
            await self.follow(url, since: walkStart, until: end, isFresh: isFresh)
        }
        guard let answer else {
            let host = HTTPTarget(url)?.authority ?? url
            return Finding(
                code: .rateLimited, message: "there was no time to wait for \(host)", url: url, isLate: true)
        }
        return answer
    }

    /// Ends waits between requests.
    func cancel() {
        requests.cancel()
        robots.cancel()
    }

    private func follow(
        _ start: String, since walkStart: Int64, until end: Int64, isFresh: Bool
    ) async -> Finding? {
        var url = start
        var seen: Set<String> = []
        while true {
            guard seen.insert(url).inserted else {
                return Finding(code: .redirectLoop, message: "\(start) redirects in a circle", url: start)
            }
            guard seen.count <= Self.hops else {
                return Finding(
                    code: .redirectLoop, message: "\(start) redirects more than \(Self.hops) times", url: start)
            }
            switch await answer(url, of: start, since: walkStart, until: end, isFresh: isFresh) {
            case .good: return nil
            case .finding(let finding): return finding
            case .redirect(let location):
                guard let next = URL(string: location, relativeTo: URL(string: url))?.absoluteURL,
                    HTTPTarget(next.absoluteString) != nil
                else {
                    // To an app or a shop: nothing to ask.
                    let hasScheme = URL(string: location)?.scheme != nil
                    return hasScheme
                        ? nil : Finding(code: .redirectTarget, message: "\(url) redirects to no URL", url: start)
                }
                url = String(next.absoluteString.prefix { $0 != "#" })
            }
        }
    }

    private enum Answer {
        case good
        case redirect(String)
        case finding(Finding)
    }

    private func answer(
        _ url: String, of start: String, since walkStart: Int64, until end: Int64, isFresh: Bool
    ) async -> Answer {
        func found(_ code: VerificationFinding.Code, _ message: String, isLate: Bool = false) -> Answer {
            .finding(Finding(code: code, message: message, url: start, isLate: isLate))
        }
        guard let target = HTTPTarget(url) else { return found(.redirectTarget, "\(url) is not a URL") }
        var reading = await robots.rules(of: target, since: walkStart, until: end)
        // The owner may have let the verifier in since it was read.
        if isFresh, case .rules(let rules) = reading, !rules.allows(target.path) {
            reading = await robots.rules(of: target, since: walkStart, until: end, isFresh: true)
        }
        switch reading {
        case .rules(let rules) where !rules.allows(target.path):
            return found(.robots, "the robots.txt of \(target.authority) does not let \(url) be asked")
        case .rules, .unreachable: break
        case .failing: return found(.rateLimited, "the robots.txt of \(target.authority) could not be read")
        case .late: return found(.rateLimited, "\(target.authority) gets one request after the other", isLate: true)
        }
        var last: Answer?
        for attempt in 0..<PoliteSender.tries {
            guard await sender.waitForTry(attempt, until: end) else { break }
            var outcome = await sender.send(url, "HEAD", to: target, until: end)
            // Some servers refuse HEAD, end the connection, or give the Location with GET only.
            let needsGet =
                switch outcome {
                case .response(let response): response.status >= 400 && response.status != 429 || response.lacksLocation
                case .failure(let failure): failure.isEndOfConnection
                case .late, .paused: false
                }
            if needsGet { outcome = await sender.send(url, "GET", to: target, until: end) }
            switch outcome {
            case .late:
                return last ?? found(.rateLimited, "\(target.authority) gets one request after the other", isLate: true)
            case .paused: return last ?? found(.rateLimited, "\(target.authority) asks for fewer requests")
            case .response(let response):
                if (300..<400).contains(response.status), let location = response["Location"] {
                    return .redirect(location)
                }
                if response.lacksLocation {
                    return found(.redirectTarget, "\(url) answered \(response.status) without Location")
                }
                if response.status < 400 { return .good }
                if response.status == 429 || response.status == 503 && response.retryAfter != nil {
                    return found(.rateLimited, "\(url) answered \(response.status) and asks to wait")
                }
                let status = found(.httpStatus, "\(url) answered \(response.status)")
                // Only failures of the server pass by themselves.
                if response.status < 500 { return status }
                last = status
            case .failure(let failure):
                switch failure {
                case .url: return found(.redirectTarget, "\(url) is not a URL")
                case .address: return found(.forbiddenAddress, failure.sentence)
                case _ where failure.isOfEncryption: last = found(.tlsCertificate, failure.sentence)
                default: last = found(.unreachable, failure.sentence)
                }
            }
        }
        return last ?? found(.rateLimited, "there was no time to ask \(target.authority)")
    }
}

extension HTTPResponse {
    /// Whether it redirects to no URL. 300 may offer choices in its body, and 304 is no redirect (RFC 9110 section 15.4).
    fileprivate var lacksLocation: Bool { [301, 302, 303, 307, 308].contains(status) && self["Location"] == nil }
}
