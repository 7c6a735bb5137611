import Testing
import WaymarkJSON

/// Random links, changes and visitors: what a rehearsal says of recorded clicks is what the same visits of changed links get.
@Suite struct RehearsalAgreementTests {
    private static let agents = [
        Agent.windows, Agent.iphone, Agent.ipad, Agent.android,
        "Mozilla/5.0 (X11; Linux x86_64; rv:132.0) Gecko/20100101 Firefox/132.0",
    ]
    /// In an order in which none takes all visitors of a later one: the API refuses such rules.
    private static let conditions = [
        #""language": "en", "platform": "windows""#, #""referrerHost": "news.example""#, #""language": "de""#,
        #""browser": ["firefox", "chrome"]"#, #""platform": ["ios", "linux"]"#, #""platform": "windows""#, "",
    ]
    private static let links = 3

    /// Where two visits were led; `nil` of a link that leads nowhere.
    private struct Pair: Hashable {
        var from: String?
        var to: String?
    }

    private static func rules(_ random: inout SeededRandom) -> String {
        let rules = conditions.filter { _ in random.often(35) }.map { condition in
            #"{"when": {\#(condition)}, "to": "https://\#(random.one(["a", "b", "c"])).example/"}"#
        }
        return "[\(rules.joined(separator: ", "))]"
    }

    private static func headers(_ random: inout SeededRandom) -> [(String, String)] {
        var headers: [(String, String)] = []
        if random.often(50) { headers.append(("Accept-Language", random.one(["de-AT,de;q=0.9", "en", "fr"]))) }
        if random.often(40) {
            headers.append(("Referer", random.one(["https://news.example/x", "https://other.example/"])))
        }
        return headers
    }

    @Test(arguments: 1...8 as ClosedRange<UInt64>)
    func `a rehearsal agrees with visits of changed links`(_ seed: UInt64) async throws {
        var random = SeededRandom(state: seed)
        try await SiteFixture.run(.inProcess) { fixture in
            let patch = random.often(20) ? #""disabled": true"# : #""rules": \#(Self.rules(&random))"#
            for index in 0..<Self.links {
                let link = #""urls": {"web": "https://web.example/\#(index)"}"#
                let before = #"{"slug": "s\#(index)", "tags": ["t"], "rules": \#(Self.rules(&random)), \#(link)}"#
                _ = try await fixture.create(before)
                // The same link as the change would make it.
                _ = try await fixture.create(#"{"slug": "c\#(index)", \#(patch), \#(link)}"#)
            }
            var expected: [Pair: Int] = [:]
            for _ in 0..<40 {
                let index = Int.random(in: 0..<Self.links, using: &random)
                let (agent, headers) = (random.one(Self.agents), Self.headers(&random))
                let from = try await fixture.visit("/s\(index)", as: agent, headers: headers)
                let to = try await fixture.visit("/c\(index)", as: agent, headers: headers)
                expected[Pair(from: from[header: "Location"], to: to[header: "Location"]), default: 0] += 1
            }
            fixture.clock.advance(seconds: 24 * 60 * 60)
            let answer = try await fixture.call(
                "POST", "/api/v1/changes:rehearse", #"{"select": {"tag": "t"}, "patch": {\#(patch)}}"#)
            let rehearsal = answer.json["rehearsal"]
            #expect(rehearsal?["clicks"] == 40, "\(answer.text)")
            #expect(rehearsal?["undecidable"] == 0)
            var found: [Pair: Int] = [:]
            for group in rehearsal?["byOutcome"]?.array ?? [] {
                let pair = Pair(from: group["from"]?["url"]?.string, to: group["to"]?["url"]?.string)
                found[pair, default: 0] += group["clicks"]?.integer ?? 0
            }
            #expect(found == expected, "seed \(seed)")
            let moved = expected.filter { $0.key.from != $0.key.to }.values.reduce(0, +)
            // Another rule may lead to the same place.
            #expect(rehearsal?["changed"]?.integer ?? 0 >= moved)
            #expect((rehearsal?["equal"]?.integer ?? 0) + (rehearsal?["changed"]?.integer ?? 0) == 40)
        }
    }
}
