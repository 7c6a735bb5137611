package import WaymarkLinks

/// The `Idempotency-Key` of a write.
package struct Idempotency<Outcome: Sendable>: Sendable {
    /// A digest of API key, endpoint and idempotency key.
    package var scope: [UInt8]
    /// A digest of the body as parsed JSON.
    package var fingerprint: [UInt8]
    package var now: Timestamp
    package var expiresAt: Timestamp
    /// Returns the response to store, within the transaction; nil stores none (for a response that is not a success).
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

    var key: RequestKey { RequestKey(scope: scope, fingerprint: fingerprint) }
}

/// The outcome of a write, or the stored response to an earlier request with the same idempotency key.
package enum Replayable<Outcome: Sendable>: Sendable {
    case done(Outcome)
    case replay([UInt8])
    /// The key was used with another body.
    case mismatch
}

extension Replayable: Equatable where Outcome: Equatable {}

/// The `Idempotency-Key` of a redeem: its record has the link and the redeem number, but no metadata.
package struct RedeemIdempotency: Sendable {
    package var scope: [UInt8]
    package var fingerprint: [UInt8]
    package var expiresAt: Timestamp
    /// Whether a rejection at the redeem limit is stored, too. If not, the same request may redeem once the limit is
    /// raised.
    package var storesExhausted: Bool

    package init(scope: [UInt8], fingerprint: [UInt8], expiresAt: Timestamp, storesExhausted: Bool = true) {
        self.scope = scope
        self.fingerprint = fingerprint
        self.expiresAt = expiresAt
        self.storesExhausted = storesExhausted
    }

    var key: RequestKey { RequestKey(scope: scope, fingerprint: fingerprint) }

    func stores(_ redeem: Redeem) -> Bool { storesExhausted || redeem.status != .exhausted }
}
