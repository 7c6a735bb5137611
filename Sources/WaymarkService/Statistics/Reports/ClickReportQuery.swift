package import WaymarkLinks
package import WaymarkStores

/// What is asked of the clicks on many links.
package struct ClickReportQuery: Sendable {
    package enum Interval: String, Sendable, CaseIterable {
        case hour, day, total

        /// The maximum number of days of one query.
        package var dayLimit: Int64 {
            switch self {
            case .hour: 31
            case .day: 400
            case .total: 1_100
            }
        }
    }

    /// Lists of the most frequent ones.
    package enum Top: String, Sendable, CaseIterable {
        case links, referrers, countries, campaigns
        /// Addresses that no link has. Their visits are no clicks: they are counted apart.
        case unknown
        /// Those of them that browsers and scanners request from every host.
        case probes

        /// Nil for links and unknown addresses.
        package var field: ClickField? {
            switch self {
            case .links, .unknown, .probes: nil
            case .referrers: .referrerHost
            case .countries: .country
            case .campaigns: .campaign
            }
        }
    }

    /// The length of each of the lists.
    package static let topLimit = 50

    /// In seconds since 1970, ascending, on quarters of an hour: the start of each interval, and the end of the last one.
    package var boundaries: [Int64]
    package var interval: Interval
    package var applications: [ApplicationID]
    /// Any of these; nil: any at all.
    package var domains: Set<HostName>?
    /// For each field any of the values; nil among them: no value.
    package var filter: [ClickField: Set<String?>]
    /// Only these links of the applications; nil: all.
    package var links: Set<LinkID>?
    package var by: [ClickField]
    package var top: [Top]

    package init(
        boundaries: [Int64], interval: Interval, applications: [ApplicationID], domains: Set<HostName>? = nil,
        filter: [ClickField: Set<String?>] = [:], links: Set<LinkID>? = nil, by: [ClickField] = [], top: [Top] = []
    ) {
        self.boundaries = boundaries
        self.interval = interval
        self.applications = applications
        self.domains = domains
        self.filter = filter
        self.links = links
        self.by = by
        self.top = top
    }

    package var seconds: Range<Int64> { (boundaries.first ?? 0)..<(boundaries.last ?? 0) }

    /// UTC days that the query touches.
    package var days: Range<Int> {
        Timestamp(seconds: seconds.lowerBound).day..<Timestamp(seconds: max(seconds.lowerBound, seconds.upperBound - 1))
            .day + 1
    }

    /// Whether a day (UTC) lies within one interval.
    package func hasInOneInterval(_ day: Int) -> Bool {
        let start = Int64(day) * Timestamp.secondsOfDay
        let end = start + Timestamp.secondsOfDay
        guard let first = boundaries.first, let last = boundaries.last, first <= start, end <= last else {
            return false
        }
        // The first boundary after the day's start.
        var (low, high) = (0, boundaries.count - 1)
        while low < high {
            let middle = (low + high) / 2
            if boundaries[middle] > start { high = middle } else { low = middle + 1 }
        }
        return boundaries[low] >= end
    }

    /// Whether each interval consists of whole UTC days.
    package var hasWholeDays: Bool { boundaries.allSatisfy { $0 % Timestamp.secondsOfDay == 0 } }

    /// Fields whose values are counted.
    package var countedFields: Set<ClickField> { Set(by + top.compactMap(\.field)) }

    /// Whether totals of applications can answer: clicks are selected by one dimension at most, and counted by no other then.
    package var isAnsweredByTotals: Bool {
        guard links == nil else { return false }
        if domains != nil { return filter.isEmpty && countedFields.isEmpty && !top.contains(.links) }
        guard let field = filter.keys.first else { return true }
        return filter.count == 1 && countedFields.isSubset(of: [field]) && !top.contains(.links)
    }

    /// Whether totals of links can count the clicks.
    package var isCountedByLinkTotals: Bool {
        links != nil && domains == nil && filter.isEmpty && countedFields.isEmpty && hasWholeDays
    }

    /// Whether clicks of the profile count.
    package func fits(_ profile: ClickRecord.Profile) -> Bool {
        filter.allSatisfy { $0.value.contains(profile[$0.key]) }
    }
}
