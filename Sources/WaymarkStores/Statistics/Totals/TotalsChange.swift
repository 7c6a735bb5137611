import WaymarkLinks

/// What some blocks add to totals, summed up so that each stored row is changed once.
package struct TotalsChange {
    /// The row of an application and a quarter of an hour.
    package struct Key: Hashable, Sendable, Comparable {
        /// As the store numbers it.
        package var application: Int64
        package var quarter: Int

        package init(application: Int64, quarter: Int) {
            self.application = application
            self.quarter = quarter
        }

        package static func < (one: Key, other: Key) -> Bool {
            (one.application, one.quarter) < (other.application, other.quarter)
        }
    }

    /// The row of 64 links and a day.
    package struct PageKey: Hashable, Sendable, Comparable {
        package var day: Int
        package var page: Int64

        package init(day: Int, page: Int64) {
            self.day = day
            self.page = page
        }

        package static func < (one: PageKey, other: PageKey) -> Bool {
            (one.day, one.page) < (other.day, other.page)
        }
    }

    private struct Sum {
        /// By the number of the profile.
        var counts: [Int] = []
        /// What was added before there were too many profiles.
        var condensed: ClickTotal?
        /// By the number of the host.
        var hosts: [Int64: ClickCount] = [:]
        var visitors: [VisitorSketch.Item] = []
    }

    private var sums: [Sum] = []
    private var numbers: [Key: Int] = [:]
    private var latest: (key: Key, number: Int)?
    private var pages: [PageKey: LinkTotals] = [:]
    private var profiles: [ClickRecord.Profile] = []
    private var isPersons: [Bool] = []
    private var profileNumbers: [ClickRecord.Profile: Int] = [:]
    /// Profiles of tallies as numbers here; -1 for those that did not come so far.
    private var translations: [ObjectIdentifier: (profiles: ClickProfiles, numbers: [Int])] = [:]
    private var latestProfiles: ClickProfiles?
    private var translation: [Int] = []

    /// Each row has a number for each profile, and visitors choose some values of profiles.
    private static let profileLimit = 20_000

    package init() {}

    package var isEmpty: Bool { pages.isEmpty }

    /// - Parameters:
    ///   - application: Of the link, as the store numbers it.
    ///   - host: The link's domain, as the store numbers it.
    package mutating func add(_ block: ClickBlock, application: Int64, host: Int64) {
        guard let tally = block.tally ?? ClickTally(reading: block) else { return }
        if profiles.count > Self.profileLimit { condense() }
        translate(tally.profiles)
        var total = ClickCount()
        for quarter in tally.quarters {
            let sum = number(of: Key(application: application, quarter: quarter.number))
            var count = ClickCount()
            for (given, clicks) in quarter.counts {
                let profile = number(of: Int(given), in: tally.profiles)
                if isPersons[profile] { count.people += Int(clicks) } else { count.bots += Int(clicks) }
                while sums[sum].counts.count <= profile { sums[sum].counts.append(0) }
                sums[sum].counts[profile] += Int(clicks)
            }
            sums[sum].hosts[host, default: ClickCount()] += count
            sums[sum].visitors.append(contentsOf: quarter.visitors)
            total += count
        }
        let page = PageKey(day: block.key.day, page: LinkTotals.page(of: block.key.link))
        pages[page, default: LinkTotals()].add(total, of: block.key.link)
        // Profiles that were read for this block never come again.
        if block.tally == nil { latestProfiles = nil }
    }

    private func total(of sum: Sum) -> ClickTotal {
        var total = sum.condensed ?? ClickTotal()
        var (withoutRule, withoutVariant) = (ClickCount(), ClickCount())
        for (profile, clicks) in sum.counts.enumerated() where clicks > 0 {
            let count = isPersons[profile] ? ClickCount(people: clicks) : ClickCount(bots: clicks)
            total.count += count
            for field in ClickField.first {
                total.values[Int(field.rawValue)].add(count, of: profiles[profile][field])
            }
            // Most links have no rules.
            if let rule = profiles[profile][.rule] {
                total[.field(.rule)].add(count, of: rule)
            } else {
                withoutRule += count
            }
            if let variant = profiles[profile][.variant] {
                total[.field(.variant)].add(count, of: variant)
            } else {
                withoutVariant += count
            }
        }
        if withoutRule.sum > 0 { total[.field(.rule)].add(withoutRule, of: nil) }
        if withoutVariant.sum > 0 { total[.field(.variant)].add(withoutVariant, of: nil) }
        return total
    }

    /// Adds profiles up, as each flush does.
    private mutating func condense() {
        for index in sums.indices where !sums[index].counts.isEmpty {
            var total = total(of: sums[index])
            total.narrow(to: .ofQuarter)
            total.visitors.add(sums[index].visitors)
            sums[index].condensed = total
            sums[index].counts = []
            sums[index].visitors = []
        }
        (profiles, isPersons, profileNumbers) = ([], [], [:])
        (translations, latestProfiles, translation) = ([:], nil, [])
    }

    private mutating func number(of key: Key) -> Int {
        if let latest, latest.key == key { return latest.number }
        let number = numbers[key] ?? sums.count
        if number == sums.count {
            sums.append(Sum())
            numbers[key] = number
        }
        latest = (key, number)
        return number
    }

    private mutating func translate(_ given: ClickProfiles) {
        guard latestProfiles !== given else { return }
        if let latestProfiles { translations[ObjectIdentifier(latestProfiles)] = (latestProfiles, translation) }
        latestProfiles = given
        translation =
            translations[ObjectIdentifier(given)]?.numbers ?? [Int](repeating: -1, count: given.profiles.count)
    }

    private mutating func number(of given: Int, in table: ClickProfiles) -> Int {
        let known = translation[given]
        if known >= 0 { return known }
        let profile = table.profiles[given]
        let number = profileNumbers[profile] ?? profiles.count
        if number == profiles.count {
            profiles.append(profile)
            isPersons.append(profile[.bot] == nil)
            profileNumbers[profile] = number
        }
        translation[given] = number
        return number
    }

    /// The rows of applications, in their order.
    ///
    /// - Parameter domain: The name of a host.
    package func totals(domain: (Int64) throws -> String) rethrows -> [(key: Key, total: AddedTotal)] {
        var rows: [(key: Key, total: AddedTotal)] = []
        rows.reserveCapacity(numbers.count)
        for (key, number) in numbers.sorted(by: { $0.key < $1.key }) {
            let sum = sums[number]
            var total = total(of: sum)
            for (host, count) in sum.hosts {
                total[.domain].counts[try domain(host), default: ClickCount()] += count
            }
            rows.append((key, AddedTotal(total: total, visitors: sum.visitors)))
        }
        return rows
    }

    /// All days (UTC) that are added to.
    package var days: Set<Int> {
        var days = Set(pages.keys.map(\.day))
        for key in numbers.keys { days.insert(Timestamp(seconds: Int64(key.quarter) * ClickTotal.quarter).day) }
        return days
    }

    /// The rows of links, in their order.
    package var links: [(key: PageKey, totals: LinkTotals)] {
        pages.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
    }
}
