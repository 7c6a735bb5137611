import WaymarkBytes

/// What records of clicks don't hold, as far as a link's decisions depend on it.
package enum UnrecordedFact: Sendable, CaseIterable {
    /// Whether the visitor is in a share of all.
    case share
    case query
    /// Scripts and variants of the language.
    case language
    /// The store of an Android device.
    case store
    /// Whether a Mac's browser is on an iPad.
    case mac
}

/// All that may have been the case beside what a record of a click holds: each world assumes an answer to each condition of
/// rules that records can't answer, for a link before and after a change.
///
/// A world has ordinary rules, in which what is assumed to hold is left out, and what is not never matches. So the decision
/// on a visit is that of visits.
package struct RuleWorlds: Sendable {
    package struct World: Sendable {
        package let before: Link
        package let after: Link
        package let application: Application
        let store: Visitor.Store
        /// What is assumed of each fact.
        let assumed: [UnrecordedFact: Int]
    }

    let worlds: [World]

    /// Maximum number of worlds; each costs two decisions for each kind of click.
    package static let limit = 256

    /// Nil if there are more than `limit`.
    package init?(before: Link, after: Link, application: Application) {
        let own = [before.content.rules, after.content.rules]
        let all = (own + [application.rules]).joined()
        var questions = Questions()
        for rule in all { questions.add(rule.when) }
        let places = (own: Self.places(own), shared: Self.places([application.rules]))
        let stores = Self.stores(application, all.contains { !$0.when.stores.isEmpty })
        guard let answers = questions.answers(atMost: Self.limit),
            places.own.count * places.shared.count * answers.count * stores.count <= Self.limit
        else { return nil }
        var worlds: [World] = []
        for (number, place) in places.own.enumerated() {
            for (sharedNumber, shared) in places.shared.enumerated() {
                for answer in answers {
                    var (one, other) = (before, after)
                    one.content.rules = questions.rules(before.content.rules, at: place, answer)
                    other.content.rules = questions.rules(after.content.rules, at: place, answer)
                    let assumed = application.with(rules: questions.rules(application.rules, at: shared, answer))
                    for (storeNumber, store) in stores.enumerated() {
                        worlds.append(
                            World(
                                before: one, after: other, application: assumed, store: store,
                                assumed: [
                                    .share: number * places.shared.count + sharedNumber,
                                    .query: answer & questions.queryMask, .language: answer & ~questions.queryMask,
                                    .store: storeNumber,
                                ]))
                    }
                }
            }
        }
        self.worlds = worlds
    }

    /// A place of visitors between any two borders of shares, from 0 to 9,999.
    static func places(_ lists: [[Rule]]) -> [Int] {
        var borders: Set<Int> = [0]
        for rules in lists {
            var shares = 0
            for percentage in rules.compactMap(\.when.percentage) {
                borders.insert(shares % 100 * 100)
                shares += percentage
                borders.insert(shares % 100 * 100)
            }
        }
        return borders.sorted()
    }

    /// Those that the decision on a visit with Android may depend on.
    private static func stores(_ application: Application, _ rulesAsk: Bool) -> [Visitor.Store] {
        let android = application.android
        let differ = android?.appGallery != nil || android?.galaxy != nil || android?.amazon != nil
        return rulesAsk || differ ? [.play, .appGallery, .galaxy, .amazon] : [.play]
    }
}

/// The different conditions that records can't answer, each with a bit of a world's number.
private struct Questions {
    private var queries: [[RuleCondition.Parameter]] = []
    private var languages: [[String]] = []

    mutating func add(_ condition: RuleCondition) {
        if !condition.query.isEmpty, !queries.contains(condition.query) { queries.append(condition.query) }
        if Self.asksForMore(condition.languages), !languages.contains(condition.languages) {
            languages.append(condition.languages)
        }
    }

    /// Whether a language is one that records shorten.
    private static func asksForMore(_ ranges: [String]) -> Bool {
        ranges.contains { LanguageTag($0)?.text.asciiLowercased != $0 }
    }

    var queryMask: Int { 1 << queries.count - 1 }

    /// The possible answers to all questions; nil if there are more than `limit`.
    func answers(atMost limit: Int) -> [Int]? {
        let count = queries.count + languages.count
        guard count <= 10 else { return nil }
        let answers = (0..<1 << count).filter(isPossible)
        return answers.count <= limit ? answers : nil
    }

    /// Two queries may exclude each other, or one include the other.
    private func isPossible(_ answer: Int) -> Bool {
        for (index, one) in queries.enumerated() where answer >> index & 1 == 1 {
            for (otherIndex, other) in queries.enumerated() where otherIndex != index {
                if answer >> otherIndex & 1 == 1 ? Self.excludes(one, other) : Self.includes(one, other) {
                    return false
                }
            }
        }
        return true
    }

    private static func excludes(_ one: [RuleCondition.Parameter], _ other: [RuleCondition.Parameter]) -> Bool {
        one.contains { parameter in
            guard let values = parameter.values,
                let others = other.first(where: { $0.name == parameter.name })?.values
            else { return false }
            return Set(values).isDisjoint(with: others)
        }
    }

    /// Whether each query that `one` matches is one that `other` matches.
    private static func includes(_ one: [RuleCondition.Parameter], _ other: [RuleCondition.Parameter]) -> Bool {
        other.allSatisfy { wanted in
            guard let given = one.first(where: { $0.name == wanted.name }) else { return false }
            guard let values = wanted.values else { return true }
            return given.values.map { Set($0).isSubset(of: values) } ?? false
        }
    }

    /// The rules as they match a visitor at a place of all.
    func rules(_ rules: [Rule], at place: Int, _ answer: Int) -> [Rule] {
        var shares = 0
        return rules.map { rule in
            var rule = rule
            var holds = true
            if let percentage = rule.when.percentage {
                holds = RuleCondition.share(of: percentage, after: shares, holds: place)
                shares += percentage
                rule.when.percentage = nil
            }
            if let index = queries.firstIndex(of: rule.when.query) {
                holds = holds && answer >> index & 1 == 1
                rule.when.query = []
            }
            if let index = languages.firstIndex(of: rule.when.languages) {
                holds = holds && answer >> (queries.count + index) & 1 == 1
                rule.when.languages = []
            }
            if !holds { rule.when.before = Timestamp(rawValue: .min) }
            return rule
        }
    }
}
