import WaymarkLinks
package import WaymarkStores

extension ClickReportCounter {
    /// Adds the row of an application and a quarter of an hour.
    ///
    /// - Parameter query: One that totals can answer.
    /// - Returns: Whether all clicks of people in the row count, so that its visitors are those of the query.
    package mutating func add(_ row: ApplicationTotal, _ query: ClickReportQuery) throws(StoreError) -> Bool {
        guard let index = index(ofSecond: Int64(row.quarter) * ClickTotal.quarter) else { return true }
        let selecting: ClickTotal.Dimension? =
            query.domains != nil ? .domain : query.filter.keys.first.map { .field($0) }
        var dimensions = query.countedFields.map { ClickTotal.Dimension.field($0) }
        if let selecting { dimensions.append(selecting) }
        dimensions.append(.field(.platform))
        let total = try ClickTotal(encoded: row.bytes, dimensions: dimensions, withVisitors: true)
        var count = total.count
        if let selecting {
            count = ClickCount()
            for (value, clicks) in total[selecting].counts where Self.fits(value, query) { count += clicks }
            // Some of the rest may fit.
            if total[selecting].rest.sum > 0 { markIncomplete() }
        }
        add(count, at: index)
        for field in query.countedFields {
            for (value, clicks) in total[.field(field)].counts where selecting == nil || Self.fits(value, query) {
                add(clicks, of: value, field: field, at: index)
            }
            if selecting == nil { add(rest: total[.field(field)].rest, field: field, at: index) }
        }
        add(total.visitors, at: index)
        // Only clicks of those who asked not to be followed have no platform.
        if total.count.people > total[.field(.platform)].counts[nil, default: ClickCount()].people {
            markVisited(at: index)
        }
        return count.people == total.count.people
    }

    private static func fits(_ value: String?, _ query: ClickReportQuery) -> Bool {
        if let domains = query.domains { return domains.contains { $0.text == value } }
        return query.filter.values.first?.contains(value) ?? true
    }

    /// Adds the records of a block of a link that is selected.
    ///
    /// - Returns: The clicks that count, and the number of records.
    package mutating func add(
        _ block: ClickBlock, _ query: ClickReportQuery
    ) throws(StoreError) -> (count: ClickCount, examined: Int) {
        guard let contents = block.contents else { throw .corrupt("records of clicks are damaged") }
        begin(day: block.key.day)
        let profiles = contents.profiles.map {
            (fits: query.fits($0), isPersons: $0[.bot] == nil, isProfiled: $0[.platform] != nil)
        }
        // A value that was left out may have been one of those asked for.
        if query.filter.keys.contains(where: { field in contents.profiles.contains { $0[field] == ClickField.rest } }) {
            markIncomplete()
        }
        var sum = ClickCount()
        // By profile, of the interval of the last click: usually all of a block are in one.
        var counts = [Int](repeating: 0, count: profiles.count)
        var visitors: [VisitorSketch.Item] = []
        var current: Int?
        func flush(_ counter: inout ClickReportCounter) {
            guard let index = current else { return }
            for number in counts.indices where counts[number] > 0 {
                let count =
                    profiles[number].isPersons ? ClickCount(people: counts[number]) : ClickCount(bots: counts[number])
                counts[number] = 0
                sum += count
                counter.add(count, at: index)
                if profiles[number].isPersons, profiles[number].isProfiled { counter.markVisited(at: index) }
                for field in query.countedFields {
                    counter.add(count, of: contents.profiles[number][field], field: field, at: index)
                }
            }
            counter.add(visitors, at: index)
            visitors = []
        }
        for entry in contents.entries where profiles[entry.profile].fits {
            guard let index = index(ofSecond: entry.time.seconds) else { continue }
            if index != current {
                flush(&self)
                current = index
            }
            counts[entry.profile] += 1
            if let visitor = entry.visitor, profiles[entry.profile].isPersons {
                visitors.append(VisitorSketch.Item(visitor: visitor))
            }
        }
        flush(&self)
        return (sum, contents.entries.count)
    }
}
