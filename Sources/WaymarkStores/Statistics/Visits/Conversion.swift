import WaymarkAPI
package import WaymarkLinks

/// An amount of money as an exact decimal: up to 12 digits before the point and up to 6 behind it.
package struct Money: Sendable, Hashable {
    package static let rule = "must be a decimal with at most 12 digits before the point and 6 behind it, such as 12.50"
    private static let wholeDigits = 12
    private static let fractionDigits = 6
    private static let million: Int64 = 1_000_000

    /// Rounded down.
    package var whole: Int64
    /// The rest in millionths; as part of a sum it may exceed a whole.
    package var micros: Int64
    /// Digits behind the point, as given.
    package var scale: Int

    package init(whole: Int64, micros: Int64, scale: Int) {
        self.whole = whole
        self.micros = micros
        self.scale = scale
    }

    /// Nil for text that is no such decimal.
    package init?(_ text: String) {
        let isNegative = text.hasPrefix("-")
        let parts = text.dropFirst(isNegative ? 1 : 0).split(separator: ".", omittingEmptySubsequences: false)
        let isNumber = parts.allSatisfy { !$0.isEmpty && $0.utf8.allSatisfy { (0x30...0x39).contains($0) } }
        guard (1...2).contains(parts.count), isNumber, parts[0].utf8.count <= Self.wholeDigits,
            parts.count == 1 || parts[1].utf8.count <= Self.fractionDigits, let whole = Int64(parts[0])
        else { return nil }
        scale = parts.count == 2 ? parts[1].utf8.count : 0
        var micros: Int64 = 0
        if parts.count == 2 {
            guard let fraction = Int64(parts[1]) else { return nil }
            micros = (scale..<Self.fractionDigits).reduce(fraction) { number, _ in number * 10 }
        }
        self.whole = isNegative ? -whole : whole
        self.micros = micros
        guard isNegative, micros > 0 else { return }
        self.whole -= 1
        self.micros = Self.million - micros
    }

    /// Beyond it sums stay as they are: two of them must not overflow.
    package static let limit: Int64 = 4_000_000_000_000_000_000

    package static func + (one: Money, other: Money) -> Money {
        Money(
            whole: one.whole.clamped + other.whole.clamped, micros: one.micros.clamped + other.micros.clamped,
            scale: max(one.scale, other.scale))
    }

    /// With as many digits behind the point as the most exact amount has.
    package var text: String {
        var whole = whole.clamped + micros / Self.million
        var micros = micros % Self.million
        let isNegative = whole < 0
        if isNegative {
            // Rounded down so far.
            whole = micros > 0 ? -(whole + 1) : -whole
            micros = micros > 0 ? Self.million - micros : 0
        }
        let digits = String(micros)
        let fraction = String(repeating: "0", count: Self.fractionDigits - digits.utf8.count) + digits
        return (isNegative ? "-" : "") + "\(whole)" + (scale > 0 ? "." + fraction.prefix(scale) : "")
    }
}

extension Int64 {
    fileprivate var clamped: Int64 { Swift.max(-Money.limit, Swift.min(Money.limit, self)) }
}

/// Something that a person did because of a link, such as a purchase, in the form that stores count.
package struct Conversion: Sendable, Equatable {
    /// A digest of the conversion's id and its owner: it is counted once.
    package var digest: [UInt8]
    /// As given, for its event.
    package var id: String
    package var name: String
    package var at: Timestamp
    /// The link that it is counted for, if known.
    package var link: LinkID?
    /// The rule by which the click was led on, if known.
    package var rule: ClickedRule?
    /// Digests of the installation, as of a claim, which leads to the link: one for each application that it may be of.
    package var installations: [[UInt8]]
    /// Only links of this application are counted; nil: of any.
    package var application: ApplicationID?
    package var value: (amount: Money, currency: String)?
    /// Whether an app reported it, whose key anybody can extract, and not a back end.
    package var isFromApp: Bool
    /// Until when the same digest is treated as the same conversion.
    package var expiresAt: Timestamp

    package init(
        digest: [UInt8], id: String, name: String, at: Timestamp, link: LinkID? = nil, rule: ClickedRule? = nil,
        installations: [[UInt8]] = [], application: ApplicationID?, value: (amount: Money, currency: String)? = nil,
        isFromApp: Bool = false, expiresAt: Timestamp
    ) {
        self.digest = digest
        self.id = id
        self.name = name
        self.at = at
        self.link = link
        self.rule = rule
        self.installations = installations
        self.application = application
        self.value = value
        self.isFromApp = isFromApp
        self.expiresAt = expiresAt
    }

    package static func == (one: Conversion, other: Conversion) -> Bool { one.digest == other.digest }
}

/// What conversions are counted by.
package struct ConversionKey: Sendable, Hashable, Comparable {
    package var application: ApplicationID
    /// UTC, since 1970.
    package var day: Int
    package var link: LinkID
    /// Empty for a link without one.
    package var campaign: String
    /// As stored: behind `appMark` if apps reported the conversions, and before the stored rule if one is known.
    package var name: String
    /// Empty for conversions without a value.
    package var currency: String

    package init(_ conversion: Conversion, of link: Link) {
        application = link.application
        day = conversion.at.day
        self.link = link.id
        campaign = link.content.campaign?.name ?? ""
        name = (conversion.isFromApp ? Self.appMark : "") + conversion.name + (conversion.rule?.stored ?? "")
        currency = conversion.value?.currency ?? ""
    }

    package init(
        application: ApplicationID, day: Int, link: LinkID, campaign: String, name: String, currency: String
    ) {
        self.application = application
        self.day = day
        self.link = link
        self.campaign = campaign
        self.name = name
        self.currency = currency
    }

    /// Begins the stored names of conversions that apps reported: U+0001, which no name has.
    package static let appMark = "\u{1}"

    private var order: (String, Int, Int64, String, String) {
        (application.text, day, link.rawValue, campaign, name + "\u{0}" + currency)
    }

    package static func < (one: ConversionKey, other: ConversionKey) -> Bool { one.order < other.order }
}

package struct ConversionTotal: Sendable, Equatable {
    package var count = 0
    package var sum = Money(whole: 0, micros: 0, scale: 0)

    package init(count: Int = 0, sum: Money = Money(whole: 0, micros: 0, scale: 0)) {
        self.count = count
        self.sum = sum
    }

    package static func += (total: inout ConversionTotal, other: ConversionTotal) {
        total.count += other.count
        total.sum = total.sum + other.sum
    }

    package init(_ conversion: Conversion) {
        self.init(count: 1, sum: conversion.value?.amount ?? Money(whole: 0, micros: 0, scale: 0))
    }
}
