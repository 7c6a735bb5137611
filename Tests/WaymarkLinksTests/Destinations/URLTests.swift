import Testing
import WaymarkBytes

@testable import WaymarkLinks

@Suite struct URLTests {
    @Test func cutsAWebURLIntoItsParts() throws {
        let url = try #require(WebURL("https://Shop.example.com:8443/a/b?c=d&e#f?g"))
        #expect(url.scheme == .https)
        #expect(url.host?.text == "shop.example.com")
        #expect(url.port == 8443)
        #expect(url.path == "/a/b")
        #expect(url.query == "c=d&e")
        #expect(url.fragment == "f?g")
        #expect(url.origin == "https://Shop.example.com:8443")
        let bare = try #require(WebURL("http://[::1]"))
        #expect(bare.host?.text == "[::1]")
        #expect(bare.port == nil)
        #expect(bare.isOrigin)
    }

    @Test(arguments: [
        "", "shop.example.com", "//shop.example.com", "/a", "https:", "https://", "https:///a", "https:a", "https:/a",
        "https://a b.example/", "https://a.example/a b", "https://a.example/\u{0}", "https://a.example/\r\nX: y",
        "https://user@a.example/", "https://user:pass@a.example", "https://a.example\\@b.example/",
        "https://a.example:0/",
        "https://a.example:99999/", "https://a.example:/", "https://a.example:8o/", "https://::1/", "https://[::1/",
        "https://a.example/%", "https://a.example/%4", "https://a.example/%zz", "https://a.example/#a#b",
        "https://bücher.example/", "https://256.1.1.1/", "javascript:alert(1)", "ftp://a.example/", "shop://a",
        " https://a",
        "https://a..b/", "https://a.example/" + String(repeating: "x", count: 4096),
    ])
    func refusesWhatIsNoWebURL(_ text: String) {
        #expect(WebURL(text) == nil)
    }

    @Test func encodesWhatIsNotASCII() {
        #expect(WebURL("https://a.example/ö?q=\"<é>")?.text == "https://a.example/%C3%B6?q=%22%3C%C3%A9%3E")
        #expect(WebURL("HTTPS://a.example/%2f")?.text == "https://a.example/%2f")
    }

    @Test(arguments: [
        "javascript:alert(1)", "JaVaScRiPt:alert(1)", "data:text/html,x", "vbscript:x", "file:///etc/passwd", "blob:x",
        "about:blank", "intent://x#Intent;end", "view-source:https://a.example", "content://x", "filesystem:x",
        "1a://x",
        ":x", "sh op://x", "shop://user@products/1", "shop://:id/x", "shop://a/:id.json", "https://a.example/x?:name=1",
        "https://a.example/x?q=:id-", "https://a.example/#/products/:id", "https://:host/a", "https://a.example:port/",
        "shop://a\nb", "shop://a b", "shop:\\\\x",
    ])
    func refusesPatternsThatLeadAstray(_ text: String) {
        #expect(URLPattern(text) == nil)
    }

    @Test(
        arguments: [
            ("https://shop.example.com/products/:id", ["id"]), ("shop://products/:id?ref=:ref#top", ["id", "ref"]),
            ("shop://", []), ("shop:products/:id", ["id"]), ("https://en.wikipedia.org/wiki/Help:Contents", []),
            ("https://a.example/a/:id/:id2?x=:_y&z=a:b", ["id", "id2", "_y"]), ("https://a.example/#:~:text=x", []),
            ("https://a.example/:30/?t=:30", []), ("mailto:a@b.example", []), ("shop://a/::x", []),
        ] as [(String, [String])])
    func findsVariablesOnlyWhereTheyMayStand(_ text: String, _ names: [String]) throws {
        #expect(try #require(URLPattern(text)).variables == Set(names))
    }

    @Test func fillsEachVariableAsOnePart() throws {
        let pattern = try #require(URLPattern("https://a.example/p/:id/:id2/x?q=:q&r=:id#f"))
        let filled = pattern.fill([
            "id": Samples.text("a/b c+d"), "id2": Samples.text("?#&=%:@"), "q": Samples.text("é&q=1"),
        ])
        #expect(
            filled == "https://a.example/p/a%2Fb%20c%2Bd/%3F%23%26%3D%25%3A%40/x?q=%C3%A9%26q%3D1&r=a%2Fb%20c%2Bd#f")
    }

    @Test func neverLetsAValueLeaveItsPlace() throws {
        let pattern = try #require(URLPattern("https://a.example/p/:x?y=:y#z"))
        var random = RepeatableRandom(state: 4)
        for _ in 0..<2000 {
            let scalars = (0..<Int.random(in: 1...12, using: &random)).map { _ in
                Unicode.Scalar(UInt32.random(in: 1...0x24F, using: &random)) ?? "x"
            }
            let value = String(String.UnicodeScalarView(scalars))
            let filled = pattern.fill(["x": Samples.text(value), "y": Samples.text(value)])
            let url = try #require(WebURL(filled))
            #expect(url.host?.text == "a.example")
            #expect(url.path.utf8.filter { $0 == UInt8(ascii: "/") }.count == 2)
            #expect(url.fragment == "z")
            #expect(
                PercentEncoding.decodeTextLeniently(url.path.utf8) == "/p/"
                    + value)
        }
    }

    @Test func seesNamesInTheWrongPlace() throws {
        #expect(try #require(URLPattern("https://a.example/p-:id")).misplaced(["id"]) == "id")
        #expect(try #require(URLPattern("https://a.example/p-:id2")).misplaced(["id"]) == nil)
        #expect(try #require(URLPattern("https://a.example/:id?x=a:id")).misplaced(["id"]) == "id")
        #expect(try #require(URLPattern("https://a.example/:id?x=:id")).misplaced(["id"]) == nil)
    }

    @Test(arguments: [
        ("/products/:id/", "products/:id"), ("a//b", "a/b"), ("products/:product_id", "products/:product_id"),
        (":a/:b", ":a/:b"),
    ])
    func sanitizesRoutes(_ given: String, _ text: String) throws {
        #expect(try #require(Route(given)).text == text)
    }

    @Test(arguments: [
        "", "/", "a?b", "a#b", ":a/:a", "p-:id", "a/:id.json", ":", "a b", "a/../b", ".", "ä", "a\\b", "a%2", "a\0",
        String(repeating: "a/", count: 33), String(repeating: "a", count: 513),
    ])
    func refusesWhatIsNoRoute(_ text: String) {
        #expect(Route(text) == nil)
    }

    @Test(arguments: ["shop", "com.example.shop", "fb123", "a+b-c"])
    func takesAnAppsScheme(_ text: String) {
        #expect(URLScheme.checkCustom(text).value?.text == text)
    }

    @Test(arguments: ["", "1a", "a b", "shop:", "http", "HTTPS", "javascript", "DATA", "intent", "ä", "a_b"])
    func refusesAnyOtherScheme(_ text: String) {
        #expect(URLScheme.checkCustom(text).value == nil)
    }
}
