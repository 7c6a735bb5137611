import Testing

@testable import WaymarkSite

@Suite struct MarkupTests {
    @Test(arguments: [
        ("<script>", "&lt;script&gt;"), ("\"'&", "&quot;&#39;&amp;"), ("a\u{0}b\r\nc", "a b  c"),
        ("héllo 👋", "héllo 👋"),
        ("\u{85}\u{7F}", "  "), ("\u{80}\u{9F}\u{A0}", "  \u{A0}"), ("Â\u{C2}é\u{1F}", "Â\u{C2}é "), ("", ""),
    ])
    func escapesWhatIsPutIn(value: String, escaped: String) {
        let markup: Markup = "<p title=\"\(value)\">\(value)</p>"
        #expect(markup.text == "<p title=\"\(escaped)\">\(escaped)</p>")
    }

    @Test func leavesMarkupAsItIs() {
        let inner: Markup = "<b>\("&")</b>"
        let outer: Markup = "<p>\(inner)</p>"
        #expect(outer.text == "<p><b>&amp;</b></p>")
    }
}
