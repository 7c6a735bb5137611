import Testing

@testable import WaymarkService

/// RFC 9309.
@Suite struct RobotsRulesTests {
    @Test(arguments: [
        ("", "/a", true), ("User-agent: *\nDisallow: /", "/a", false), ("User-agent: *\nDisallow:", "/a", true),
        ("User-agent: other\nDisallow: /", "/a", true),
        ("user-agent: WAYMARK-VERIFIER\ndisallow: /a", "/ab", false),
        // The group of this program counts alone.
        ("User-agent: *\nDisallow: /\n\nUser-agent: waymark-verifier\nDisallow: /b", "/a", true),
        ("User-agent: waymark-verifier\nUser-agent: other\nDisallow: /a", "/a", false),
        // The longest pattern decides, allowing wins a tie.
        ("User-agent: *\nDisallow: /a\nAllow: /a/b", "/a/b/c", true),
        ("User-agent: *\nDisallow: /a/b\nAllow: /a", "/a/b/c", false),
        ("User-agent: *\nDisallow: /a\nAllow: /a", "/a", true),
        ("User-agent: *\nDisallow: /*.pdf$", "/x/y.pdf", false),
        ("User-agent: *\nDisallow: /*.pdf$", "/x/y.pdf?z", true),
        ("User-agent: *\nDisallow: /*/b", "/a/b", false),
        ("# a comment\nUser-agent: * # all\nDisallow: /a # b", "/a", false),
        ("\u{FEFF}User-agent: *\r\nDisallow: /a\r\n", "/b", true), ("nonsense\n:::\nDisallow: /a", "/a", true),
    ])
    func `a path is allowed by the rules of its group`(file: String, path: String, isAllowed: Bool) {
        #expect(RobotsRules(Array(file.utf8)).allows(path) == isAllowed)
    }

    @Test func `hostile patterns cost little`() {
        let pattern = String(repeating: "*a", count: 500)
        let file = "User-agent: *\n" + String(repeating: "Disallow: /\(pattern)b\n", count: 600)
        #expect(RobotsRules(Array(file.utf8)).allows("/" + String(repeating: "a", count: 2_000)))
    }
}
