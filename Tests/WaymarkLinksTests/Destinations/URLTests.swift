import Testing
import WaymarkBytes

@testable import WaymarkAPI
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
        "https://a b.example/", "https://a.example/\u{0}", "https://a.example/\r\nX: y", "https://a.example/\t",
        "https://user@a.example/", "https://user:pass@a.example", "https://ü@a.example/", "https://ü%40a.example/",
        "https://a.example:0/",
        "https://a.example:99999/", "https://a.example:/", "https://a.example:8o/", "https://::1/", "https://[::1/",
        "https://256.1.1.1/", "javascript:alert(1)", "ftp://a.example/", "shop://a", "   ", "https:///ü",
        "https://a..b/", "https://ü..b/", "https://a%00.example/", "https://%2F.example/",
        "https://b%C3%BCcher.example/",
        "https://a.example\\@b.example/", "https:\\\\a.example/x", "https://a.example/?a=\\b",
        "https://a\u{200D}ü.example/", "https://a.example/" + String(repeating: "x", count: 8000),
        "https://a.example/" + String(repeating: "ü", count: 2000), "https://_dmarc-.example/",
    ])
    func refusesWhatIsNoWebURL(_ text: String) {
        #expect(WebURL(text) == nil)
    }

    /// As browsers open it (WHATWG URL), so that the stored text is what they ask for.
    @Test(arguments: [
        ("https://bücher.example/ä", "https://xn--bcher-kva.example/%C3%A4"),
        ("https://Bücher.example:8443?q=ü", "https://xn--bcher-kva.example:8443?q=%C3%BC"),
        ("https://日本語。jp/", "https://xn--wgv71a119e.jp/"), ("https://faß.de", "https://xn--fa-hia.de"),
        ("https://shop_under.example.com/", "https://shop_under.example.com/"),
        ("https://a.example/a b?c d#e f", "https://a.example/a%20b?c%20d#e%20f"),
        ("  https://a.example/x ", "https://a.example/x"), ("https://a.example/100%", "https://a.example/100%25"),
        ("https://a.example/%zz%4?%#%", "https://a.example/%25zz%254?%25#%25"),
        ("https://a.example/%2f%41", "https://a.example/%2f%41"),
        ("https://a.example/#a#b", "https://a.example/#a%23b"),
        ("https://a.example/{a|b}^", "https://a.example/%7Ba%7Cb%7D%5E"),
    ])
    func correctsWhatBrowsersCorrect(_ given: String, _ stored: String) throws {
        let url = try #require(WebURL(given))
        #expect(url.text == stored)
        #expect(WebURL(stored)?.text == stored)
        #expect(url.host != nil)
    }

    @Test func takesEightThousandBytes() {
        let start = "https://a.example/"
        #expect(WebURL(start + String(repeating: "x", count: 8000 - start.utf8.count)) != nil)
        #expect(WebURL(start + String(repeating: "x", count: 8001 - start.utf8.count)) == nil)
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
        "shop://a\nb", "shop:\\\\x",
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

    @Test func `a value does not leave its part of the URL`() throws {
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
