/// How much work one question may cost. Files and URLs come from strangers, and a file of variables with thousands of
/// values, each in thousands of patterns, asks for more than anyone would wait for.
///
/// Isolation: belongs to one question, which is answered on one thread.
final class MatchBudget {
    /// In characters, tokens and words of bits looked at.
    private(set) var remaining: Int

    /// About a second's worth.
    static let usual = 400_000_000

    init(_ steps: Int = usual) {
        remaining = steps
    }

    var isExhausted: Bool { remaining <= 0 }

    func spend(_ steps: Int) {
        remaining -= min(remaining, steps)
    }
}
