internal import WaymarkJSON

/// A finding of lint.
package struct LintFinding: Hashable, Sendable {
    package let rule: LintRule
    /// The problem as one sentence on one line, without a full stop.
    package let problem: String
    /// How to fix it; one line.
    package let mend: String
    /// The line in the file; nil if the finding is not about a position.
    package let line: Int?
    /// In Unicode scalars, from 1.
    package let column: Int?
    /// The JSON pointer of the value (RFC 6901); empty for the whole document, nil if there is none.
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

/// The severity of a finding.
package enum LintSeverity: String, Sendable, Hashable, CaseIterable, Comparable {
    /// Valid, but worth knowing.
    case note
    /// It does not, or may not, do what it seems to do.
    case warning
    /// It has no effect or the wrong one.
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
