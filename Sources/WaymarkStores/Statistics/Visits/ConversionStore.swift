package import WaymarkLinks

/// Conversions, counted by day: a part of `LinkStore`.
///
/// Throws: `StoreError` only.
package protocol ConversionStore: Sendable {
    /// Counts conversions for their links, each digest once until it expires. Returns one outcome per conversion in
    /// order; in one transaction, with the events.
    func record(_ conversions: [Conversion], at now: Timestamp) async throws(StoreError) -> [EventOutcome]
    /// - Returns: At most `ConversionQuery.groupLimit` groups and currencies, in the order of their values.
    func conversions(_ query: ConversionQuery) async throws(StoreError) -> [ConversionGroup]
}

package struct ConversionQuery: Sendable {
    package static let groupLimit = 10_000

    package enum Dimension: String, Sendable, CaseIterable { case link, campaign, day, name, rule, variant }

    /// Nil: all.
    package var applications: [ApplicationID]?
    /// UTC.
    package var days: Range<Int>
    package var link: LinkID?
    package var campaign: String?
    /// Only conversions by this rule, or this variant; `.some(nil)`: only those by none.
    package var rule: String??
    package var variant: String??
    package var by: Dimension

    package init(
        applications: [ApplicationID]?, days: Range<Int>, link: LinkID? = nil, campaign: String? = nil,
        rule: String?? = nil, variant: String?? = nil, by: Dimension
    ) {
        self.rule = rule
        self.variant = variant
        self.applications = applications
        self.days = days
        self.link = link
        self.campaign = campaign
        self.by = by
    }
}

/// The conversions with one value of a dimension and one currency, reported by apps or by back ends.
package struct ConversionGroup: Sendable, Equatable {
    /// A link as domain and slug, a campaign, a day's number, a name, a rule or a variant; nil: a link that was deleted, or
    /// none of them.
    package var value: String?
    /// Empty for conversions without a value.
    package var currency: String
    package var isFromApp: Bool
    package var total: ConversionTotal

    package init(value: String?, currency: String, isFromApp: Bool = false, total: ConversionTotal) {
        self.value = value
        self.currency = currency
        self.isFromApp = isFromApp
        self.total = total
    }
}
