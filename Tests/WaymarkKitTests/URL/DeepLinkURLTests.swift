import Foundation
import Testing

@testable import WaymarkKit

@Suite struct DeepLinkURLTests {
    @Test(arguments: ["", "shop://products/42", "%%%", "\u{0}", ":", "//", "?#?#", "e\u{301}:/\u{301}?\u{301}"])
    func keepsAnyTextAsItIs(text: String) {
        #expect(DeepLinkURL(text).text == text)
    }

    struct Parts: Sendable {
        let text: String
        var scheme: String?
        var authority: String?
        var path = ""
        var query: String?
        var fragment: String?
    }

    @Test(arguments: [
        Parts(text: ""),
        Parts(text: "shop:", scheme: "shop"),
        Parts(text: "shop://", scheme: "shop", authority: ""),
        Parts(text: "shop:///a/b", scheme: "shop", authority: "", path: "/a/b"),
        Parts(text: "shop:a/b", scheme: "shop", path: "a/b"),
        Parts(text: "shop://a/b?c=d&e#f", scheme: "shop", authority: "a", path: "/b", query: "c=d&e", fragment: "f"),
        Parts(text: "shop://a?", scheme: "shop", authority: "a", query: ""),
        Parts(text: "shop://a#", scheme: "shop", authority: "a", fragment: ""),
        Parts(text: "shop://a#b?c", scheme: "shop", authority: "a", fragment: "b?c"),
        Parts(text: "shop://a?b#c#d", scheme: "shop", authority: "a", query: "b", fragment: "c#d"),
        Parts(text: "shop://a?b?c", scheme: "shop", authority: "a", query: "b?c"),
        Parts(text: "/a:b", path: "/a:b"),
        Parts(text: "?a:b", query: "a:b"),
        Parts(text: ":a", path: ":a"),
        Parts(text: "//host/a", authority: "host", path: "/a"),
        Parts(text: "a b://c d", scheme: "a b", authority: "c d"),
        // A combining mark behind a delimiter makes one character of the two, and still two bytes.
        Parts(text: "shop:/\u{301}/a?\u{301}b", scheme: "shop", path: "/\u{301}/a", query: "\u{301}b"),
    ])
    func cutsWhereTheGrammarSays(parts: Parts) {
        let url = DeepLinkURL(parts.text)
        #expect(url.scheme == parts.scheme)
        #expect(url.authority == parts.authority)
        #expect(url.path == parts.path)
        #expect(url.query == parts.query)
        #expect(url.fragment == parts.fragment)
    }

    @Test func putsItsPartsTogetherAgainWhateverTheTextIs() {
        var generator = SeededGenerator(seed: 1)
        for _ in 0..<5_000 {
            let url = DeepLinkURL(generator.text(upTo: 12))
            let again = DeepLinkURL(
                scheme: url.scheme, authority: url.authority, path: url.path, query: url.query, fragment: url.fragment)
            #expect(again == url)
            #expect(Array(again.text.utf8) == Array(url.text.utf8))
        }
    }

    @Test(
        arguments: [
            ("shop://products", "products"), ("shop://", ""), ("shop:///a", ""), ("shop://a:80/b", "a"),
            ("shop://a:/b", "a"),
            ("shop://a:b", "a:b"), ("shop://me@a:80", "a"), ("shop://me:secret@a", "a"), ("shop://a@b@c", "c"),
            ("https://[::1]:8080/x", "::1"), ("https://[::1", "[:"),
            ("https://go.example.com@evil.example/", "evil.example"),
        ] as [(String, String)])
    func findsTheHost(text: String, host: String) {
        #expect(DeepLinkURL(text).host == host)
    }

    @Test func `a URL without an authority has no host`() {
        #expect(DeepLinkURL("shop:a/b").host == nil)
        #expect(DeepLinkURL("a/b").host == nil)
    }

    @Test(
        arguments: [
            ("shop://h", []), ("shop://h/", [""]), ("shop://h/a", ["a"]), ("shop://h/a//b/", ["a", "", "b", ""]),
            ("shop:a/b", ["a", "b"]), ("shop://h/a%2Fb", ["a%2Fb"]),
        ] as [(String, [String])])
    func separatesSegmentsAtSlashesOnly(text: String, segments: [String]) {
        #expect(DeepLinkURL(text).segments.map { String($0) } == segments)
    }

    @Test func separatesQueryItemsAtTheFirstEquals() {
        let items = DeepLinkURL("x:?a=1&b&=c&d=e=f&&").queryItems
        #expect(items.map { String($0.name) } == ["a", "b", "", "d", "", ""])
        #expect(items.map { $0.value.map { String($0) } } == ["1", nil, "c", "e=f", nil, nil])
        #expect(DeepLinkURL("x:?").queryItems.isEmpty)
        #expect(DeepLinkURL("x:").queryItems.isEmpty)
    }

    @Test func takesFoundationsURLByItsText() throws {
        let url = try #require(URL(string: "shop://products/a%2Fb?c=d#e"))
        #expect(url.deepLinkURL == DeepLinkURL("shop://products/a%2Fb?c=d#e"))
    }

    @Test(arguments: [
        ("https://www.example.com/products/42?x=1", "shop://products/42?x=1"),
        ("https://www.example.com", "shop://"), ("https://www.example.com/", "shop://"),
        ("https://me@www.example.com:8080/a/", "shop://a"),
        ("https://www.example.com//a?next=/b/", "shop://a?next=/b/"),
        ("https://www.example.com/a#b/", "shop://a#b/"),
        ("https://www.example.com/@ana/posts", "shop://%40ana/posts"),
        ("https://www.example.com/42:80", "shop://42%3A80"),
    ])
    func turnsAWebLinkIntoALinkOfTheApp(web: String, app: String) {
        #expect(DeepLinkURL(web).asAppLink(scheme: "shop").text == app)
    }
}
