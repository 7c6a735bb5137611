import Testing
import WaymarkAssociation

/// How Android 15 and later holds dynamic rules against URLs, and where that is not what Apple's systems do.
@Suite struct AndroidSemanticsTests {
    enum Verdict: Sendable { case opens, stays, excluded }

    private static func file(_ rules: String) -> String {
        """
        [{"relation": ["delegate_permission/common.handle_all_urls"],
          "target": {"namespace": "android_app", "package_name": "com.example.app",
                     "sha256_cert_fingerprints": ["\(fingerprint("AB"))"]},
          "relation_extensions": {"delegate_permission/common.handle_all_urls": {"dynamic_app_link_components": \(rules)}}}]
        """
    }

    @Test(arguments: [
        // A * stops at the first place where the next character stands, and does not back off.
        (#"[{"/": "/a*c"}]"#, "/abc", Verdict.opens), (#"[{"/": "/a*c"}]"#, "/abcbc", .stays),
        (#"[{"/": "/*.html"}]"#, "/a.b.html", .stays), (#"[{"/": "/a*"}]"#, "/a/b/c", .opens),
        (#"[{"/": "/*/x"}]"#, "/a/b/x", .stays), (#"[{"/": "/*/x"}]"#, "/a/x", .opens),
        // No parent, and slashes at the end count.
        (#"[{"/": "/x/*"}]"#, "/x", .stays), (#"[{"/": "/x/*"}]"#, "/x/", .opens), (#"[{"/": "/x"}]"#, "/x/", .stays),
        (#"[{"/": "/x"}]"#, "/X", .stays), (#"[{"/": "/?"}]"#, "/a", .opens), (#"[{"/": "/?"}]"#, "/", .stays),
        (#"[{"/": "/?*"}]"#, "/", .stays), (#"[{"/": "/?*"}]"#, "/ab", .opens),
        // Decoded.
        (#"[{"/": "/a b"}]"#, "/a%20b", .opens), (#"[{"/": "/a%20b"}]"#, "/a%20b", .stays),
        (#"[{"/": "/ü"}]"#, "/%C3%BC", .opens),
        // A missing item or fragment fits nothing; of several items one is enough.
        (#"[{"?": {"a": "*"}}]"#, "/", .stays), (#"[{"?": {"a": "*"}}]"#, "/?a=", .opens),
        (#"[{"?": {"a": "1"}}]"#, "/?a=2&a=1", .opens), (#"[{"?": {"a": "1", "b": "2"}}]"#, "/?b=2&c&a=1", .opens),
        (#"[{"?": {"a": "1", "b": "2"}}]"#, "/?a=1", .stays), (#"[{"?": {"a": "?*"}}]"#, "/?a=", .stays),
        (##"[{"#": "*"}]"##, "/", .stays), (##"[{"#": "*"}]"##, "/#x", .opens), (##"[{"#": "x"}]"##, "/#xy", .stays),
        (##"[{"/": "/a", "#": "b"}]"##, "/a#b", .opens), (##"[{"/": "/a", "#": "b"}]"##, "/a", .stays),
        // The first that fits decides; where none does, the link stays in the browser.
        (#"[{"/": "/a", "exclude": true}, {"/": "*"}]"#, "/a", .excluded),
        (#"[{"/": "/a", "exclude": true}, {"/": "*"}]"#, "/b", .opens),
        (#"[{"/": "*"}, {"/": "/a", "exclude": true}]"#, "/a", .opens), (#"[{"/": "/a"}]"#, "/b", .stays),
        (#"[{"/": "/a", "exclude": false}]"#, "/a", .opens),
    ])
    func matches(rules: String, url: String, verdict: Verdict) throws {
        let answer = try Self.answer(Self.file(rules), url)
        #expect(answer.opens == (verdict == .opens), "\(answer.text)")
        #expect(answer.excluded == (verdict == .excluded), "\(answer.text)")
        #expect(answer.documented, "\(answer.text)")
    }

    /// One rule that is not as it should be, and the manifest alone decides.
    @Test(arguments: [
        "[]", "{}", #"[{}]"#, #"[{"/": "/a"}, {"/": ""}]"#, #"[{"/": "/a"}, {"/": 1}]"#,
        #"[{"/": "/a"}, {"?": "a=1"}]"#,
        #"[{"/": "/a"}, {"?": {}}]"#, #"[{"/": "/a"}, {"?": {"b": 1}}]"#,
        #"[{"/": "/a"}, {"/": "/b", "exclude": "true"}]"#,
        #"[{"/": "/a"}, "b"]"#, ##"[{"/": "/a"}, {"#": null}]"##,
    ])
    func dropsAllRulesForOneThatIsMalformed(rules: String) throws {
        let answer = try Self.answer(Self.file(rules), "/b")
        #expect(answer.opens, "\(answer.text)")
        #expect(answer.component == nil)
        #expect(answer.warnings.contains { $0.hasPrefix("Android drops all dynamic rules of com.example.app") })
    }

    private static func answer(_ file: String, _ url: String) throws -> SimulationResult {
        switch AssociationSimulation.simulate(file: Array(file.utf8), url: "https://example.com" + url) {
        case .answer(let answer): return answer
        case .unusable(let reason):
            Issue.record("\(reason)")
            return SimulationResult()
        }
    }
}
