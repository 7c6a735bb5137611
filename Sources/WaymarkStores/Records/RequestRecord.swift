package import WaymarkLinks

/// What a store has recorded of a request under its idempotency key, of a click under its ID, or of an event under its digest.
package enum RequestRecord: Sendable {
    /// The response to a creation.
    case response([UInt8])
    case redeem(RedeemRecord)
    case claim(ClaimRecord)
    case event

    /// Stored numbers: their meaning must never change.
    package var kind: Int64 {
        switch self {
        case .response: 1
        case .redeem: 2
        case .claim: 3
        case .event: 4
        }
    }

    package var bytes: [UInt8] {
        switch self {
        case .response(let bytes): bytes
        case .redeem(let record): record.encoded
        case .claim(let record): record.encoded
        case .event: []
        }
    }

    /// - Throws: `.corrupt` for another kind than `kind`, or other bytes than `bytes`.
    package init(kind: Int64, bytes: [UInt8]) throws(StoreError) {
        switch kind {
        case 1: self = .response(bytes)
        case 2: self = .redeem(try RedeemRecord(encoded: bytes))
        case 3: self = .claim(try ClaimRecord(encoded: bytes))
        case 4: self = .event
        default: throw .corrupt("a stored idempotency record is damaged")
        }
    }

    /// The link needed to repeat the response.
    package var link: LinkID? {
        switch self {
        case .redeem(let record): record.link
        case .claim(let record): record.match?.redeem.link
        case .response, .event: nil
        }
    }
}

/// Where a request is recorded, and what must be equal for it to be the same request.
package struct RequestKey: Sendable, Hashable {
    package var scope: [UInt8]
    package var fingerprint: [UInt8]

    package init(scope: [UInt8], fingerprint: [UInt8]) {
        self.scope = scope
        self.fingerprint = fingerprint
    }
}

/// The record that a transaction finds under a scope.
package enum FoundRecord: Sendable {
    /// Or it has expired.
    case nothing
    /// It has another fingerprint.
    case mismatch
    case record(RequestRecord)
}
