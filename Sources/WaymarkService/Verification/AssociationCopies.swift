import Synchronization
import WaymarkClient
package import WaymarkStores

/// An association file as others get it, on which it depends whether a link opens its app.
package struct AssociationCopy: Sendable {
    /// Who gives the file; the raw values are labels of metrics.
    package enum Source: String, Sendable, CaseIterable {
        /// The host itself, over the network: a proxy may give another one than this server.
        case host
        /// Apple's CDN, from which devices get theirs.
        case apple
        /// Google's Digital Asset Links API, which Android asks.
        case google
    }

    package typealias Fault = (code: VerificationFinding.Code, message: String)

    package var source: Source
    package var visitor: VerificationFinding.Visitor
    package var url: String
    /// What is wrong with an answer whose status is below 500; nil if nothing is, or if it does not say.
    package var fault: @Sendable (_ status: Int, _ body: [UInt8]) -> Fault?

    package init(
        _ source: Source, as visitor: VerificationFinding.Visitor, _ url: String,
        fault: @escaping @Sendable (_ status: Int, _ body: [UInt8]) -> Fault?
    ) {
        self.source = source
        self.visitor = visitor
        self.url = url
        self.fault = fault
    }
}

/// Asks for association files. A service that can't be reached changes no link's state.
final class AssociationCopies: Sendable {
    enum Look: Equatable {
        case good
        case finding(VerificationFinding)
        /// There is no answer.
        case silence
    }

    private enum Answer: Sendable {
        case file(status: Int, body: [UInt8])
        /// The host can't be reached, or fails.
        case nothing
        /// It takes longer than the caller waits, or the host asks for fewer requests.
        case late
    }

    /// Milliseconds for which a host that can't be reached is not asked again.
    private static let absence: Int64 = 600_000
    /// As much as devices read, and a byte by which more is seen.
    private static let bodyLimit = 131_073
    /// Answers that are remembered; beyond that all are forgotten.
    private static let limit = 200

    private let sender: PoliteSender
    private let metrics: VerificationMetrics
    private let now: @Sendable () -> Int64
    private let requests: SharedRequests<Answer>
    /// Until when hosts are left alone.
    private let absent = Mutex<[String: Int64]>([:])

    init(
        _ settings: VerificationSettings, _ sender: PoliteSender, metrics: VerificationMetrics,
        now: @escaping @Sendable () -> Int64
    ) {
        self.sender = sender
        self.metrics = metrics
        self.now = now
        requests = SharedRequests(limit: Self.limit, settings, now: now) { answer in
            switch answer {
            case .file: settings.validity
            case .nothing: min(settings.validity, Self.absence)
            case .late: 0
            }
        }
    }

    /// - Parameters:
    ///   - walkStart: when the caller's walk began.
    ///   - end: when the caller stops waiting.
    ///   - isFresh: does not use what was asked before. A service that could not be reached is left alone all the same, so that
    ///     it does not use up the caller's time.
    func look(
        at copy: AssociationCopy, since walkStart: Int64, until end: Int64, isFresh: Bool
    ) async -> Look {
        let ignoresAbsence = isFresh && copy.source == .host
        let answer = await requests.answer(to: copy.url, since: walkStart, until: end, isFresh: isFresh) {
            await self.ask(copy.url, until: end, ignoresAbsence: ignoresAbsence)
        }
        var file: (status: Int, body: [UInt8])?
        if case .file(let status, let body) = answer { file = (status, body) }
        metrics.copies.withLock { $0[.init(source: copy.source, isKnown: file != nil), default: 0] += 1 }
        guard let file else { return .silence }
        guard let fault = copy.fault(file.status, file.body) else { return .good }
        return .finding(VerificationFinding(fault.code, as: copy.visitor, fault.message, url: copy.url))
    }

    /// Ends waits between requests.
    func cancel() { requests.cancel() }

    private func ask(_ url: String, until end: Int64, ignoresAbsence: Bool) async -> Answer {
        guard let target = HTTPTarget(url) else { return .nothing }
        for attempt in 0..<PoliteSender.tries {
            guard ignoresAbsence || !isAbsent(target.authority) else { return .nothing }
            guard await sender.waitForTry(attempt, until: end) else { return .late }
            switch await sender.send(url, to: target, bodyLimit: Self.bodyLimit, until: end) {
            case .late, .paused: return .late
            case .response(let response) where response.status == 429: return .late
            case .response(let response):
                guard response.status < 500 else { continue }
                return response.isCutOff ? .nothing : .file(status: response.status, body: response.body)
            case .failure(let failure):
                guard failure.isEndOfConnection else {
                    leave(target.authority)
                    return .nothing
                }
            }
        }
        return .nothing
    }

    private func isAbsent(_ host: String) -> Bool {
        let time = now()
        return absent.withLock { $0[host].map { $0 > time } == true }
    }

    private func leave(_ host: String) {
        let end = now() + Self.absence
        absent.withLock { absent in
            if absent.count >= Self.limit { absent = [:] }
            absent[host] = end
        }
    }
}
