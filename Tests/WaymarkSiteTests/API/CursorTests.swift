import Testing
import WaymarkLinks
import WaymarkStores

@testable import WaymarkSite

/// Where a page of links ends.
@Suite struct CursorTests {
    @Test(arguments: [0, 1, 2, 1_000, 123_456_789, Int64.max], LinkSort.allCases)
    func comesBackAsThePosition(id: Int64, sort: LinkSort) {
        let position = LinkPosition(LinkID(rawValue: id), key: sort.isByCreation ? 0 : id / 2 - 7)
        let text = ListingCursor.text(position, of: sort)
        #expect(text.utf8.count == (sort.isByCreation ? 20 : 36))
        #expect(ListingCursor.position(text, of: sort) == position)
    }

    @Test(arguments: LinkSort.allCases, LinkSort.allCases)
    func `a cursor is for one order only`(sort: LinkSort, other: LinkSort) {
        let text = ListingCursor.text(LinkPosition(LinkID(rawValue: 17)), of: sort)
        #expect((ListingCursor.position(text, of: other) != nil) == (sort == other))
    }

    @Test(arguments: [
        "", "1", "zzzzzzzzzzzzzzzzzzzz", "0000000000000000000", "00000000000000000001", "ABCDEF00000000000000",
    ])
    func `a text of another form is not a cursor`(text: String) {
        for sort in LinkSort.allCases { #expect(ListingCursor.position(text, of: sort) == nil) }
    }
}
