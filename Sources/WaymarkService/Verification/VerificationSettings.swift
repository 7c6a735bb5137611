package import Synchronization
package import WaymarkClient
package import WaymarkStores

/// How links are verified.
package struct VerificationSettings: Sendable {
    /// Whether all links are walked in rounds; if not, links are walked on request only.
    package var hasRounds = true
    /// Milliseconds from the start of a round to that of the next.
    package var interval: Int64 = 24 * 3_600_000
    /// Milliseconds between two requests to a host.
    package var hostInterval: Int64 = 1_000
    /// Milliseconds between the two walks that a fault needs.
    package var secondLook: Int64 = 3_600_000
    /// Asks destinations: by the rule of addresses, also over plain http, with a User-Agent that names the verifier.
    package var client: any HTTPSending

    /// Waits that many milliseconds; ends at once where the task is cancelled.
    package var pause: @Sendable (_ milliseconds: Int64) async -> Void = {
        try? await Task.sleep(for: .milliseconds($0))
    }

    /// Ends the wait of a caller for a request that others have begun, after that many milliseconds; ends at once where the task
    /// is cancelled.
    package var timer: @Sendable (_ milliseconds: Int64) async -> Void = {
        try? await Task.sleep(for: .milliseconds($0))
    }

    package init(client: any HTTPSending) { self.client = client }

    /// Milliseconds for which an answer holds for other walks: a second look begins later than that after the first.
    var validity: Int64 { min(secondLook, interval) / 2 }
}

/// Counts since the server started, and the states of links.
package final class VerificationMetrics: Sendable {
    package let walks = Atomic<Int>(0)
    package let requests = Atomic<Int>(0)
    package struct Copies: Hashable, Sendable {
        package var source: AssociationCopy.Source
        /// Whether there was an answer.
        package var isKnown: Bool

        package init(source: AssociationCopy.Source, isKnown: Bool) {
            self.source = source
            self.isKnown = isKnown
        }
    }
    /// Looks at association files as others get them.
    package let copies = Mutex<[Copies: Int]>([:])
    /// Empty at servers that do not verify.
    package let counts = Mutex(VerificationCounts())
    /// How long the next round has been due, in seconds, while one runs or waits; 0 else.
    package let lag = Atomic<Int>(0)
}
