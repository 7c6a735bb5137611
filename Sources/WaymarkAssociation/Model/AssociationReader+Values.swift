internal import WaymarkJSON

/// Reads single values of a known type, or reports the type found instead.
extension AssociationReader {
    func present(_ value: JSONValue?) -> JSONValue? {
        guard let value, !value.isNull else { return nil }
        return value
    }

    func isAbsentOrEmpty(_ value: JSONValue?) -> Bool {
        guard let value = present(value) else { return true }
        return value.array?.isEmpty ?? false
    }

    mutating func optionalObject(_ value: JSONValue?, at field: String) -> JSONObject? {
        guard let value = present(value) else { return nil }
        return object(value, at: field)
    }

    mutating func object(_ value: JSONValue, at field: String) -> JSONObject? {
        if value.object == nil { note("must be an object, not \(value.noun)", at: field) }
        return value.object
    }

    mutating func string(_ value: JSONValue, at field: String) -> String? {
        if value.string == nil { note("must be a string, not \(value.noun)", at: field) }
        return value.string
    }

    mutating func bool(_ value: JSONValue, at field: String) -> Bool? {
        if value.bool == nil { note("must be true or false, not \(value.noun)", at: field) }
        return value.bool
    }

    mutating func strings(_ value: JSONValue, at field: String) -> [String] {
        var strings: [String] = []
        for (location, element) in elements(value, at: field) {
            if let text = string(element, at: location) { strings.append(text) }
        }
        return strings
    }

    /// Each element with its path.
    mutating func elements(_ value: JSONValue, at field: String) -> [(location: String, value: JSONValue)] {
        guard let array = value.array else {
            note("must be an array, not \(value.noun)", at: field)
            return []
        }
        return array.enumerated().map { ("\(field)[\($0.offset)]", $0.element) }
    }

    mutating func reportUnknownMembers(of object: JSONObject, allowed: [String], at field: String) {
        for member in object.members where !allowed.contains(member.name) {
            note("is unknown; allowed are \(allowed.joined(separator: ", "))", at: location(of: member.name, in: field))
        }
    }

    /// `field.name`. A name that is long or not plain ASCII is truncated and quoted, because paths are printed to a
    /// terminal and names are untrusted.
    func location(of name: String, in field: String) -> String {
        let isPlain = !name.isEmpty && name.utf8.count <= 64 && name.utf8.allSatisfy { (0x21...0x7E).contains($0) }
        guard !isPlain else { return "\(field).\(name)" }
        let visible = name.unicodeScalars.prefix(64).map { $0.value < 0x7F ? Character($0) : "?" }
        return "\(field)[\(JSONValue(String(visible)).text())]"
    }
}

/// A problem in the part of an application that association files are generated from.
package struct AssociationProblem: Hashable, Sendable {
    /// The path in the application: `ios.components[0]./`, `android.sha256CertFingerprints[1]`.
    package let field: String
    /// The problem or the allowed values, to follow the field's name; one line.
    package let problem: String

    package init(field: String, problem: String) {
        self.field = field
        self.problem = problem
    }
}

extension AssociationProblem: CustomStringConvertible {
    package var description: String { "\(field) \(problem)" }
}
