import Logging
import Synchronization

/// Logs a recurring problem once, and once more when it is over.
final class RecurringWarnings: Sendable {
    enum Subject: Hashable, Sendable {
        case clicks, records, registry, purge, clock, retention, indexes, summaries, totals, unreadableApplications
        case unreadableLinks, earlierClicks, spool, dropped, weeklyReport
    }

    private let logger: Logger
    private let open = Mutex<Set<Subject>>([])

    init(_ logger: Logger) { self.logger = logger }

    func raise(_ subject: Subject, _ sentence: @autoclosure () -> String) {
        guard open.withLock({ $0.insert(subject).inserted }) else { return }
        logger.warning("\(sentence())")
    }

    func settle(_ subject: Subject, _ sentence: @autoclosure () -> String) {
        guard open.withLock({ $0.remove(subject) }) != nil else { return }
        logger.notice("\(sentence())")
    }
}
