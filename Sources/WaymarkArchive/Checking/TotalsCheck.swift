import WaymarkBytes
import WaymarkLinks
import WaymarkStores

/// Compares totals of clicks with a count of the records, as far as records are stored.
///
/// Totals of applications keep the clicks of links that were deleted since, of which no records are left: on such a day,
/// which totals of links show, they may only be higher.
struct TotalsCheck {
    private let archive: any StoreArchive

    init(_ archive: any StoreArchive) { self.archive = archive }

    func run(_ report: inout StoreCheck.Report) throws {
        let start = try archive.totalsStart() ?? .min
        var recorded: Set<Int> = []
        var last: Int?
        while let day = try archive.nextClickDay(after: last) {
            recorded.insert(day)
            last = day
        }
        let totalled = try archive.totalsDays()
        let days = recorded.union(totalled).sorted()
        for day in days where StoreCheck.plausibleDays.contains(day) && day >= start {
            // Records and totals are deleted from the oldest day on, in pieces: the oldest one may lack some.
            let isInRecords = recorded.min().map { day >= $0 } ?? false
            let isWhole = isInRecords && (day != recorded.min() || recorded.count == 1)
            try report.attempt("totals of the day \(day)", .rebuildTotals) { report in
                try check(
                    day, counted: isInRecords ? archive.countedTotals(of: day) : DayTotals(), isWhole: isWhole,
                    comparesSums: day != totalled.first || isInRecords, &report)
            }
            report.totalsDays += 1
        }
    }

    private func check(
        _ day: Int, counted: DayTotals, isWhole: Bool, comparesSums: Bool, _ report: inout StoreCheck.Report
    ) throws {
        let date = "\(Timestamp(seconds: Int64(day) * Timestamp.secondsOfDay).rfc3339.prefix(10))"
        let stored = try archive.storedTotals(of: day)
        let links = try counts(stored.links)
        let countedLinks = try counts(counted.links)
        var existing: Set<LinkID> = []
        let ids = Array(links.keys)
        for start in stride(from: 0, to: ids.count, by: StoreEntries.page) {
            existing.formUnion(try archive.existing(Array(ids[start...].prefix(StoreEntries.page))))
        }
        var wrong = 0
        for (link, count) in countedLinks where !isEqual(links[link] ?? ClickCount(), count, isWhole) { wrong += 1 }
        if isWhole {
            for (link, count) in links where count.sum > 0 && countedLinks[link] == nil && existing.contains(link) {
                wrong += 1
            }
        }
        if wrong > 0 {
            report.note(
                "clicks on \(date): the totals of \(wrong) links are not what their records say", .rebuildTotals)
        }
        var sum = 0
        var wrongQuarters = 0
        let hasDeleted = existing.count < links.count
        for key in Set(stored.applications.keys).union(counted.applications.keys) {
            let total = try stored.applications[key].map { try ClickTotal(encoded: $0) }
            let count = try counted.applications[key].map { try ClickTotal(encoded: $0) }
            sum += total?.count.sum ?? 0
            let isSound =
                total?.isConsistent ?? true
                && (isWhole && !hasDeleted
                    ? (total ?? ClickTotal()).isSame(as: count ?? ClickTotal())
                    : isEqual(total?.count ?? ClickCount(), count?.count ?? ClickCount(), false))
            if !isSound { wrongQuarters += 1 }
        }
        if wrongQuarters > 0 {
            report.note(
                "clicks on \(date): the totals of \(wrongQuarters) quarters of an hour are not what the records say",
                .rebuildTotals)
        }
        if comparesSums, sum > links.values.reduce(0, { $0 + $1.sum }) {
            report.note("clicks on \(date): the totals of applications exceed those of links", .rebuildTotals)
        }
    }

    private func isEqual(_ stored: ClickCount, _ counted: ClickCount, _ isWhole: Bool) -> Bool {
        isWhole ? stored == counted : stored.people >= counted.people && stored.bots >= counted.bots
    }

    private func counts(_ rows: [TotalsChange.PageKey: [UInt8]]) throws -> [LinkID: ClickCount] {
        var counts: [LinkID: ClickCount] = [:]
        for (key, bytes) in rows {
            for (link, count) in try LinkTotals(encoded: bytes).links(of: key.page) { counts[link] = count }
        }
        return counts
    }
}

extension ClickTotal {
    /// Whether the values of each dimension add up to the clicks.
    fileprivate var isConsistent: Bool {
        values.allSatisfy { values in
            var sum = values.rest
            for count in values.counts.values { sum += count }
            return sum == count
        }
    }

    /// Values are compared where none of them had to be left out.
    fileprivate func isSame(as other: ClickTotal) -> Bool {
        guard count == other.count, visitors == other.visitors else { return false }
        return zip(values, other.values).allSatisfy { one, other in
            one.rest.sum > 0 || other.rest.sum > 0 || one.counts == other.counts
        }
    }
}
