/// What clients did and what they were answered, with the moments at which things went down.
struct History: Sendable {
    /// One request, on a clock that all clients share, in seconds.
    struct Event: Sendable {
        var start: Double
        var end: Double
        var link: String
        var action: Action
    }

    enum Action: Sendable, Equatable {
        /// A link was made, or its value replaced; values of a link are numbered in the order of its only writer.
        case write(Int, Ending)
        case delete(Ending)
        /// What a visitor was shown, perhaps from a cache; nil where there was no such link.
        case visit(Int?)
        /// What the interface answered, which asks the store.
        case read(Int?)
        case redeem(key: String, Redeem)
        /// A person's visit of a link with so many clicks: whether it was let through.
        case click(wasAdmitted: Bool)
        /// What the store says in the end, when nothing is under way any more.
        case total(redeemed: Int)
    }

    /// How a change ended, as far as its client knows.
    enum Ending: Sendable { case acknowledged, unknown }

    enum Redeem: Sendable, Equatable {
        case taken(number: Int)
        case exhausted
        case unknown
    }

    var events: [Event] = []
    /// How many redeems, or clicks, links with a limit have.
    var limits: [String: Int] = [:]
    /// When the database was away, or the machine stood still.
    var outages: [ClosedRange<Double>] = []
}
