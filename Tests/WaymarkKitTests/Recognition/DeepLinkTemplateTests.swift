import Testing

@testable import WaymarkKitCompatibility

@Suite struct DeepLinkTemplateTests {
    private let typed = DeepLinkTemplate().term("t").int(named: "i").double(named: "d").bool(named: "b").string(
        named: "s")

    @Test(arguments: [
        ("x://t/1/2/true/a", true), ("x://t/+4/1e3/false/a", true), ("x://t/007/inf/true/a", true),
        ("x://t/-7/nan/true/a", true), ("x://t/1/0x1p3/true/a", true), ("x://t/4.0/1/true/a", false),
        ("x://t/1/x/true/a", false), ("x://t/1/1/True/a", false), ("x://t/1/1/1/a", false), ("x://T/1/1/true/a", false),
        ("x://t/1/1/true", false), ("x://t/1/1/true/a/b", false), ("x://t/99999999999999999999/1/true/a", false),
        ("x:t/1/1/true/a", true), ("x:///t/1/1/true/a//", true), ("x://t//1/1/true/a/", true), ("t/1/1/true/a", true),
        ("x://u@t:80/%31/1/tru%65/a", true),
    ])
    func convertsAsSwiftDoes(url: String, matches: Bool) {
        #expect((typed.values(in: url) != nil) == matches)
    }

    @Test(arguments: [
        ("x://a%20b", "a b"), ("x://a%2Fb", "a/b"), ("x://a+b", "a+b"), ("x://%25", "%"), ("x://%2525", "%25"),
        ("x://%zz", "%zz"),
    ])
    func decodesEachPartOnce(url: String, value: String) {
        #expect(DeepLinkTemplate().string(named: "s").values(in: url)?.path["s"] as? String == value)
    }

    private let query = DeepLinkTemplate().term("a").queryStringParameters([
        .requiredInt(named: "i"), .optionalString(named: "s"), .optionalBool(named: "b"),
    ])

    @Test(
        arguments: [
            ("i=1", "i=1"), ("i=1&s=a%20b+c", "i=1 s=a b+c"), ("i=1&s=", "i=1 s="), ("i=1&b=maybe", "i=1"),
            ("i=1&other=2", "i=1"), ("i=1&i=x", nil), ("i=x&i=1", "i=1"), ("i=%31", nil), ("%69=1", nil), ("i", nil),
            ("i=1=2", nil), ("i=1&s=a=b", "i=1"), ("s=a", nil), ("_hk_cid=C1&i=1", "i=1"), ("", nil),
        ] as [(String, String?)])
    func readsTheQueryAsWritten(text: String, found: String?) {
        let values = query.values(in: "x://a?" + text)
        #expect(values.map { $0.query.map { "\($0)=\($1)" }.sorted().joined(separator: " ") } == found)
    }

    @Test func toleratesAnUndeclaredQueryWhereAsked() {
        let template = DeepLinkTemplate().term("a")
        let tolerant = DeepLinkMatchingOptions(toleratesUndeclaredQuery: true)
        for url in ["x://a?utm_source=x", "x://a?"] {
            #expect(template.values(in: url) == nil)
            #expect(template.values(in: url, options: tolerant) != nil)
        }
        // What the service adds keeps no URL from matching.
        #expect(template.values(in: "x://a?_hk_cid=C1&_hk_md=1") != nil)
        #expect(template.values(in: "x://b?x", options: tolerant) == nil)
    }

    @Test(arguments: [
        ("https://go.example.com/a", true, true, true), ("HTTPS://GO.example.com/a", true, true, true),
        ("http://other.example/a", true, false, true), ("https://a", false, false, false),
        ("shop://a", true, true, false),
        ("shop://go.example.com/a", false, false, true), ("https:/a", true, false, false),
    ])
    func leavesTheHostOfAWebLinkOutWhereAsked(url: String, isLeftOut: Bool, isOwn: Bool, asFirstPart: Bool) {
        let template = DeepLinkTemplate().term("a")
        func matches(_ template: DeepLinkTemplate, _ webHost: DeepLinkMatchingOptions.WebHost) -> Bool {
            template.values(in: url, options: DeepLinkMatchingOptions(webHost: webHost)) != nil
        }
        #expect(matches(template, .isLeftOut) == isLeftOut)
        #expect(matches(template, .isOneOf(["go.example.com"])) == isOwn)
        #expect(matches(DeepLinkTemplate().string(named: "host").term("a"), .isFirstPart) == asFirstPart)
    }

    @Test func keepsTheFirstOfTwoParametersOfAName() {
        let template = DeepLinkTemplate().queryStringParameters([.requiredInt(named: "n"), .requiredString(named: "n")])
        #expect(template.parameters.count == 1)
        #expect(template.queryStringParameters([]).parameters.isEmpty)
    }

    @Test func handsTheFragmentOverAsWritten() {
        #expect(DeepLinkTemplate().term("a").values(in: "x://a#x%20y?z")?.fragment == "x%20y?z")
        #expect(DeepLinkTemplate().term("a").values(in: "x://a#")?.fragment == "")
    }
}
