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
