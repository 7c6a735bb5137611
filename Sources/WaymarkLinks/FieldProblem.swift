/// One thing that is wrong with what someone sent.
package struct FieldProblem: Sendable, Hashable {
    /// Where, written like `urls.ios.fallback` or `tags[3]`.
    package var field: String
    /// A sentence without subject: `is missing`, `must be an http or https URL`.
    package var problem: String

    package init(field: String, problem: String) {
        self.field = field
        self.problem = problem
    }
}

/// What a draft turns out to be: a value that later code can rely on, or everything that is wrong with it at once.
package enum Validated<Value> {
    case valid(Value)
    /// Never empty, in the order of the fields.
    case invalid([FieldProblem])
}

extension Validated: Sendable where Value: Sendable {}
extension Validated: Equatable where Value: Equatable {}

/// Gathers problems while a draft is read field by field.
struct ProblemList {
    private(set) var problems: [FieldProblem] = []

    mutating func add(_ field: String, _ problem: String) {
        problems.append(FieldProblem(field: field, problem: problem))
    }

    /// The value, or nil after its problem was noted.
    mutating func take<Value>(_ field: String, _ checked: Checked<Value>) -> Value? {
        switch checked {
        case .valid(let value): return value
        case .problem(let problem):
            add(field, problem)
            return nil
        }
    }

    /// Text for people and labels: not empty, bounded in bytes, without control characters.
    mutating func text(
        _ field: @autoclosure () -> String, _ text: String?, atMost limit: Int, mayBeEmpty: Bool = false
    ) {
        guard let text else { return }
        if text.isEmpty, !mayBeEmpty { add(field(), "is empty") }
        if text.utf8.count > limit { add(field(), "is longer than \(limit) bytes") }
        if text.holdsControlCharacters { add(field(), "must not hold control characters") }
    }
}
