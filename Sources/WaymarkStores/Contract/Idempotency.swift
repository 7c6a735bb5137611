package import WaymarkLinks

/// Ties a write to an `Idempotency-Key`.
package struct Idempotency<Outcome: Sendable>: Sendable {
    /// A digest of API key, endpoint and idempotency key.
    package var scope: [UInt8]
    /// A digest of the body as parsed JSON.
    package var fingerprint: [UInt8]
    package var now: Timestamp
    package var expiresAt: Timestamp
    /// The answer to keep, made inside the transaction; nil keeps none (an answer that is no success).
    package var answer: @Sendable (Outcome) -> [UInt8]?

    package init(
        scope: [UInt8], fingerprint: [UInt8], now: Timestamp, expiresAt: Timestamp,
        answer: @escaping @Sendable (Outcome) -> [UInt8]?
    ) {
        self.scope = scope
        self.fingerprint = fingerprint
        self.now = now
        self.expiresAt = expiresAt
        self.answer = answer
    }
}

/// A write's outcome, or the kept answer of an earlier request with the same idempotency key.
package enum Replayable<Outcome: Sendable>: Sendable {
    case done(Outcome)
    case replay([UInt8])
    /// The same key came with another body.
    case mismatch
}

extension Replayable: Equatable where Outcome: Equatable {}

/// Ties a redeem to an `Idempotency-Key`: the record holds link and redeem number, never metadata.
package struct RedeemIdempotency: Sendable {
    package var scope: [UInt8]
    package var fingerprint: [UInt8]
    package var expiresAt: Timestamp
    /// Whether a refusal past the redeem limit is stored, too. If not, the same request may redeem once the limit is raised.
    package var storesExhausted: Bool

    package init(scope: [UInt8], fingerprint: [UInt8], expiresAt: Timestamp, storesExhausted: Bool = true) {
        self.scope = scope
        self.fingerprint = fingerprint
        self.expiresAt = expiresAt
        self.storesExhausted = storesExhausted
    }

    package func stores(_ redeem: Redeem) -> Bool { storesExhausted || redeem.status != .exhausted }
}
