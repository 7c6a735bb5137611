import Testing
import WaymarkLinks

@testable import WaymarkSite

/// Where a page of links ends.
@Suite struct CursorTests {
    @Test(arguments: [1, 2, 1_000, 123_456_789, Int64.max])
    func comesBackAsTheLink(id: Int64) {
        let text = Cursor.text(LinkID(rawValue: id))
        #expect(text.utf8.count == 20)
        #expect(Cursor.link(text) == LinkID(rawValue: id))
    }

    @Test(arguments: [
        "", "1", "zzzzzzzzzzzzzzzzzzzz", "0000000000000000000", "00000000000000000001", "ABCDEF00000000000000",
    ])
    func isNothingElse(text: String) {
        #expect(Cursor.link(text) == nil)
    }
}
