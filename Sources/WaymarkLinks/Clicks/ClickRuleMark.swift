/// Which rule decided, as a click ID carries it: whether it is a variant, its place among the rules, and some bits of its
/// name's digest, which tell whether the rule at this place still has the name that it had.
package struct ClickRuleMark: Sendable, Hashable {
    /// A bit for variants; the place in 7 bits, from 1: the link's rules, then its application's; then the digest in 12
    /// bits. 0 for no rule.
    let bits: UInt32

    static let bitCount: UInt64 = 20
    private static let digestBits: UInt32 = 12
    private static let placeBits: UInt32 = 7

    package static let none = ClickRuleMark(bits: 0)

    init(bits: UInt32) { self.bits = bits }

    /// - Parameters:
    ///   - text: the rule's name, or else its number.
    ///   - isVariant: whether it is the name of a rule with a share of the visitors.
    package init(_ applied: AppliedRule, _ text: String, isVariant: Bool = false) {
        let place =
            switch applied {
            case .link(let index): 1 + index
            case .application(let index): 1 + Rule.limit + index
            }
        let kind: UInt32 = isVariant ? 1 << (Self.placeBits + Self.digestBits) : 0
        bits = kind | UInt32(place) << Self.digestBits | Self.digest(text)
    }

    /// The mark of the rule that decided.
    package init(_ applied: AppliedRule?, _ link: Link, _ application: Application) {
        guard let applied, let text = applied.text(link, application) else {
            self = .none
            return
        }
        self.init(applied, text, isVariant: applied.isVariant(link, application))
    }

    /// Whether the rule had a name and a share of the visitors.
    package var isVariant: Bool { bits >> (Self.placeBits + Self.digestBits) & 1 == 1 }

    /// Whether this may have been the rule's name.
    package func fits(_ text: String) -> Bool {
        self != .none && Self.digest(text) == bits & (1 << Self.digestBits - 1)
    }

    /// The name or number, if the link or its application still has a rule of this name: at its place, or else at another.
    package func text(_ link: Link, _ application: Application) -> String? {
        guard self != .none else { return nil }
        let place = Int(bits >> Self.digestBits & (1 << Self.placeBits - 1)) - 1
        let before: AppliedRule = place < Rule.limit ? .link(place) : .application(place - Rule.limit)
        let all =
            [before] + link.content.rules.indices.map { .link($0) } + application.rules.indices.map { .application($0) }
        return all.lazy.compactMap { $0.text(link, application) }.first(where: fits)
    }

    /// FNV-1a, folded (Fowler, Noll and Vo).
    private static func digest(_ text: String) -> UInt32 {
        let hash = text.utf8.reduce(0x811C_9DC5 as UInt32) { ($0 ^ UInt32($1)) &* 0x0100_0193 }
        return (hash >> digestBits ^ hash) & (1 << digestBits - 1)
    }
}
