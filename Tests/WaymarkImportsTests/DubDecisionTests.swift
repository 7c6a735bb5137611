import Testing
import WaymarkAPI
import WaymarkImports
import WaymarkJSON
import WaymarkLinks

/// Imported links of Dub lead where Dub leads: platform, then country, then test, then `url`.
@Suite struct DubDecisionTests {
    /// A link with random members, and Dub's own order of them.
    private struct DubLink {
        var ios: String?
        var android: String?
        var geo: [String: String] = [:]
        var variants: [(url: String, share: Int)] = []
        var end: Timestamp?

        static let url = "https://a.example/web"
        static let now = Timestamp(seconds: 1_800_000_000)

        init(_ numbers: inout FixedNumbers) {
            if Bool.random(using: &numbers) { ios = "https://apps.apple.com/app/id1" }
            if Bool.random(using: &numbers) { android = "https://play.example/a" }
            for country in ["DE", "FR", "US"] where Bool.random(using: &numbers) {
                geo[country] = "https://a.example/" + ["x", "y"].randomElement(using: &numbers)!
            }
            guard Bool.random(using: &numbers) else { return }
            let share = Int.random(in: 10...80, using: &numbers)
            variants = [(Self.url, 100 - share), ("https://a.example/test", share)]
            end = Timestamp(seconds: Self.now.seconds + (Bool.random(using: &numbers) ? 3_600 : -3_600))
        }

        var answer: JSONValue {
            var object = JSONObject()
            object["key"] = "sale"
            object["domain"] = "go.example.com"
            object["url"] = JSONValue(Self.url)
            if let ios { object["ios"] = JSONValue(ios) }
            if let android { object["android"] = JSONValue(android) }
            var countries = JSONObject()
            for (country, url) in geo { countries[country] = JSONValue(url) }
            object["geo"] = JSONValue(countries)
            object["testVariants"] = JSONValue(
                variants.map { variant in
                    var object = JSONObject()
                    object["url"] = JSONValue(variant.url)
                    object["percentage"] = JSONValue(variant.share)
                    return JSONValue(object)
                })
            if let end { object["testCompletedAt"] = JSONValue(end.rfc3339) }
            return JSONValue(object)
        }

        func answers(_ platform: Platform, _ country: String?) -> Set<String> {
            if platform.isApple, let ios { return [ios] }
            if platform == .android, let android { return [android] }
            if let country, let url = geo[country] { return [url] }
            if let end, end > Self.now { return Set(variants.map(\.url)) }
            return [Self.url]
        }
    }

    @Test(arguments: 0..<60) func platformCountryAndTestDecideInThisOrder(seed: Int) throws {
        var numbers = FixedNumbers(state: UInt64(seed))
        let dub = DubLink(&numbers)
        let imported = try ImportedLink(.dub, dub.answer)
        for platform in [Platform.iphone, .ipad, .android, .macos, .windows, .linux, .web] {
            for country in ["DE", "FR", "US", "AT", nil] {
                var found: Set<String> = []
                for _ in 0..<60 {
                    let visitor = Visitor(platform: platform, country: country, number: numbers.next())
                    found.insert(imported.answer(visitor, at: DubLink.now))
                }
                #expect(found == dub.answers(platform, country), "\(platform) \(country ?? "-") \(dub)")
            }
        }
    }

    @Test func sharesOfATestAreKept() throws {
        let imported = try ImportedLink(
            .dub,
            [
                "key": "sale", "domain": "go.example.com", "url": "https://a.example/a",
                "ios": "https://apps.apple.com/app/id1",
                "testVariants": [
                    ["url": "https://a.example/a", "percentage": 40], ["url": "https://a.example/b", "percentage": 35],
                    ["url": "https://a.example/c", "percentage": 25],
                ], "testCompletedAt": "2030-01-01T00:00:00.000Z",
            ])
        var numbers = FixedNumbers(state: 1)
        var counts: [String: Int] = [:]
        for _ in 0..<10_000 {
            counts[imported.answer(Visitor(platform: .windows, number: numbers.next())), default: 0] += 1
        }
        for (url, share) in [("a", 4_000), ("b", 3_500), ("c", 2_500)] {
            #expect(abs((counts["https://a.example/\(url)"] ?? 0) - share) < 300, "\(counts)")
        }
    }

    @Test func countriesOfOneURLAreOneRule() throws {
        var geo = JSONObject()
        for first in "ABCDEFGHIJ".unicodeScalars {
            for second in "ABCDEFGHIJ".unicodeScalars { geo["\(first)\(second)"] = "https://a.example/x" }
        }
        let imported = try ImportedLink(
            .dub, ["key": "a", "domain": "go.example.com", "url": "https://a.example/", "geo": JSONValue(geo)])
        #expect(imported.link.content.rules.count == 1)
        #expect(imported.answer(Visitor(platform: .web, country: "JJ")) == "https://a.example/x")
    }

    @Test func aTagKeepsItsComma() async throws {
        let text = "key,domain,url,tags\na,go.example.com,https://a.example/,\"one,two, three\"\n"
        let rows = try await ForeignService.dub.links(in: [file(text)]).all()
        #expect(rows.first?.link.draft.tags == ["one,two", "three"])
    }

    /// Dub's file has a tag "Launch, EU" as it has two tags; its API has both apart.
    @Test func aTagThatMayBeTwoIsNoted() async throws {
        let line = "go.example.com,https://a.example/"
        let text = "key,domain,url,tags\na,\(line),\"Launch, EU\"\nb,\(line),one\nc,\(line),\"x, y, z\"\nd,\(line),\n"
        let source = try await ForeignService.dub.links(in: [file(text)])
        #expect(try await source.all().map(\.link.draft.tags) == [["Launch", "EU"], ["one"], ["x", "y", "z"], []])
        #expect(source.notes.count == 1 && source.notes[0].contains("2 rows"), "\(source.notes)")
        let answer: JSONValue = [
            "key": "a", "domain": "go.example.com", "url": "https://a.example/", "tags": [["name": "Launch, EU"]],
        ]
        #expect(ForeignLink.dub(answer, ForeignTime()).draft.tags == ["Launch, EU"])
    }
}
