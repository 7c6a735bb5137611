/// How much somebody may ask for: a bucket that holds `burst` tokens and gets `perMinute` new ones a minute.
package struct RateLimit: Sendable, Equatable {
    /// What both numbers may be.
    package static let range = 1...1_000_000

    package let perMinute: Int
    package let burst: Int

    /// Nil where a number is out of range.
    package init?(perMinute: Int, burst: Int) {
        guard Self.range.contains(perMinute), Self.range.contains(burst) else { return nil }
        self.perMinute = perMinute
        self.burst = burst
    }

    /// Microseconds until the next token comes.
    var interval: Int64 { 60_000_000 / Int64(perMinute) }
    /// Microseconds that an empty bucket needs for all tokens but one.
    var tolerance: Int64 { Int64(burst - 1) * interval }
}

/// Whether there was a token.
package enum RateLimitOutcome: Sendable, Equatable {
    case admitted
    /// - Parameter retryAfter: whole seconds, at least 1, until there is one.
    case refused(retryAfter: Int)
}
