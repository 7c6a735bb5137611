import Testing
import WaymarkKit

@Suite struct DeepLinkURLTests {
    @Test(arguments: ["", "shop://products/42", "%%%"])
    func keepsAnyTextAsItIs(text: String) {
        #expect(DeepLinkURL(text).text == text)
    }
}
