import Testing
import WaymarkBytes

@testable import WaymarkAPI
@testable import WaymarkLinks

@Suite struct ClickIDTests {
    private let secret: SipHash

    init() throws { secret = try #require(SipHash(key: Array(0..<16))) }

    @Test func readsBackWhatItMade() {
        var random = RepeatableRandom(state: 5)
        for _ in 0..<3000 {
            let link = LinkID(rawValue: Int64.random(in: 1..<(1 << 48), using: &random))
            let counted = Bool.random(using: &random)
            let id = ClickID.make(
                link: link, now: Samples.now, counted: counted, random: random.next(), secret: secret)
            #expect(id.text.utf8.count == ClickID.length)
            #expect(id.text.utf8.allSatisfy { $0.isUnreserved })
            let content = ClickID.parse(id.text, secret: secret, now: Samples.now)
            #expect(content == ClickID.Content(link: link, at: Samples.now, counted: counted))
        }
    }

    @Test func `an id carries the rule that decided`() throws {
        var random = RepeatableRandom(state: 7)
        for index in 0..<Rule.limit {
            for applied in [AppliedRule.link(index), .application(index)] {
                let mark = ClickRuleMark(applied, "name \(index)", isVariant: index % 2 == 1)
                for counted in [true, false] {
                    let id = ClickID.make(
                        link: LinkID(rawValue: 42), now: Samples.now, counted: counted, random: random.next(),
                        secret: secret, rule: mark)
                    let content = try #require(ClickID.parse(id.text, secret: secret, now: Samples.now))
                    #expect(content.rule == mark && content.counted == counted && content.link.rawValue == 42)
                    #expect(content.at == Samples.now && content.rule.fits("name \(index)"))
                    #expect(content.rule.isVariant == (index % 2 == 1))
                }
            }
        }
    }

    @Test func `a rule is found at another place by its name`() throws {
        func link(_ names: [String?]) throws -> Link {
            let application = try Samples.application()
            return try Samples.link(
                Samples.productDraft {
                    $0.rules = names.map { name in
                        var rule = RuleRequest(name: name, to: .url("https://a.example/"))
                        rule.when.percentage = 10
                        return rule
                    }
                }, of: application)
        }
        let application = try Samples.application()
        let before = try link(["A", nil, "C"])
        let marks = (0..<3).map { ClickRuleMark(.link($0), before, application) }
        #expect(marks.map { $0.text(before, application) } == ["A", "2", "C"])
        let after = try link(["C", "new", "A"])
        #expect(marks.map { $0.text(after, application) } == ["A", nil, "C"])
        #expect(ClickRuleMark(nil, before, application) == .none)
        #expect(ClickRuleMark.none.text(before, application) == nil && !ClickRuleMark.none.fits(""))
    }

    @Test func rejectsEverySingleChangedCharacter() {
        let text = ClickID.make(link: LinkID(rawValue: 42), now: Samples.now, counted: true, random: 99, secret: secret)
            .text
        for index in 0..<ClickID.length {
            var bytes = Array(text.utf8)
            bytes[index] = bytes[index] == UInt8(ascii: "A") ? UInt8(ascii: "B") : UInt8(ascii: "A")
            let forged = String(decoding: bytes, as: UTF8.self)
            #expect(ClickID.parse(forged, secret: secret, now: Samples.now) == nil)
        }
    }

    @Test(arguments: [
        "", "A", String(repeating: "A", count: 31), String(repeating: "A", count: 33),
        String(repeating: "+", count: 32),
        String(repeating: "é", count: 16), ClickID.placeholder.text,
    ])
    func rejectsWhatIsNoClickID(_ text: String) {
        #expect(ClickID.parse(text, secret: secret, now: Samples.now) == nil)
    }

    @Test func rejectsIdsOfAnotherSecret() throws {
        let other = try #require(SipHash(key: Array(1..<17)))
        let text = ClickID.make(link: LinkID(rawValue: 1), now: Samples.now, counted: false, random: 0, secret: other)
            .text
        #expect(ClickID.parse(text, secret: secret, now: Samples.now) == nil)
    }

    @Test(arguments: [0, 30 * 86400, -300] as [Int64])
    func holdsForThirtyDaysAndALittleSkew(_ age: Int64) {
        #expect(parsed(after: age) != nil)
    }

    @Test(arguments: [30 * 86400 + 1, -301, 1_000_000_000] as [Int64])
    func holdsNoLonger(_ age: Int64) {
        #expect(parsed(after: age) == nil)
    }

    private func parsed(after age: Int64) -> ClickID.Content? {
        let text = ClickID.make(link: LinkID(rawValue: 1), now: Samples.now, counted: true, random: 0, secret: secret)
            .text
        return ClickID.parse(text, secret: secret, now: Timestamp(seconds: Samples.now.seconds + age))
    }

    @Test func tellsTwoClicksOfOneSecondApart() {
        let one = ClickID.make(link: LinkID(rawValue: 1), now: Samples.now, counted: true, random: 1, secret: secret)
        let other = ClickID.make(link: LinkID(rawValue: 1), now: Samples.now, counted: true, random: 2, secret: secret)
        #expect(one != other)
        #expect(one.text != other.text)
    }

    @Test func canBeWrittenOverThePlaceholder() throws {
        let application = try Samples.application()
        let link = try Samples.link(Samples.productDraft(), of: application)
        let visitor = Visitor(platform: .android, device: .phone)
        let id = ClickID.make(link: link.id, now: Samples.now, counted: true, random: 3, secret: secret)
        func url(_ id: ClickID) throws -> String {
            guard
                case .redirect(let destination) = link.resolve(
                    application: application, visitor: visitor, now: Samples.now, clickID: id)
            else { throw Samples.Refused(problems: []) }
            return destination.url
        }
        let parts = try url(.placeholder).split(separator: ClickID.placeholder.text, omittingEmptySubsequences: false)
        #expect(parts.count == 3)
        #expect(try url(id) == parts.joined(separator: id.text))
    }
}
