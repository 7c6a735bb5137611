/// Clicks of people and of bots.
package struct ClickCount: Sendable, Hashable {
    package var people = 0
    package var bots = 0

    package init(people: Int = 0, bots: Int = 0) {
        self.people = people
        self.bots = bots
    }

    package var sum: Int { people + bots }

    package static func += (count: inout ClickCount, other: ClickCount) {
        count.people += other.people
        count.bots += other.bots
    }
}
