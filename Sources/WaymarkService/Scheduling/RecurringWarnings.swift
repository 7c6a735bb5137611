package import Logging
import Synchronization

/// Logs a recurring problem once, and once more when it is over.
package final class RecurringWarnings: Sendable {
    package enum Subject: Hashable, Sendable {
        case clicks, records, registry, purge, clock, retention, indexes, summaries, totals, unreadableApplications
        case unreadableLinks, earlierClicks, spool, dropped, weeklyReport, shipping, counters, shippedReports
        case associationFiles
    }

    private struct Problem {
        /// What was logged last; nil: nothing, because it came soon after an earlier one.
        var kind: String?
        var isOpen = true
        /// Of the last line.
        var loggedAt: ContinuousClock.Instant?
    }

    private let logger: Logger
    /// How long after a warning another one about the same subject is left out, for problems that come and go.
    private let quiet: Duration
    private let now: @Sendable () -> ContinuousClock.Instant
    private let problems = Mutex<[Subject: Problem]>([:])

    package init(
        _ logger: Logger, quietFor quiet: Duration = .zero,
        now: @escaping @Sendable () -> ContinuousClock.Instant = { .now }
    ) {
        self.logger = logger
        self.quiet = quiet
        self.now = now
    }

    /// - Parameter kind: Another kind of the same problem is logged, too.
    package func raise(_ subject: Subject, kind: String = "", _ sentence: @autoclosure () -> String) {
        let now = now()
        let isNew = problems.withLock { problems in
            var problem = problems[subject] ?? Problem()
            problem.isOpen = true
            defer { problems[subject] = problem }
            guard problem.kind != kind else { return false }
            if let last = problem.loggedAt, now - last < quiet { return false }
            problem.kind = kind
            problem.loggedAt = now
            return true
        }
        if isNew { logger.warning("\(sentence())") }
    }

    package func settle(_ subject: Subject, _ sentence: @autoclosure () -> String) {
        let wasLogged = problems.withLock { problems in
            guard let problem = problems[subject], problem.isOpen else { return false }
            problems[subject]?.isOpen = false
            problems[subject]?.kind = nil
            return problem.kind != nil
        }
        if wasLogged { logger.notice("\(sentence())") }
    }
}
