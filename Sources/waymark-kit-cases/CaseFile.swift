import Foundation
import WaymarkJSON

/// A file of shared cases.
struct CaseFile {
    let kind: String
    let cases: [SharedCase]

    init(_ path: String) throws {
        let json = try JSONValue(parsing: Array(try Data(contentsOf: URL(fileURLWithPath: path))))
        guard let kind = json["kind"]?.string, let cases = json["cases"]?.array else {
            throw CaseFileError("it must have the members kind and cases")
        }
        self.kind = kind
        self.cases = try cases.map(SharedCase.init)
    }
}

/// One case: what is done, and the members of its result that are compared.
struct SharedCase {
    let name: String
    let input: JSONValue
    let expected: JSONObject

    init(_ json: JSONValue) throws {
        guard let name = json["name"]?.string, let input = json["input"], let expected = json["expected"]?.object else {
            throw CaseFileError("a case must have the members name, input and expected")
        }
        (self.name, self.input, self.expected) = (name, input, expected)
    }
}

/// Why a file or a case can't be run.
struct CaseFileError: Error, CustomStringConvertible {
    let description: String

    init(_ description: String) {
        self.description = description
    }
}

extension JSONValue {
    /// A member that the case must have.
    func text(_ name: String) throws -> String {
        guard let text = self[name]?.string else { throw CaseFileError("the input lacks \(name)") }
        return text
    }

    /// The strings of a member that is a list; none if there is no such member.
    func texts(_ name: String) -> [String] { (self[name]?.array ?? []).compactMap(\.string) }

    /// The strings of a member that is an object.
    func dictionary(_ name: String) -> [String: String] {
        let members = (self[name]?.object?.members ?? []).compactMap { member in
            member.value.string.map { (member.name, $0) }
        }
        return Dictionary(members) { _, last in last }
    }

    /// The value in one line, shortened.
    var line: String { String(String(decoding: bytes(), as: UTF8.self).prefix(400)) }

    init(_ text: String?) {
        self = text.map { JSONValue($0) } ?? .null
    }

    init(_ members: [String: String?]) {
        var object = JSONObject()
        for (name, value) in members { object[name] = JSONValue(value) }
        self.init(object)
    }
}
