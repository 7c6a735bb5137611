import Testing
import WaymarkLinks
import WaymarkStores

@testable import WaymarkSite

@Suite struct AssociationRefreshTests {
    private static let hour: Int64 = 3_600

    /// Times in hours; nil: there is none.
    struct Case: Sendable, CustomTestStringConvertible {
        let testDescription: String
        var since: Int64? = 0
        /// Of the version that is stored; `a` is served.
        var stored = "a"
        var fetched: (tag: String, first: Int64)?
        var fetcher = AssociationFetcher.apple
        let now: Int64
        let heldUntil: Int64?
        var isPending = false
    }

    static let cases = [
        Case(testDescription: "no other version is known", since: nil, now: 1, heldUntil: nil),
        Case(testDescription: "just changed", now: 0, heldUntil: 8 * 24, isPending: true),
        Case(
            testDescription: "the old one was fetched", fetched: ("b", -5), now: 3, heldUntil: 8 * 24, isPending: true),
        Case(testDescription: "Apple is late", now: 30, heldUntil: 30 + 7 * 24, isPending: true),
        Case(testDescription: "fetched", fetched: ("a", 5), now: 6, heldUntil: 5 + 7 * 24),
        Case(testDescription: "read by all", fetched: ("a", 5), now: 5 + 7 * 24, heldUntil: nil),
        Case(testDescription: "changed back before Apple noticed", fetched: ("a", -2), now: 3, heldUntil: 7 * 24 - 2),
        Case(
            testDescription: "Google asks at once", fetched: ("b", 0), fetcher: .google, now: 1,
            heldUntil: 1 + 7 * 24, isPending: true),
        Case(
            testDescription: "another server serves another file", stored: "b", now: 3, heldUntil: 3 + 8 * 24,
            isPending: true),
    ]

    @Test(arguments: cases) func `the time follows from fetches and changes`(_ example: Case) throws {
        func time(_ hours: Int64) -> Timestamp { Timestamp(seconds: 1_000_000_000 + hours * Self.hour) }
        let file = AssociationFileKey(
            try #require(HostName("go.example.com")), example.fetcher == .apple ? .apple : .assetLinks)
        let outlook = AssociationRefresh.outlook(
            AssociationVersion(file, tag: example.stored, since: example.since.map(time)), served: "a",
            example.fetched.map {
                AssociationFetch(file, by: example.fetcher, at: time($0.first), status: 200, tag: $0.tag)
            }, by: example.fetcher, now: time(example.now))
        let heldUntil = example.heldUntil.map(time)
        #expect(outlook.heldUntil == heldUntil)
        #expect(outlook.isPending == example.isPending)
    }
}
