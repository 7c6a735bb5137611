import Testing
import WaymarkLinks

struct LinkAliasTests {
    private static let domain = HostName("go.example.com")!

    @Test(
        arguments: [
            ("sale", nil, "sale"), ("spring/sale", nil, "spring/sale"), ("v1.2", nil, "v1.2"),
            ("sale", "other.example.com", "other.example.com/sale"),
            ("spring/sale", "other.example.com", "other.example.com/spring/sale"),
            ("sale", "localhost", "//localhost/sale"),
            ("sale", "[::1]", "//[::1]/sale"), ("menu.de/tv", nil, "go.example.com/menu.de/tv"),
            ("menu.de/tv", "other.example.com", "other.example.com/menu.de/tv"), ("東京", nil, "東京"),
        ])
    func textsAreReadAsTheyAreWritten(slug: String, host: String?, text: String) throws {
        let alias = LinkAlias(try #require(Slug(slug)), on: host.flatMap { HostName($0) })
        #expect(alias.text(of: Self.domain) == text)
        #expect(LinkAlias(text, of: Self.domain) == alias)
        #expect(LinkAlias(stored: alias.stored) == alias)
    }

    @Test(arguments: ["", "/", "//", "//localhost", "//localhost/", "a.example/", "/sale", "sale//x", "x y", "//a b/c"])
    func `a text of another form is not an alias`(text: String) {
        #expect(LinkAlias(text, of: Self.domain) == nil)
        #expect(LinkAlias(stored: text) == nil)
    }

    @Test func theOwnDomainIsNotRepeated() throws {
        let alias = try #require(LinkAlias("go.example.com/sale", of: Self.domain))
        #expect(alias == LinkAlias(try #require(Slug("sale"))))
    }
}
