package import WaymarkLinks

/// The record of a redeem under its idempotency key: enough to repeat the response, without metadata.
package struct RedeemRecord: Sendable, Equatable {
    package var link: LinkID
    package var redeem: Redeem

    package init(link: LinkID, redeem: Redeem) {
        self.link = link
        self.redeem = redeem
    }

    /// Format 1: the format's number, the status's number, then link, limit + 1 (0: none) and used as varints.
    package var encoded: [UInt8] {
        var writer = BinaryWriter()
        writer.byte(1)
        writer.byte(Self.number(of: redeem.status))
        writer.number(UInt64(bitPattern: link.rawValue))
        writer.number(redeem.limit.map { UInt64(clamping: $0) + 1 } ?? 0)
        writer.number(UInt64(clamping: redeem.used))
        return writer.bytes
    }

    /// - Throws: `.corrupt` for bytes not written by `encoded`.
    package init(encoded: [UInt8]) throws(StoreError) {
        var reader = BinaryReader(encoded[...])
        guard reader.byte() == 1, let number = reader.byte(), let status = Self.status(of: number),
            let link = reader.number(), let limit = reader.number(), let used = reader.number(), reader.isAtEnd,
            let usedCount = Int(exactly: used)
        else { throw .corrupt("a stored idempotency record is damaged") }
        self.link = LinkID(rawValue: Int64(bitPattern: link))
        redeem = Redeem(
            status: status, limit: limit == 0 ? nil : Int(clamping: limit - 1), used: usedCount)
    }

    // Stored numbers: their meaning must never change.
    private static func number(of status: Redeem.Status) -> UInt8 {
        switch status {
        case .redeemed: 1
        case .exhausted: 2
        case .none: 3
        case .unlimited: 4
        case .skipped: 5
        }
    }

    private static func status(of number: UInt8) -> Redeem.Status? {
        switch number {
        case 1: .redeemed
        case 2: .exhausted
        case 3: Redeem.Status.none
        case 4: .unlimited
        case 5: .skipped
        default: nil
        }
    }
}
