import WaymarkLinks

/// The profiles that the tallies of some blocks refer to by number.
package final class ClickProfiles: Sendable {
    package let profiles: [ClickRecord.Profile]

    package init(_ profiles: [ClickRecord.Profile]) { self.profiles = profiles }
}

/// What a block adds to totals: known to the one who packs it, or else read from it.
package struct ClickTally: Sendable {
    package struct Quarter: Sendable {
        /// Since 1970.
        package var number: Int
        /// Clicks by the number of their profile; a profile may come more than once.
        package var counts: [(profile: Int32, count: Int32)] = []
        package var visitors: [VisitorSketch.Item] = []
    }

    package let profiles: ClickProfiles
    /// In any order; a quarter may come more than once.
    package var quarters: [Quarter]

    package init(profiles: ClickProfiles, quarters: [Quarter]) {
        self.profiles = profiles
        self.quarters = quarters
    }

    /// Nil for a block that can't be read: it adds nothing.
    package init?(reading block: ClickBlock) {
        guard let contents = block.contents else { return nil }
        var quarters: [Quarter] = []
        for entry in contents.entries {
            let number = ClickTotal.quarter(ofSecond: entry.time.seconds)
            if quarters.last?.number != number { quarters.append(Quarter(number: number)) }
            let last = quarters.count - 1
            quarters[last].counts.append((Int32(entry.profile), 1))
            if let visitor = entry.visitor, contents.profiles[entry.profile][.bot] == nil {
                quarters[last].visitors.append(VisitorSketch.Item(visitor: visitor))
            }
        }
        self.init(profiles: ClickProfiles(contents.profiles), quarters: quarters)
    }
}
