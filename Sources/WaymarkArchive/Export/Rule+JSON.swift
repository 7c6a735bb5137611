internal import WaymarkAPI
import WaymarkBytes
internal import WaymarkJSON
internal import WaymarkLinks
internal import WaymarkStores

// Reads and writes a rule in an export, as the API takes it. Every field is in both halves.

extension Rule {
    /// The rule as JSON or, in formats up to 6, in hexadecimal digits of its encoding in a store.
    init?(archived value: JSONValue) {
        if let text = value.string {
            self.init(hexadecimal: text)
        } else {
            let (request, problems) = RuleRequest.attempt(value)
            // In a request null is the same as nothing, and a missing condition matches everybody.
            guard value["when"]?.object != nil, !value.holdsNull, let request, problems.isEmpty,
                let rule = Rule(stored: request),
                // Values out of bounds would be stored, and not be found again.
                Rule(stored: rule.stored) == rule
            else { return nil }
            self = rule
        }
    }

    private init?(hexadecimal text: String) {
        guard let bytes = Hexadecimal.bytes(text) else { return nil }
        self.init(stored: bytes)
    }

    /// JSON, unless it would not be read as exactly this rule: an export loses nothing that a store has.
    fileprivate var archived: JSONValue {
        let text = JSONWriter.text { RuleRequest(self).write(to: &$0) }
        guard let value = try? JSONValue(parsing: text), Rule(archived: value) == self else {
            return JSONValue(Hexadecimal.text(stored))
        }
        return value
    }
}

extension JSONWriter {
    mutating func rules(_ rules: [Rule]) {
        if !rules.isEmpty { member("rules", JSONValue(rules.map(\.archived))) }
    }
}

extension JSONValue {
    /// Whether it is null, or has a null anywhere.
    fileprivate var holdsNull: Bool {
        isNull || array?.contains(where: \.holdsNull) == true || object?.members.contains { $0.value.holdsNull } == true
    }
}
