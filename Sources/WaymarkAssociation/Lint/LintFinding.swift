internal import WaymarkJSON

/// One thing that lint found.
package struct LintFinding: Hashable, Sendable {
    package let rule: LintRule
    /// What is wrong here, as one sentence on one line, without its full stop.
    package let problem: String
    /// What to do about it; one line.
    package let mend: String
    /// Where it stands in the file; nil for what is not in it.
    package let line: Int?
    /// In Unicode scalars, from 1.
    package let column: Int?
    /// The value as a JSON pointer (RFC 6901); empty for the whole document, nil where there is none.
    package let pointer: String?

    package init(
        _ rule: LintRule, _ problem: String, mend: String = "", line: Int? = nil, column: Int? = nil,
        pointer: String? = nil
    ) {
        self.rule = rule
        self.problem = problem
        self.mend = mend.isEmpty ? rule.usualMend : mend
        self.line = line
        self.column = column
        self.pointer = pointer
    }

    func write(to writer: inout JSONWriter) {
        writer.beginObject()
        writer.member("code", rule.rawValue)
        writer.member("severity", rule.severity.rawValue)
        writer.member("line", line)
        writer.member("column", column)
        writer.member("pointer", pointer)
        writer.member("problem", problem)
        writer.member("mend", mend)
        writer.member("source", rule.source)
        writer.endObject()
    }
}

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
