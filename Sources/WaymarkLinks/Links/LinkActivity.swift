/// Counts of app activity for a link, without clicks.
package struct LinkActivity: Sendable, Equatable {
    /// Opens and installs reported by apps.
    package var opens = 0
    package var installs = 0
    /// Answered resolves, and those of them that took a redeem.
    package var resolves = 0
    package var redeems = 0
    /// Deferred links received by an installation.
    package var claims = 0
    /// Those of `installs` that apps reported on Android.
    package var androidInstallEvents = 0
    /// Installations on Android: of each click the first of its claim by Play's referrer and its install event, and
    /// all install events without a click.
    package var androidInstalls = 0

    package init(
        opens: Int = 0, installs: Int = 0, resolves: Int = 0, redeems: Int = 0, claims: Int = 0,
        androidInstallEvents: Int = 0, androidInstalls: Int = 0
    ) {
        self.opens = opens
        self.installs = installs
        self.resolves = resolves
        self.redeems = redeems
        self.claims = claims
        self.androidInstallEvents = androidInstallEvents
        self.androidInstalls = androidInstalls
    }

    /// All counts, in the order used by stores.
    package var values: [Int] {
        [opens, installs, resolves, redeems, claims, androidInstallEvents, androidInstalls]
    }

    /// - Precondition: as many values as `values`, in its order.
    package init(values: [Int]) {
        self.init(
            opens: values[0], installs: values[1], resolves: values[2], redeems: values[3], claims: values[4],
            androidInstallEvents: values[5], androidInstalls: values[6])
    }

    package static func += (sum: inout LinkActivity, other: LinkActivity) {
        sum = LinkActivity(
            values: zip(sum.values, other.values).map { value, added in
                let (total, isTooMany) = value.addingReportingOverflow(added)
                return isTooMany ? .max : total
            })
    }
}

/// A link's activity on one day.
package struct DailyActivity: Sendable, Equatable {
    package struct Key: Hashable, Sendable, Comparable {
        package var link: LinkID
        package var day: Int

        package init(link: LinkID, day: Int) {
            self.link = link
            self.day = day
        }

        package static func < (one: Key, other: Key) -> Bool {
            (one.link.rawValue, one.day) < (other.link.rawValue, other.day)
        }
    }

    package var link: LinkID
    /// As in `Timestamp.day`.
    package var day: Int
    package var counts: LinkActivity

    package init(link: LinkID, day: Int, counts: LinkActivity) {
        self.link = link
        self.day = day
        self.counts = counts
    }

    package var key: Key { Key(link: link, day: day) }
}
