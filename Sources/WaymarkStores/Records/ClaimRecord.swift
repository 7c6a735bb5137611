package import WaymarkLinks

/// The record of a claim: enough to repeat the response, without metadata.
package struct ClaimRecord: Sendable, Equatable {
    /// How the click ID got from the browser to the app.
    package enum Method: String, Sendable, CaseIterable { case referrer, clipboard }

    /// A click that an installation claimed.
    package struct Match: Sendable, Equatable {
        package var method: Method
        package var platform: Platform
        /// What the click brought (`OpenedSuffix.stored`).
        package var opened: String?
        /// Until when the installation gets the same response again.
        package var answersUntil: Timestamp
        package var redeem: RedeemRecord
        /// The rule by which the click was led on.
        package var rule: ClickedRule?

        package init(
            method: Method, platform: Platform, opened: String?, answersUntil: Timestamp, redeem: RedeemRecord,
            rule: ClickedRule? = nil
        ) {
            self.method = method
            self.platform = platform
            self.opened = opened
            self.answersUntil = answersUntil
            self.redeem = redeem
            self.rule = rule
        }
    }

    /// Nil if nothing was found; only stored under idempotency keys.
    package var match: Match?

    package init(match: Match?) { self.match = match }

    /// Format 1: the format's number, the method's number (0: no match, and nothing follows), the platform, whether
    /// the click brought something, that, the end of the answering period, and the redeem's record. Format 2, of clicks by
    /// a rule, has the stored rule before the latter.
    package var encoded: [UInt8] {
        var writer = BinaryWriter()
        writer.byte(match?.rule == nil ? 1 : 2)
        guard let match else {
            writer.byte(0)
            return writer.bytes
        }
        writer.byte(match.method == .referrer ? 1 : 2)
        writer.text(match.platform.rawValue)
        writer.byte(match.opened == nil ? 0 : 1)
        writer.text(match.opened ?? "")
        writer.signed(match.answersUntil.rawValue)
        if let rule = match.rule { writer.text(rule.stored) }
        return writer.bytes + match.redeem.encoded
    }

    /// - Throws: `.corrupt` for bytes not written by `encoded`.
    package init(encoded: [UInt8]) throws(StoreError) {
        let damaged = StoreError.corrupt("a stored claim is damaged")
        var reader = BinaryReader(encoded[...])
        guard let format = reader.byte(), 1...2 ~= format, let number = reader.byte() else { throw damaged }
        if number == 0 {
            guard format == 1, reader.isAtEnd else { throw damaged }
            match = nil
            return
        }
        guard number <= 2, let platform = reader.text().flatMap({ Platform(rawValue: $0) }),
            let hasOpened = reader.byte(), hasOpened <= 1, let opened = reader.text(), let end = reader.signed()
        else { throw damaged }
        var rule: ClickedRule?
        if format == 2 {
            rule = reader.text().flatMap { ClickedRule(stored: $0) }
            if rule == nil { throw damaged }
        }
        match = Match(
            method: number == 1 ? .referrer : .clipboard, platform: platform, opened: hasOpened == 1 ? opened : nil,
            answersUntil: Timestamp(rawValue: end), redeem: try RedeemRecord(encoded: reader.remainder),
            rule: rule)
    }
}
