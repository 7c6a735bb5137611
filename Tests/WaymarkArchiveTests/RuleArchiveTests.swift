import Testing
import WaymarkAPI
import WaymarkArchive
import WaymarkBytes
import WaymarkJSON
import WaymarkLinks
import WaymarkSQLite
import WaymarkStores

/// Rules with each condition by itself, all together, and each kind of target; and random ones.
enum RuleSamples {
    private typealias Change = @Sendable (inout RuleCondition) -> Void

    private static let conditions: [Change] = [
        { $0.platforms = [.ios, .web] }, { $0.platforms = [.ipad] }, { $0.devices = [.tablet, .unknown] },
        { $0.browsers = ["safari", "firefox"] }, { $0.inApps = ["line"] }, { $0.inApps = ["line", "instagram"] },
        { $0.isInApp = true }, { $0.isInApp = false }, { $0.languages = ["pt-br"] }, { $0.countries = ["BR", "PT"] },
        { $0.query = [.init(name: "a", values: nil)] },
        { $0.query = [.init(name: "b \u{1F342}", values: ["1", ""]), .init(name: "c", values: ["\u{0}é"])] },
        { $0.query = [.init(name: "none", values: []), .init(name: "true", values: ["true"])] },
        { $0.referrerHosts = ["*.example.com", "example.com"].compactMap { HostPattern($0) } },
        { $0.referrerApps = ["com.example.mail"] },
        {
            $0.referrerHosts = [HostPattern("example.com")].compactMap(\.self)
            $0.referrerApps = ["com.example.mail", "com.example.chat"]
        }, { $0.stores = Visitor.Store.allCases },
        { $0.after = Timestamp(rawValue: 1_796_083_200_000) }, { $0.before = Timestamp(rawValue: 1_796_169_600_507) },
        { $0.percentage = 1 }, { $0.percentage = 33 }, { $0.percentage = 100 },
        // No submitted rule has these; JSON can't express them.
        {
            $0.isInApp = true
            $0.inApps = ["line"]
        }, { $0.after = Timestamp(rawValue: .max) },
    ]

    private static func entry(_ url: String, _ fallback: Fallback? = nil) throws -> URLEntry {
        URLEntry(link: try #require(URLPattern(url)), fallback: fallback)
    }

    private static func targets() throws -> [Rule.Target] {
        let page = Fallback.url(try #require(WebURL("https://b.example/app?a=1#b")))
        return [
            .everyone(try entry("https://a.example/:product_id?q=%20")), .platforms([:]),
            .platforms([.ios: try entry("shop://x", .store), .web: try entry("https://b.example/")]),
            .platforms([.android: try entry("shop://x", .web), .ipad: try entry("shop://p/:product_id", page)]),
        ]
    }

    static func all() throws -> [Rule] {
        let targets = try targets()
        let each = conditions.enumerated().map { index, change in
            var when = RuleCondition()
            change(&when)
            return Rule(when: when, to: targets[index % targets.count])
        }
        return each + targets.map { Rule(when: RuleCondition(), to: $0) }
            + targets.map { Rule(name: "é \u{1F342} 7", when: RuleCondition(), to: $0) }
    }

    /// As many rules as a link may have, with random conditions of the above together.
    static func random(_ seed: UInt64) throws -> [Rule] {
        var numbers = SeededNumbers(state: seed)
        return try (0..<Rule.limit).map { _ in
            var when = RuleCondition()
            for change in conditions where Int.random(in: 0..<4, using: &numbers) == 0 { change(&when) }
            return Rule(when: when, to: try #require(targets().randomElement(using: &numbers)))
        }
    }
}

/// SplitMix64 (Steele, Lea and Flood, 2014), the same numbers in each run.
private struct SeededNumbers: RandomNumberGenerator {
    var state: UInt64

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var word = state
        word = (word ^ (word >> 30)) &* 0xBF58_476D_1CE4_E5B9
        word = (word ^ (word >> 27)) &* 0x94D0_49BB_1331_11EB
        return word ^ (word >> 31)
    }
}

@Suite struct RuleArchiveTests {
    private let fixtures: StoreFixtures

    init() throws { fixtures = try StoreFixtures() }

    private func fill(_ rules: [[Rule]]) async throws {
        let store = try SQLiteLinkStore(path: fixtures.path("one"))
        _ = try await store.put(
            StoredApplication(
                id: try StoreFixtures.shop(), domains: [try StoreFixtures.host()],
                document: Array(#"{"id":"shop","domains":["go.example.com"]}"#.utf8), slugRules: SlugRules()),
            expecting: nil
        ) { _ in true }
        let drafts = try rules.enumerated().map { index, rules in
            var draft = try StoreFixtures.draft("link\(index)")
            draft.content.rules = rules
            return draft
        }
        _ = try await store.create(drafts, idempotency: nil)
        await store.close()
    }

    private func rules(_ name: String) async throws -> [[Rule]] {
        let store = try SQLiteLinkStore(path: fixtures.path(name))
        let rules = try await store.list(LinkListing()).links.sorted { $0.id.rawValue < $1.id.rawValue }
            .map(\.content.rules)
        await store.close()
        return rules
    }

    private static func written(_ lines: [[UInt8]]) throws -> [JSONValue] {
        try lines.flatMap { line in
            try JSONValue(parsing: line)["link"]?["rules"]?.array ?? []
        }
    }

    @Test func everyRuleComesBackAsItWas() async throws {
        let all = try [RuleSamples.all()] + (1...40).map { try RuleSamples.random($0) }
        try await fill(all)
        let lines = try fixtures.export("one")
        try fixtures.importing(lines, into: "two")
        #expect(try await rules("two") == all)
        #expect(try fixtures.export("two") == lines)
    }

    @Test func rulesAreWhatTheAPITakesAndGives() async throws {
        try await fill([try RuleSamples.all()])
        let written = try Self.written(try fixtures.export("one"))
        // All but the two that JSON can't express.
        #expect(written.count { $0.string != nil } == 2)
        var body = JSONObject()
        body["rules"] = JSONValue(written.filter { $0.string == nil })
        let request = try LinkRequest(json: JSONValue(body).bytes())
        #expect(request.rules.count == written.count - 2)
        #expect(try JSONValue(parsing: request.json)["rules"] == body["rules"])
    }

    @Test func aRuleIsReadableInTheFile() async throws {
        var when = RuleCondition()
        when.platforms = [.iphone]
        when.countries = ["DE", "AT"]
        when.query = [.init(name: "ref", values: nil)]
        when.percentage = 50
        let entry = URLEntry(link: try #require(URLPattern("shop://sale")), fallback: .store)
        try await fill([[Rule(when: when, to: .platforms([.ios: entry]))]])
        #expect(
            try Self.written(try fixtures.export("one")).map { $0.text() } == [
                #"{"when":{"platform":"iphone","country":["DE","AT"],"query":{"ref":true},"percentage":50},"#
                    + #""to":{"ios":{"link":"shop://sale","fallback":"store"}}}"#
            ])
    }

    @Test func rulesOfEarlierFormatsAreRead() async throws {
        let all = try [RuleSamples.all(), RuleSamples.random(7)]
        try await fill(all)
        let lines = try fixtures.export("one")
        let earlier = try lines.dropLast().map { line in
            let value = try JSONValue(parsing: line)
            guard var link = value["link"]?.object, let slug = link["slug"]?.string,
                let index = Int(slug.dropFirst("link".count))
            else { return line }
            link["rules"] = JSONValue(all[index].map { JSONValue(Hexadecimal.text($0.stored)) })
            var entry = JSONObject()
            entry["link"] = JSONValue(link)
            return JSONValue(entry).bytes()
        }
        try fixtures.importing(StoreFixtures.sealed(earlier, format: 6), into: "two")
        #expect(try await rules("two") == all)
        #expect(try fixtures.export("two") == lines)
    }

    @Test(arguments: [
        #"{"to":"https://a.example/"}"#, #"{"when":{"country":null},"to":"https://a.example/"}"#, #"{"when":{}}"#,
        #"{"when":{},"to":{}, "new":1}"#,
        #"{"when":{"new":"x"},"to":{}}"#, #"{"when":{"platform":"vision"},"to":{}}"#,
        #"{"when":{"platform":1},"to":{}}"#, #"{"when":{"platform":true},"to":{}}"#,
        #"{"when":{"query":{"a":false}},"to":{}}"#, #"{"when":{"after":"soon"},"to":{}}"#,
        #"{"when":{"percentage":0},"to":{}}"#, #"{"when":{"percentage":101},"to":{}}"#,
        #"{"when":{},"to":{"ios":{"link":"shop://x","new":1}}}"#, #"{"when":{},"to":{"ios":{"fallback":"web"}}}"#,
        #"{"when":{},"to":["shop://x"]}"#, "\"01ff\"", "1",
    ])
    func aRuleWithAnythingUnknownIsRefused(rule: String) async throws {
        try await fill([[]])
        var lines = try fixtures.export("one").dropLast()
        let index = try #require(lines.firstIndex { $0.starts(with: Array(#"{"link":"#.utf8)) })
        lines[index] = Array(
            String(decoding: lines[index], as: UTF8.self)
                .replacing(#"{"link":{"#, with: #"{"link":{"rules":[\#(rule)],"#).utf8)
        let changed = StoreFixtures.sealed(lines, format: 7)
        #expect(throws: ArchiveFailure.self) { try fixtures.importing(changed, into: "two") }
    }
}
