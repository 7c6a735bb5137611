/// How much a finding matters.
package enum LintSeverity: String, Sendable, Hashable, CaseIterable, Comparable {
    /// Right as it is, but worth knowing.
    case note
    /// It does something else than it looks like, or may.
    case warning
    /// It does not do what it is there for.
    case error

    package static func < (left: LintSeverity, right: LintSeverity) -> Bool {
        left.rank < right.rank
    }

    private var rank: Int {
        switch self {
        case .note: 0
        case .warning: 1
        case .error: 2
        }
    }
}
