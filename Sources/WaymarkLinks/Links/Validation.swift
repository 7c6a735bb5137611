package import WaymarkAPI
import WaymarkBytes

/// The result of validating a request: a valid value, or all problems.
package enum Validated<Value> {
    case valid(Value)
    /// Never empty, in the order of the fields.
    case invalid([FieldProblem])
}

extension Validated: Sendable where Value: Sendable {}
extension Validated: Equatable where Value: Equatable {}

extension ProblemList {
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
    package mutating func label(_ label: LinkLabel, _ text: String) {
        let field = label.text
        if text.unicodeScalars.count > label.limit { add(field, "is longer than \(label.limit) characters") }
        let allowed = label.form == .lines ? "\t\n\r".unicodeScalars : "".unicodeScalars
        if text.unicodeScalars.contains(where: { $0.properties.generalCategory == .control && !allowed.contains($0) }) {
            add(field, "must not hold control characters")
        }
        guard label.form == .path else { return }
        let names = text.split(separator: "/", omittingEmptySubsequences: false)
        if names.contains(where: { $0.isEmpty || $0.first?.isWhitespace == true || $0.last?.isWhitespace == true }) {
            add(field, "must be names separated by single slashes, without spaces around them: campaigns/spring")
        } else if names.count > LinkLabel.depth {
            add(field, "has more than \(LinkLabel.depth) names")
        } else if names.contains(where: { $0 == "." || $0 == ".." }) {
            add(field, "must not hold the names . and ..")
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
