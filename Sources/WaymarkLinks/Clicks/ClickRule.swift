import Synchronization

/// The rule that decided a visit, as a number for its name: a click takes one cache line, and recording one counts no
/// references.
///
/// Names are numbered in this process as links are loaded, and never forgotten: most links have the same few (`1`,
/// `app/2`, `German`).
@usableFromInline
package struct ClickRule: Hashable, Sendable {
    /// Twice the number of the name, plus 1 for a variant; 0 for no rule.
    package let number: UInt32

    private init(number: UInt32) { self.number = number }

    @usableFromInline package static let none = ClickRule(number: 0)
    /// Of clicks whose rule was left out.
    static let rest = ClickRule(number: 2)

    /// - Parameters:
    ///   - text: the rule's name, or else its number. After `limit` different ones it is recorded as the rest.
    ///   - isVariant: whether it is the name of a rule with a share of the visitors.
    package init(_ text: String, isVariant: Bool) {
        number = Self.names.withLock { 2 * $0.index(of: text, limit: Self.limit) } + (isVariant ? 1 : 0)
    }

    /// Maximum number of different names: 16 MiB, if they are as long as they may be.
    static let limit = 65_536

    /// Nil for no rule.
    package var text: String? { number == 0 ? nil : Self.names.withLock { $0.texts[Int(number / 2)] } }

    /// The name of a rule with a share of the visitors; nil for others.
    package var variant: String? { number % 2 == 1 || self == .rest ? text : nil }

    private struct Names {
        var texts = ["", ClickField.rest]
        private var indexes: [String: UInt32] = [:]

        /// Rules without a name are told apart whatever names others give theirs.
        init() {
            for number in 1...Rule.limit {
                for text in ["\(number)", "app/\(number)"] { _ = index(of: text, limit: ClickRule.limit) }
            }
        }

        mutating func index(of text: String, limit: Int) -> UInt32 {
            if let known = indexes[text] { return known }
            guard texts.count < limit else { return 1 }
            let index = UInt32(texts.count)
            texts.append(text)
            indexes[text] = index
            return index
        }
    }

    private static let names = Mutex(Names())
}

/// The rule that decided a visit, by its index among those of the link or of the application.
package enum AppliedRule: Sendable, Hashable {
    case link(Int)
    case application(Int)

    /// How statistics show it: its name, or else its number from 1, which for a rule of the application follows `app/`.
    /// Nil if there is no such rule.
    package func text(_ link: Link, _ application: Application) -> String? {
        switch self {
        case .link(let index):
            let rules = link.content.rules
            return rules.indices.contains(index) ? rules[index].name ?? "\(index + 1)" : nil
        case .application(let index):
            let rules = application.rules
            return rules.indices.contains(index) ? rules[index].name ?? "app/\(index + 1)" : nil
        }
    }

    /// Whether the rule has a name and a share of the visitors.
    package func isVariant(_ link: Link, _ application: Application) -> Bool {
        let (rules, index) =
            switch self {
            case .link(let index): (link.content.rules, index)
            case .application(let index): (application.rules, index)
            }
        return rules.indices.contains(index) && rules[index].isVariant
    }
}

extension [Rule] {
    /// The number under which clicks of each rule are recorded.
    ///
    /// - Parameter prefix: precedes the numbers of rules without a name.
    package func clickRules(numberedAfter prefix: String = "") -> [ClickRule] {
        enumerated().map { index, rule in
            ClickRule(rule.name ?? "\(prefix)\(index + 1)", isVariant: rule.isVariant)
        }
    }
}
