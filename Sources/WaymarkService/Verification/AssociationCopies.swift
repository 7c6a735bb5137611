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
    private struct Answer: Sendable {
        var status: Int
        var body: [UInt8]
    }

    /// Milliseconds for which a host that can't be reached is not asked again.
    private static let absence: Int64 = 600_000
    /// As much as devices read, and a byte by which more is seen.
    private static let bodyLimit = 131_073
    /// Answers that are remembered; beyond that all are forgotten.
    private static let limit = 200

    private struct State {
        var known: [String: (asking: Task<Answer?, Never>, at: Int64)] = [:]
        /// Until when hosts are left alone.
        var absent: [String: Int64] = [:]
    }

    private let validity: Int64
    private let sender: PoliteSender
    private let metrics: VerificationMetrics
    private let now: @Sendable () -> Int64
    private let state = Mutex(State())

    init(
        _ settings: VerificationSettings, _ sender: PoliteSender, metrics: VerificationMetrics,
        now: @escaping @Sendable () -> Int64
    ) {
        validity = settings.validity
        self.sender = sender
        self.metrics = metrics
        self.now = now
    }

    /// - Parameter end: when the caller stops waiting.
    func finding(_ copy: AssociationCopy, until end: Int64) async -> VerificationFinding? {
        let answer = await answer(copy.url, until: end)
        metrics.copies.withLock { $0[.init(source: copy.source, isKnown: answer != nil), default: 0] += 1 }
        guard let answer, let fault = copy.fault(answer.status, answer.body) else { return nil }
        return VerificationFinding(fault.code, as: copy.visitor, fault.message, url: copy.url)
    }

    /// Ends waits between requests.
    func cancel() { state.withLock { for (asking, _) in $0.known.values { asking.cancel() } } }

    private func answer(_ url: String, until end: Int64) async -> Answer? {
        let time = now()
        let asking = state.withLock { state in
            if let hit = state.known[url], time - hit.at < validity, hit.at <= time { return hit.asking }
            if state.known.count >= Self.limit { state.known = [:] }
            let asking = Task(priority: .background) { await self.ask(url, until: end) }
            state.known[url] = (asking, time)
            return asking
        }
        return await asking.value
    }

    /// Nil if there is no answer that says anything.
    private func ask(_ url: String, until end: Int64) async -> Answer? {
        guard let target = HTTPTarget(url) else { return nil }
        for attempt in 0..<PoliteSender.tries {
            guard !isAbsent(target.authority), await sender.waitForTry(attempt, until: end) else { return nil }
            switch await sender.send(url, to: target, bodyLimit: Self.bodyLimit, until: end) {
            case .late, .paused: return nil
            case .response(let response) where response.status == 429: return nil
            case .response(let response):
                guard response.status < 500 else { continue }
                return response.isCutOff ? nil : Answer(status: response.status, body: response.body)
            case .failure(let failure):
                guard failure.isEndOfConnection else {
                    leave(target.authority)
                    return nil
                }
            }
        }
        return nil
    }

    private func isAbsent(_ host: String) -> Bool {
        let time = now()
        return state.withLock { $0.absent[host].map { $0 > time } == true }
    }

    private func leave(_ host: String) {
        let end = now() + Self.absence
        state.withLock { state in
            if state.absent.count >= Self.limit { state.absent = [:] }
            state.absent[host] = end
        }
    }
}
