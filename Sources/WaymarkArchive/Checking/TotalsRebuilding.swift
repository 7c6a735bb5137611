package import WaymarkStores

/// Replaces totals of clicks by a count of their records.
package struct TotalsRebuilding {
    private let archive: any StoreArchive

    package init(_ archive: any StoreArchive) { self.archive = archive }

    /// - Returns: The number of days.
    package func run() throws -> Int {
        var days = 0
        var last: Int?
        while let day = try archive.nextClickDay(after: last) {
            try archive.rebuildTotals(of: day)
            last = day
            days += 1
        }
        try archive.endRebuilding()
        return days
    }
}
