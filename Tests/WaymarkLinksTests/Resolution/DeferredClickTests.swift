import Testing
import WaymarkLinks

@Suite struct DeferredClickTests {
    @Test(arguments: [
        ("waymark=abc&deeplink=x", "abc"), ("utm_source=a&waymark=abc", "abc"), ("waymark%3Dabc%26deeplink%3Dx", "abc"),
        ("waymark=a%2Db", "a-b"), ("waymark=", ""),
    ])
    func findsAnIDInAReferrer(text: String, id: String) {
        #expect(DeferredClick(referrer: text)?.clickID == id)
    }

    @Test(arguments: ["", "waymark", "utm_source=waymark", "xwaymark=abc", "deeplink=shop%3A%2F%2Fx%3Fwaymark%3Dabc"])
    func findsNoneElsewhere(text: String) {
        #expect(DeferredClick(referrer: text) == nil)
    }
}
