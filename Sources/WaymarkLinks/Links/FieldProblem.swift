/// One thing that is wrong with what someone sent.
package struct FieldProblem: Sendable, Hashable {
    /// Where, written like `urls.ios.fallback` or `tags[3]`.
    package var field: String
    /// A sentence without subject: `is missing`, `must be an http or https URL`.
    package var problem: String

    /// How many problems the entry stands for that are not named; 0 for a problem itself.
    package var omitted = 0

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

/// Gathers problems while a draft is read field by field, and stops at what an answer may name: the rest is counted.
struct ProblemList {
    /// How many problems are named.
    static let limit = 200

    private var named: [FieldProblem] = []
    private var omitted = 0

    var isEmpty: Bool { named.isEmpty }

    /// How many were found.
    var count: Int { named.count + omitted }

    /// In the order they were found; where there are more than `limit`, one more entry stands for the rest.
    var problems: [FieldProblem] {
        guard omitted > 0 else { return named }
        var rest = FieldProblem(field: "", problem: "and \(omitted) more problems")
        rest.omitted = omitted
        return named + [rest]
    }

    mutating func add(_ field: @autoclosure () -> String, _ problem: @autoclosure () -> String) {
        guard named.count < Self.limit else {
            omitted += 1
            return
        }
        named.append(FieldProblem(field: field(), problem: problem()))
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

    /// Text that only the link's owner sees: bounded in Unicode scalars, as JSON Schema counts characters.
    ///
    /// - Parameter isMultiline: allows line breaks and tabs.
    mutating func label(_ field: String, _ text: String?, atMost limit: Int, isMultiline: Bool = false) {
        guard let text else { return }
        if text.unicodeScalars.count > limit { add(field, "is longer than \(limit) characters") }
        let allowed = isMultiline ? "\t\n\r".unicodeScalars : "".unicodeScalars
        if text.unicodeScalars.contains(where: { $0.properties.generalCategory == .control && !allowed.contains($0) }) {
            add(field, "must not hold control characters")
        }
    }
}
