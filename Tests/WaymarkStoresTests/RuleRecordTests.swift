import Testing
import WaymarkLinks

@testable import WaymarkStores

/// The rules of clicks in what stores keep, beside what earlier versions read and wrote.
@Suite struct RuleRecordTests {
    private static let link = LinkID(rawValue: 7)

    private static func block(_ rules: [ClickRule]) -> ClickBlock {
        let profiles = rules.map { rule in
            Click(
                link: link, time: Timestamp(seconds: 0), kind: UserAgent.classify("curl/8"), destination: .web,
                campaign: Click.Name("spring"), rule: rule
            ).profile
        }
        var writer = ClickBlockWriter(profiles)
        writer.begin(day: 0, salt: nil)
        for (index, _) in profiles.enumerated() { writer.add(second: 60, subscriber: 1, profile: index) }
        return ClickBlock(
            key: ClickBlock.Key(link: link, day: 0, number: 1), bytes: writer.finish(), tally: writer.takeTally())
    }

    private static let named = [ClickRule("B", isVariant: true), ClickRule("2", isVariant: false), .none]

    @Test func `a block gives back the rules of its clicks`() throws {
        let records = try #require(Self.block(Self.named).contents).records
        #expect(records.map { $0.profile[.rule] } == ["B", "2", nil])
        #expect(records.map { $0.profile[.variant] } == ["B", nil, nil])
    }

    @Test func `a block without rules is as earlier versions read it`() throws {
        let (plain, ruled) = (Self.block([.none]), Self.block(Self.named))
        #expect(plain.bytes.first == 1 && plain.need == nil)
        #expect(ruled.bytes.first == 2 && ruled.need?.level == .v0_3)
        let stripped = ruled.withoutRules
        #expect(stripped.need == nil && stripped.key == ruled.key)
        var records = try #require(ruled.contents).records
        for index in records.indices {
            for field in ClickField.ofRules { records[index].profile[field] = nil }
        }
        #expect(try #require(stripped.contents).records == records)
        #expect(plain.withoutRules.bytes == plain.bytes)
    }

    private static func total(_ rules: [ClickRule]) throws -> ClickTotal {
        var change = TotalsChange()
        change.add(block(rules), application: 1, host: 1)
        return try #require(change.totals { _ in "go.example.com" }.first?.total.total)
    }

    @Test func `totals count clicks by rule`() throws {
        let total = try Self.total(Self.named)
        #expect(total[.field(.rule)].counts.mapValues(\.bots) == ["B": 1, "2": 1, nil: 1])
        #expect(total[.field(.variant)].counts.mapValues(\.bots) == ["B": 1, nil: 2])
        #expect(try ClickTotal(encoded: total.encoded) == total)
    }

    @Test func `totals without rules are as earlier versions read them`() throws {
        let total = try Self.total([.none, .none])
        #expect(total.encoded.first == 1)
        let read = try ClickTotal(encoded: total.encoded)
        #expect(read == total && read[.field(.rule)].counts.mapValues(\.bots) == [nil: 2])
    }

    @Test func `an event gives back the rules of its clicks`() throws {
        let domain = try #require(HostName("go.example.com"))
        let slug = try #require(Slug("sale"))
        func event(_ rules: [ClickRule]) throws -> OutboxEvent {
            let clicks = try #require(Self.block(rules).contents).records.map {
                OutboxEvent.Click(at: $0.time, domain: domain, slug: slug, profile: $0.profile)
            }
            return OutboxEvent(.linkClicked, of: nil, at: Timestamp(seconds: 60), clicks: clicks)
        }
        let (plain, ruled) = (try event([.none]), try event(Self.named))
        let read = try OutboxEvent(encoded: ruled.encoded)
        #expect(read.clicks == ruled.clicks && read.clicks.map { $0.profile[.variant] } == ["B", nil, nil])
        #expect(try OutboxEvent(encoded: plain.encoded).clicks == plain.clicks)
        #expect(plain.encoded.count < ruled.encoded.count)
    }

    @Test func `names of rules are few and the others the rest`() {
        let rule = ClickRule("a rule of this test", isVariant: false)
        #expect(ClickRule("a rule of this test", isVariant: false) == rule && rule.text == "a rule of this test")
        #expect(rule.variant == nil && ClickRule.none.text == nil)
        #expect(ClickRule("a rule of this test", isVariant: true).variant == "a rule of this test")
    }
}
