import Testing
import WaymarkLinks
import WaymarkStores

@Suite struct RuleCodecTests {
    private static func entry(_ url: String) throws -> URLEntry {
        URLEntry(link: try #require(URLPattern(url)), fallback: nil)
    }

    private static func rules() throws -> [Rule] {
        var when = RuleCondition()
        when.platforms = [.ios, .web]
        when.devices = [.tablet]
        when.browsers = ["safari", "firefox"]
        when.inApps = ["line"]
        when.isInApp = true
        when.languages = ["pt-br"]
        when.countries = ["BR", "PT"]
        when.query = [
            .init(name: "a", values: nil), .init(name: "b", values: ["1", ""]), .init(name: "c", values: ["é"]),
        ]
        when.referrerHosts = try ["*.example.com", "example.com"].map { try #require(HostPattern($0)) }
        when.referrerApps = ["com.example.mail"]
        when.stores = [.appGallery, .microsoft]
        when.after = Timestamp(rawValue: 1_796_083_200_000)
        when.before = Timestamp(rawValue: 1_796_169_600_500)
        when.percentage = 33
        return [
            Rule(name: "Länder", when: when, to: .everyone(try entry("https://a.example/:product_id"))),
            Rule(
                when: RuleCondition(),
                to: .platforms([.ios: try entry("shop://x"), .web: try entry("https://b.example/")])),
        ]
    }

    @Test func decodesWhatItEncoded() throws {
        for rule in try Self.rules() { #expect(Rule(stored: rule.stored) == rule) }
        let content = LinkContent(rules: try Self.rules())
        #expect(try LinkContentCodec.decode(LinkContentCodec.encode(content)) == content)
        #expect(content.isFound(by: LiteralSearch("b.example")))
    }

    @Test func refusesBytesThatAreNoRule() {
        #expect(Rule(stored: [1, 2, 3]) == nil)
    }

    @Test func doesNotTrapOnDamagedBytes() throws {
        let bytes = LinkContentCodec.encode(LinkContent(rules: try Self.rules()))
        for index in bytes.indices {
            var damaged = bytes
            damaged[index] ^= 0x55
            _ = try? LinkContentCodec.decode(damaged)
            _ = try? LinkContentCodec.decode(Array(bytes[..<index]))
        }
    }
}
