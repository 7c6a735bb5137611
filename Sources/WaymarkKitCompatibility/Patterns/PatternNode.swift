/// A regular expression as a tree.
indirect enum PatternNode: Sendable, Equatable {
    /// Takes one scalar of the set.
    case set(ScalarSet)
    /// Takes nothing, and only here.
    case assertion(Assertion)
    /// One behind the other.
    case sequence([PatternNode])
    /// One of these.
    case choice([PatternNode])
    /// So many of it, without a maximum where that is nil. Greedy and reluctant repetition are the same where the whole
    /// value must match.
    case repetition(PatternNode, minimum: Int, maximum: Int?)

    enum Assertion: Sendable, Equatable {
        /// `^` and `\A`.
        case start
        /// `\z`.
        case end
        /// `$` and `\Z`: the end, or in front of a line feed that ends the value.
        case lineEnd
        /// `\b`.
        case wordBoundary
        /// `\B`.
        case noWordBoundary
    }

    /// How many instructions it becomes; stops counting beyond the limit.
    var size: Int {
        switch self {
        case .set, .assertion: 1
        case .sequence(let nodes): nodes.reduce(0) { Self.sum($0, $1.size) }
        case .choice(let nodes): nodes.reduce(0) { Self.sum(Self.sum($0, $1.size), 2) }
        case .repetition(let node, let minimum, let maximum):
            // What takes nothing still costs its repetition: `((){1000}){1000}` must not be free.
            Self.sum(
                Self.product(max(node.size, 1), minimum),
                maximum.map { Self.product(Self.sum(node.size, 1), $0 - minimum) } ?? Self.sum(node.size, 2))
        }
    }

    private static let ceiling = 1 << 20

    private static func sum(_ left: Int, _ right: Int) -> Int { min(left + right, ceiling) }

    private static func product(_ left: Int, _ right: Int) -> Int {
        let (product, overflows) = left.multipliedReportingOverflow(by: right)
        return overflows ? ceiling : min(product, ceiling)
    }
}
