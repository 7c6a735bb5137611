/// How much of a click is stored. Of configuration, application and link, the strictest level holds.
@usableFromInline
package enum ClickDetail: String, Sendable, CaseIterable {
    case full
    /// Records have no numbers that tell visitors apart, so visitors are not counted.
    case noVisitors
    /// Only the number of the link's clicks: neither records nor totals.
    case countOnly

    package static let rule = "must be full, noVisitors or countOnly"

    /// Stored numbers; a stricter level has a higher one.
    @inlinable
    package var level: UInt8 {
        switch self {
        case .full: 0
        case .noVisitors: 1
        case .countOnly: 2
        }
    }

    package init?(level: UInt8) {
        guard let detail = Self.allCases.first(where: { $0.level == level }) else { return nil }
        self = detail
    }

    package func strictest(_ other: ClickDetail?) -> ClickDetail {
        guard let other, other.level > level else { return self }
        return other
    }
}
