import Testing

/// The host in `Referer`, however long the rest is.
@Suite struct LongReferrerTests {
    private static let path = String(repeating: "x", count: 10_000)

    @Test(arguments: [
        ("https://news.example/\(path)", true), ("HTTP://News.Example?\(path)", true), ("http://news.example", true),
        ("https://news.example:443#\(path)", true), ("https://\(path).news.example/", false),
        ("https://\(path)", false), ("ftp://news.example/", false), ("https:/news.example/", false), ("http", false),
        ("https://", false), ("news.example", false), ("", false),
    ])
    func aRuleReadsItsFirstBytes(referrer: String, matches: Bool) async throws {
        try await SiteFixture.run(.inProcess) { fixture in
            _ = try await fixture.create(
                """
                {"slug": "a", "urls": {"web": "https://shop.example.com/"}, "rules": [
                    {"when": {"referrerHost": "news.example"}, "to": "https://shop.example.com/news"}]}
                """)
            let answer = try await fixture.visit("/a", headers: [("Referer", referrer)])
            #expect(answer[header: "Location"] == "https://shop.example.com/" + (matches ? "news" : ""))
        }
    }
}
