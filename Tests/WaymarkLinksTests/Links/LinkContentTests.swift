import Testing

@testable import WaymarkLinks

/// Copies share their fields, and nobody may notice.
@Suite struct LinkContentTests {
    @Test func aChangedCopyLeavesTheOthersAsTheyWere() {
        let first = LinkContent(routeParameters: ["id": "1"], tags: ["a"])
        var second = first
        #expect(second == first)
        second.tags.append("b")
        second.routeParameters["id"] = "2"
        #expect(first.tags == ["a"])
        #expect(first.routeParameters == ["id": "1"])
        #expect(second.tags == ["a", "b"])
        #expect(second.routeParameters == ["id": "2"])
        #expect(second != first)
    }

    @Test func contentsThatSayTheSameAreEqualWhereverTheyCameFrom() {
        var one = LinkContent(redeemLimit: 3)
        one.disabled = true
        #expect(one == LinkContent(redeemLimit: 3, disabled: true))
        #expect(one != LinkContent(redeemLimit: 3))
    }
}
