import Testing

@testable import WaymarkAPI
@testable import WaymarkLinks

/// What a click brings along, and how it comes to the app.
@Suite struct OpenedSuffixTests {
    @Test(
        arguments: [
            OpenedSuffix(), OpenedSuffix(query: "a=1"), OpenedSuffix(query: ""), OpenedSuffix(query: "/x=1"),
            OpenedSuffix(query: "?x"), OpenedSuffix(fragment: "f"),
            OpenedSuffix(path: "/a/b", query: "c", fragment: "d?e#f"),
            OpenedSuffix(path: "/a", fragment: ""),
        ])
    func `a suffix is read as it is written`(_ suffix: OpenedSuffix) {
        #expect(OpenedSuffix(text: suffix.text) == suffix)
        #expect(OpenedSuffix(text: suffix.stored).text == suffix.text)
    }

    @Test func `a suffix of earlier programs is a query`() {
        #expect(OpenedSuffix(text: "a=1&b=/c") == OpenedSuffix(query: "a=1&b=/c"))
        #expect(OpenedSuffix(query: "a=1").stored == "a=1")
    }

    @Test(arguments: [
        ("section", "section"), ("a b", "a%20b"), ("é", "%C3%A9"), ("a=1&b='c';d/e?f", "a=1&b='c';d/e?f"), ("%", "%25"),
        ("<b>\"", "%3Cb%3E%22"), ("x#y", "x%23y"), ("\\", "%5C"),
    ])
    func `a suffix for a URL has a fragment`(_ given: String, _ sound: String) {
        #expect(OpenedSuffix(fragment: given).soundFragment == sound)
    }

    @Test(arguments: ["", "a\nb", "%0d%0a", String(repeating: "x", count: 2049)])
    func leavesOutUnsoundFragments(_ given: String) {
        #expect(OpenedSuffix(fragment: given).soundFragment == nil)
    }

    @Test func travelsWithTheClickID() throws {
        let id = ClickID.placeholder.text
        let query = ClickQuery("ref=ana%20b&utm_source=é&_hk_md=1")
        let text = id + ClickID.carrying("/more", query)
        let split = ClickID.split(text)
        #expect(split.id == id)
        #expect(split.opened == OpenedSuffix(path: "/more", query: "ref=ana%20b&utm_source=%C3%A9"))
        #expect(ClickID.carrying("", nil).isEmpty && ClickID.carrying("", ClickQuery("")).isEmpty)
        #expect(ClickID.split(id).opened == nil && ClickID.split("a.b").id == "a.b")
        #expect(ClickID.split(id + "%%%").id == id && ClickID.split(id + "%%%").opened == nil)
    }

    /// Anybody can write what follows a click ID.
    @Test(arguments: [
        "/../x", "/%2e%2E/x", "/a/./b", "/a%0Ab", "/..%2f..%2fadmin", "/..;/x", "/x%5C..", "a/b", "//evil.example",
        "/\(String(repeating: "x", count: 2048))",
    ])
    func `a suffix does not change the destination`(path: String) throws {
        for appends in [nil, "append"] {
            let application = try Samples.application { $0.extraPath = appends }
            let link = try Samples.link(Samples.productDraft(), of: application)
            let deepLink = link.deepLink(
                application: application, platform: .web, opened: OpenedSuffix(text: path + "?a=1"))
            let url = try #require(deepLink.url.flatMap { WebURL($0) })
            #expect(url.host?.text == "shop.example.com")
            let isAppended = appends != nil && path == "//evil.example"
            #expect(url.path == "/products/42" + (isAppended ? path : ""))
        }
    }

    @Test func keepsClickIDsShortEnoughForApps() {
        let many = (0..<50).map { "name\($0)=\(String(repeating: "x", count: 30))" }.joined(separator: "&")
        let carried = ClickID.carrying("", ClickQuery(many))
        #expect(carried.utf8.count > 900 && ClickID.length + carried.utf8.count <= 1024)
    }

    /// Names and values that try everything.
    @Test func reachesEveryDestinationWhole() throws {
        let application = try Samples.application { $0.openHost = "open.example.com" }
        var random = RepeatableRandom(state: 47)
        let alphabet = Array("ab/?&=#%+;:@!$'()*,[]{}|\\^`\"<>~. é東😀".unicodeScalars)
        func text() -> String {
            let count = Int.random(in: 1...8, using: &random)
            return String(
                String.UnicodeScalarView(
                    (0..<count).map { _ in alphabet[Int.random(in: 0..<alphabet.count, using: &random)] }))
        }
        for _ in 0..<500 {
            let (name, value, fragment) = ("n" + text(), text(), text())
            let query = encoded(name) + "=" + encoded(value)
            let link = try Samples.link(Samples.productDraft(), of: application)
            let visitor = Visitor(platform: .android, query: query)
            let resolution = link.resolve(
                application: application, visitor: visitor, now: Samples.now, clickID: .placeholder)
            guard case .redirect(let intent) = resolution else { throw Samples.Refused(problems: []) }
            // By click ID.
            let id = try #require(intent.url.firstRange(of: "_hk_cid=")).upperBound
            let opened = ClickID.split(String(intent.url[id...].prefix { $0 != "&" && $0 != "#" })).opened
            #expect(
                link.deepLink(application: application, platform: .android, opened: opened).queryParameters[name]
                    == value)
            // By Play's referrer.
            let field = try #require(intent.url.firstRange(of: "S.browser_fallback_url=")).upperBound
            let store = try #require(WebURL(decoded(intent.url[field...].prefix { $0 != ";" })))
            let referrer = decoded(
                try #require(store.query?.split(separator: "&").first { $0.hasPrefix("referrer=") }).dropFirst(9))
            let click = try #require(DeferredClick(referrer: referrer + "&waymark_fragment=" + encoded(fragment)))
            let installed = link.deepLink(application: application, platform: .android, opened: click.opened)
            #expect(installed.queryParameters[name] == value && click.clickID == ClickID.placeholder.text)
            // By URL, with the fragment.
            let byURL = link.deepLink(
                application: application, platform: .android, opened: OpenedSuffix(query: query, fragment: fragment))
            #expect(byURL == installed)
            let url = try #require(byURL.url)
            #expect(URLPattern(url) != nil)
            #expect(decoded(url.split(separator: "#", maxSplits: 1).last ?? "") == fragment)
        }
    }

    private func encoded(_ text: String) -> String {
        text.utf8.map { byte in
            let digits = String(byte, radix: 16, uppercase: true)
            return "%" + (digits.utf8.count < 2 ? "0" : "") + digits
        }.joined()
    }

    private func decoded(_ text: Substring) -> String {
        var bytes: [UInt8] = []
        var rest = Array(text.utf8)[...]
        while let byte = rest.popFirst() {
            if byte == UInt8(ascii: "%"), let value = UInt8(String(decoding: rest.prefix(2), as: UTF8.self), radix: 16)
            {
                rest = rest.dropFirst(2)
                bytes.append(value)
            } else {
                bytes.append(byte)
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }
}
