package import WaymarkStores

/// Replaces totals of clicks by a count of their records.
package struct TotalsRebuilding {
    private let archive: any StoreArchive

    package init(_ archive: any StoreArchive) { self.archive = archive }

    /// - Returns: The number of days.
    package func run() throws -> Int {
        var counted: Set<Int> = []
        var last: Int?
        while let day = try archive.nextClickDay(after: last) {
            try archive.rebuildTotals(of: day)
            last = day
            counted.insert(day)
        }
        // Records are deleted from the oldest day on, so later days without records had no clicks.
        if let first = counted.min() {
            for day in try archive.totalsDays() where day > first && !counted.contains(day) {
                try archive.rebuildTotals(of: day)
                counted.insert(day)
            }
        }
        try archive.endRebuilding()
        return counted.count
    }
}
