import WaymarkBytes

/// One thing that is wrong with what someone sent.
package struct FieldProblem: Sendable, Hashable {
    /// The path of the field, such as `urls.ios.fallback` or `tags[3]`.
    package var field: String
    /// A sentence without a subject: `is missing`, `must be an http or https URL`.
    package var problem: String

    /// The number of further problems the entry represents; 0 for a problem itself.
    package var omitted = 0

    package init(field: String, problem: String) {
        self.field = field
        self.problem = problem
    }
}

/// The result of validating a draft: a valid value, or all problems.
package enum Validated<Value> {
    case valid(Value)
    /// Never empty, in the order of the fields.
    case invalid([FieldProblem])
}

extension Validated: Sendable where Value: Sendable {}
extension Validated: Equatable where Value: Equatable {}

/// Collects problems while a draft is validated, up to the limit of a response; the others are only counted.
struct ProblemList {
    /// Maximum number of listed problems.
    static let limit = 200

    private var named: [FieldProblem] = []
    private var omitted = 0

    var isEmpty: Bool { named.isEmpty }

    /// The total number of problems.
    var count: Int { named.count + omitted }

    /// In the order found; if there are more than `limit`, one more entry has the number of the others.
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

    /// The value; nil after reporting its problem.
    mutating func take<Value>(_ field: String, _ checked: Checked<Value>) -> Value? {
        switch checked {
        case .valid(let value): return value
        case .problem(let problem):
            add(field, problem)
            return nil
        }
    }

    /// Checks text for people and labels: not empty, limited in bytes, without control characters.
    mutating func text(
        _ field: @autoclosure () -> String, _ text: String?, atMost limit: Int, mayBeEmpty: Bool = false
    ) {
        guard let text else { return }
        if text.isEmpty, !mayBeEmpty { add(field(), "is empty") }
        if text.utf8.count > limit { add(field(), "is longer than \(limit) bytes") }
        if text.holdsControlCharacters { add(field(), "must not hold control characters") }
    }

    /// Checks text that only the link's owner sees: limited in Unicode scalars, as JSON Schema counts characters.
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

/// A value parsed from text, or a problem as a sentence without a subject: `is empty`, `must…`.
enum Checked<Value> {
    case valid(Value)
    case problem(String)

    var value: Value? {
        if case .valid(let value) = self { value } else { nil }
    }

    var problem: String? {
        if case .problem(let problem) = self { problem } else { nil }
    }
}

extension Checked: Sendable where Value: Sendable {}
