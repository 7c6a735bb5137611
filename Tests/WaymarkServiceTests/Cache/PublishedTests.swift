import Testing
import WaymarkService

@Suite struct PublishedTests {
    @Test func aReadThatBeganEarlierDoesNotReplaceALaterOne() {
        let published = Published("old")
        let refresh = published.ticket()
        let change = published.ticket()
        #expect(published.publish(change) { _ in "new" })
        #expect(!published.publish(refresh) { _ in "old again" })
        #expect(published.current == "new")
    }

    @Test func aReadThatFoundNothingNewStillKeepsEarlierOnesOut() {
        let published = Published("now")
        let early = published.ticket()
        let late = published.ticket()
        #expect(!published.publish(late) { _ in nil })
        #expect(!published.publish(early) { _ in "before" })
        #expect(published.current == "now")
    }

    @Test func aViewSeesEachPublicationAtItsNextLook() {
        let published = Published(1)
        var view = PublishedView(published)
        #expect(view.current() == 1)
        published.publish(published.ticket()) { $0 + 1 }
        #expect(view.current() == 2)
    }
}
