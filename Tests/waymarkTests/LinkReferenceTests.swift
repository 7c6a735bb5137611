import Testing

@testable import waymark

/// Links as people type them, and what they may have meant.
@Suite struct LinkReferenceTests {
    @Test(arguments: [
        ("https://go.example.com/sale", "go.example.com/sale"), ("go.example.com/sale", "go.example.com/sale"),
        ("sale", "sale"), ("https://go.example.com/sale/?utm_source=a#b", "go.example.com/sale"),
        ("https://go.example.com/sale+", "go.example.com/sale"), ("localhost:8080/sale", "localhost:8080/sale"),
        ("http://127.0.0.1:8080/sale", "127.0.0.1:8080/sale"), ("http://[::1]/sale", "[::1]/sale"),
        ("go.example.com/spring/sale", "go.example.com/spring/sale"), ("intranet/sale", "intranet/sale"),
        ("https://go.example.com/%F0%9F%8D%8F", "go.example.com/🍏"),
        ("https://go.example.com/%zz", "go.example.com/%zz"),
        ("v1.2", "v1.2"),
    ])
    func eachFormOfAnAddressIsRead(text: String, link: String) throws {
        #expect(try LinkReference(text).text == link)
    }

    @Test func slashesOfASlugAreDataInTheAPI() throws {
        #expect(try LinkReference("go.example.com/spring/sale").target == "/api/v1/links/go.example.com/spring%2Fsale")
        #expect(try LinkReference("sale").target == "/api/v1/links/sale")
    }

    @Test(arguments: [
        "", "/", "https://go.example.com", "https://go.example.com/", "go.example.com/", "/sale", "a/b/c", "https:///x",
        "+",
    ])
    func otherTextsAreNoLinks(text: String) {
        #expect(throws: CommandFailure.self) { try LinkReference(text) }
    }

    private static let links = [
        LinkReference(domain: "go.example.com", slug: "hello"), LinkReference(domain: "go.example.com", slug: "help"),
        LinkReference(domain: "b.example.com", slug: "hello"),
        LinkReference(domain: "go.example.com", slug: "sale-2027"),
        LinkReference(domain: "go.example.com", slug: "hellos"),
        LinkReference(domain: "go.example.com", slug: "helloo"),
    ]

    @Test(arguments: [
        ("go.example.com/helol", ["go.example.com/hello"]), ("go.exmaple.com/hello", ["go.example.com/hello"]),
        ("HELLO", ["b.example.com/hello"]), ("sale", ["go.example.com/sale-2027"]), ("zzzzz", []),
        ("go.example.com/sael-2027", ["go.example.com/sale-2027"]),
    ])
    func theNearestLinksComeFirst(text: String, nearest: [String]) throws {
        let found = LinkSuggestions.nearest(try LinkReference(text), in: Self.links).map(\.text)
        #expect(Array(found.prefix(1)) == nearest && found.count <= 3, "\(found)")
    }

    @Test(arguments: [
        ("helol", "hello", 1), ("abc", "abc", 0), ("", "abc", 3), ("ca", "abc", 3), ("kitten", "sitting", 3),
    ])
    func anExchangeOfNeighboursIsOneMistake(one: String, other: String, distance: Int) {
        #expect(NearestName.distance(one, other) == distance)
        #expect(NearestName.distance(other, one) == distance)
    }

    @Test func longTextsAreNotCompared() {
        #expect(NearestName.distance(String(repeating: "a", count: 1_000_000), "a") == .max)
        #expect(NearestName.distance("a", String(repeating: "a", count: 1_000_000)) == .max)
    }
}
