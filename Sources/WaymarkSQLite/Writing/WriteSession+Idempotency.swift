internal import GRDB
internal import WaymarkLinks
internal import WaymarkStores

extension WriteSession {
    /// The stored record of an earlier request with the same idempotency key.
    enum Kept {
        case nothing
        case mismatch
        case answer([UInt8])
        case redeem(RedeemRecord)
        case claim(ClaimRecord)
        case event
    }

    /// The record to store for a request.
    enum Keeping {
        case answer([UInt8])
        case redeem(RedeemRecord)
        case claim(ClaimRecord)
        case event
    }

    func kept(scope: [UInt8], fingerprint: [UInt8], at now: Timestamp) throws -> Kept {
        let kept = try database.row(
            "SELECT fingerprint, kind, answer FROM idempotency WHERE scope = ? AND expires_at > ?",
            [scope.blob, now.rawValue]
        ) { row -> Kept in
            guard try row.bytes(0) == fingerprint else { return .mismatch }
            let answer = try row.bytes(2)
            switch try row.number(1) {
            case 1: return .answer(answer)
            case 2: return .redeem(try RedeemRecord(encoded: answer))
            case 3: return .claim(try ClaimRecord(encoded: answer))
            case 4: return .event
            default: throw Row.damaged
            }
        }
        return kept ?? .nothing
    }

    /// Replaces an expired record with the same scope: `kept` has checked that it expired.
    func keep(_ keeping: Keeping, scope: [UInt8], fingerprint: [UInt8], until end: Timestamp) throws {
        let (kind, answer): (Int64, [UInt8]) =
            switch keeping {
            case .answer(let bytes): (1, bytes)
            case .redeem(let record): (2, record.encoded)
            case .claim(let record): (3, record.encoded)
            case .event: (4, [])
            }
        try database.run(
            """
            INSERT INTO idempotency (scope, fingerprint, expires_at, kind, answer) VALUES (?, ?, ?, ?, ?)
            ON CONFLICT (scope) DO UPDATE SET fingerprint = excluded.fingerprint, expires_at = excluded.expires_at,
                kind = excluded.kind, answer = excluded.answer
            """, [scope.blob, fingerprint.blob, end.rawValue, kind, answer.blob])
    }

    func purge(at now: Timestamp, limit: Int) throws -> Int {
        try database.run(
            """
            DELETE FROM idempotency
            WHERE number IN (SELECT number FROM idempotency WHERE expires_at <= ? ORDER BY expires_at LIMIT ?)
            """, [now.rawValue, max(0, limit)])
        let records = database.changesCount
        return records + (try purgeBatches(at: now, limit: limit - records))
    }
}
