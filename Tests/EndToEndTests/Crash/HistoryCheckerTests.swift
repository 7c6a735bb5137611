import Testing

/// The checker, on histories that are wrong on purpose, and on those that look wrong and are not.
@Suite struct HistoryCheckerTests {
    struct Case: Sendable, CustomTestStringConvertible {
        var testDescription: String
        var events: [History.Event]
        var outages: [ClosedRange<Double>] = []
        var limit = 2
    }

    private static func at(
        _ start: Double, _ action: History.Action, until end: Double? = nil
    ) -> History.Event {
        History.Event(start: start, end: end ?? start + 0.1, link: "a", action: action)
    }

    private static func violations(_ given: Case) -> [String] {
        let history = History(events: given.events, limits: ["a": given.limit], outages: given.outages)
        return HistoryChecker().violations(in: history)
    }

    private static let created = at(0, .write(0, .acknowledged))
    private static let patched = at(1, .write(1, .acknowledged))
    private static let deleted = at(2, .delete(.acknowledged))

    static let wrong = [
        Case(testDescription: "a lost creation", events: [created, at(5, .read(nil))]),
        Case(testDescription: "a lost creation, as visitors see it", events: [created, at(5, .visit(nil))]),
        Case(testDescription: "a lost patch", events: [created, patched, at(5, .read(0))]),
        Case(
            testDescription: "a patch that comes and goes",
            events: [created, patched, at(3, .read(1)), at(5, .read(0))]),
        Case(testDescription: "a deleted link that is back", events: [created, patched, deleted, at(5, .read(1))]),
        Case(testDescription: "a deleted link that goes on redirecting", events: [created, deleted, at(5, .visit(0))]),
        Case(testDescription: "a value that nobody wrote", events: [created, at(5, .visit(7))]),
        Case(testDescription: "a value ahead of its time", events: [created, at(0.5, .read(1)), patched]),
        Case(testDescription: "a link ahead of its time", events: [at(0, .read(0)), at(3, .write(0, .acknowledged))]),
        Case(testDescription: "a visit that is too old", events: [created, patched, at(3.2, .visit(0))]),
        Case(
            testDescription: "a visit that is too old, although the database was away for a while",
            events: [created, patched, at(8, .visit(0))], outages: [2...6, 1.5...3]),
        Case(testDescription: "a reading from a cache", events: [created, patched, at(1.2, .read(0))]),
        Case(
            testDescription: "an old value after a change that got lost",
            events: [created, patched, at(2, .write(2, .unknown)), at(5, .read(0))]),
        Case(
            testDescription: "more redeems than the limit",
            events: (1...3).map { at(Double($0), .redeem(key: "k\($0)", .taken(number: $0))) }),
        Case(
            testDescription: "one redeem for two",
            events: ["k", "l"].map { at(1, .redeem(key: $0, .taken(number: 1))) }),
        Case(
            testDescription: "two redeems for one key",
            events: [1, 2].map { at(Double($0), .redeem(key: "k", .taken(number: $0))) }),
        Case(
            testDescription: "a replay that is refused",
            events: [
                at(1, .redeem(key: "k", .taken(number: 1))), at(1, .redeem(key: "l", .taken(number: 2))),
                at(2, .redeem(key: "k", .exhausted)),
            ]),
        Case(
            testDescription: "a refusal with redeems left",
            events: [at(1, .redeem(key: "k", .taken(number: 1))), at(2, .redeem(key: "l", .exhausted))]),
        Case(
            testDescription: "a redeem that the store has forgotten",
            events: [
                at(1, .redeem(key: "k", .taken(number: 1))), at(2, .redeem(key: "l", .taken(number: 2))),
                at(9, .total(redeemed: 1)),
            ]),
        Case(
            testDescription: "a redeem that nobody took",
            events: [
                at(1, .redeem(key: "k", .unknown)), at(2, .redeem(key: "k", .taken(number: 1))),
                at(9, .total(redeemed: 2)),
            ]),
        Case(
            testDescription: "more clicks than the limit",
            events: (0..<3).map { at(Double($0), .click(wasAdmitted: true)) }),
    ]

    @Test(arguments: wrong)
    func findsWhatIsWrong(given: Case) {
        #expect(Self.violations(given).count == 1, "\(Self.violations(given))")
    }

    static let right = [
        Case(
            testDescription: "a link and its changes",
            events: [
                at(-1, .read(nil)), created, at(0.5, .read(0)), patched, at(1.5, .read(1)), deleted, at(3, .read(nil)),
            ]),
        Case(
            testDescription: "a visit as old as may be",
            events: [created, patched, at(3, .visit(0)), at(3.05, .visit(1))]),
        Case(
            testDescription: "an old visit while the database is away",
            events: [created, patched, at(30, .visit(0)), at(32, .visit(0))], outages: [2...31.5]),
        Case(
            testDescription: "a change under way",
            events: [created, at(1, .write(1, .acknowledged), until: 4), at(2, .read(0)), at(2.5, .read(1))]),
        Case(
            testDescription: "a change that got lost, seen or not",
            events: [created, at(1, .write(1, .unknown)), at(5, .read(0)), at(6, .read(1)), at(7, .visit(0))]),
        Case(
            testDescription: "a creation that got lost",
            events: [
                at(0, .write(0, .unknown)), at(5, .read(nil)), at(6, .read(0)), at(7, .visit(0)),
            ]),
        Case(
            testDescription: "a deletion that got lost",
            events: [
                created, at(1, .delete(.unknown)), at(5, .read(nil)), at(6, .visit(0)),
            ]),
        Case(
            testDescription: "a redeem whose answer got lost, taken again with its key",
            events: [
                at(1, .redeem(key: "k", .unknown)), at(2, .redeem(key: "k", .taken(number: 1))),
                at(3, .redeem(key: "l", .taken(number: 2))), at(4, .redeem(key: "m", .exhausted)),
                at(9, .total(redeemed: 2)),
            ]),
        Case(
            testDescription: "a redeem of which nobody knows",
            events: [at(1, .redeem(key: "k", .unknown)), at(9, .total(redeemed: 1))]),
        Case(
            testDescription: "clicks up to the limit",
            events: (0..<4).map { at(Double($0), .click(wasAdmitted: $0 < 2)) }),
    ]

    @Test(arguments: right)
    func leavesAloneWhatIsRight(given: Case) {
        #expect(Self.violations(given) == [])
    }

    // MARK: Webhooks

    struct Told: Sendable, CustomTestStringConvertible {
        var testDescription: String
        var events: [History.Event]
        var messages: [ToldEvents.Message]
    }

    private static func message(
        _ type: String, _ value: Int? = 0, id: String? = nil, redeemed: Int = 0
    ) -> ToldEvents.Message {
        let body = "\(type) \(value ?? -1) \(redeemed)"
        return ToldEvents.Message(
            id: id ?? body, body: body, type: type, slug: "a", value: value, redeemed: redeemed)
    }

    static let wronglyTold = [
        Told(testDescription: "a creation that is not told", events: [created], messages: []),
        Told(
            testDescription: "a patch that is not told", events: [created, patched], messages: [message("link.created")]
        ),
        Told(
            testDescription: "a deletion that is not told", events: [created, deleted],
            messages: [message("link.created")]),
        Told(
            testDescription: "a value that nobody wrote", events: [created],
            messages: [message("link.created"), message("link.updated", 7)]),
        Told(
            testDescription: "a patch that was rolled back",
            events: [created, at(1, .write(1, .unknown)), at(5, .read(0))],
            messages: [message("link.created"), message("link.updated", 1)]),
        Told(
            testDescription: "a deletion that was rolled back",
            events: [created, at(1, .delete(.unknown)), at(5, .read(0))],
            messages: [message("link.created"), message("link.deleted")]),
        Told(
            testDescription: "two ids for one event", events: [created],
            messages: [message("link.created"), message("link.created", id: "other")]),
        Told(
            testDescription: "one id for two events", events: [created, patched],
            messages: [message("link.created", id: "same"), message("link.updated", 1, id: "same")]),
        Told(
            testDescription: "a redeem that is not told",
            events: [created, at(1, .redeem(key: "k", .taken(number: 1)))], messages: [message("link.created")]),
        Told(
            testDescription: "a redeem that was not taken", events: [created, at(5, .total(redeemed: 0))],
            messages: [message("link.created"), message("link.redeemed", redeemed: 1)]),
    ]

    static let rightlyTold = [
        Told(
            testDescription: "a change that is told twice with one id", events: [created],
            messages: [message("link.created"), message("link.created")]),
        Told(
            testDescription: "a change whose answer got lost and that is told",
            events: [created, at(1, .write(1, .unknown)), at(5, .read(1))],
            messages: [message("link.created"), message("link.updated", 1)]),
        Told(
            testDescription: "a change whose answer got lost and that was not made",
            events: [created, at(1, .write(1, .unknown)), at(5, .read(0))], messages: [message("link.created")]),
        Told(
            testDescription: "redeems, and a deletion",
            events: [
                created, at(1, .redeem(key: "k", .taken(number: 1))), at(2, .total(redeemed: 1)),
                at(3, .delete(.acknowledged)),
            ],
            messages: [message("link.created"), message("link.redeemed", redeemed: 1), message("link.deleted")]),
    ]

    @Test(arguments: wronglyTold)
    func `finds what was told wrongly`(given: Told) {
        let history = History(events: given.events)
        #expect(!HistoryChecker().violations(in: history, told: ToldEvents(messages: given.messages)).isEmpty)
    }

    @Test(arguments: rightlyTold)
    func `finds nothing in what was told rightly`(given: Told) {
        let history = History(events: given.events)
        #expect(HistoryChecker().violations(in: history, told: ToldEvents(messages: given.messages)) == [])
    }
}
