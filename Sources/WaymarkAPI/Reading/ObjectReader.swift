package import WaymarkJSON

/// Reads the members of a JSON object by name and collects all problems, so that the client receives all of them at
/// once. `null` counts as absent. Members that were not read are problems, too.
package struct ObjectReader {
    private let document: JSONDocument
    private let object: JSONObject
    private let path: String
    /// Which members were read, by index.
    private var asked: [Bool]
    private var problems = ProblemList()

    /// - Parameter path: the object's path, empty for the body itself.
    private init(_ object: JSONObject, of document: JSONDocument, path: String) {
        self.document = document
        self.object = object
        self.path = path
        asked = Array(repeating: false, count: object.count)
    }

    /// Reads a whole body.
    package static func body<Body>(
        _ bytes: [UInt8], shape: JSONShape, read: (inout ObjectReader) -> Body?
    ) throws(BodyError) -> Body {
        try body(try document(bytes, shape: shape), read: read)
    }

    /// Reads the value (default: the document's root) as one body.
    package static func body<Body>(
        _ document: JSONDocument, _ value: JSONValue? = nil, read: (inout ObjectReader) -> Body?
    ) throws(BodyError) -> Body {
        let (body, problems) = attempt(document, value, read: read)
        guard problems.isEmpty, let body else { throw .invalid(problems) }
        return body
    }

    /// Reads what can be read, for further validation.
    package static func attempt<Body>(
        _ document: JSONDocument, _ value: JSONValue? = nil, read: (inout ObjectReader) -> Body?
    ) -> (body: Body?, problems: [FieldProblem]) {
        let value = value ?? document.root
        guard let object = value.object else {
            return (nil, [FieldProblem(field: "body", problem: "must be an object, not \(value.noun)")])
        }
        var reader = ObjectReader(object, of: document, path: "")
        let body = read(&reader)
        return (body, reader.finish().entries)
    }

    /// - Parameter shape: the expected members; others are not stored.
    package static func document(_ bytes: [UInt8], shape: JSONShape) throws(BodyError) -> JSONDocument {
        do throws(JSONError) {
            return try JSONDocument(bytes, shape: shape)
        } catch {
            throw BodyError(error)
        }
    }

    // MARK: Members

    package func forEachName(_ body: (String) -> Void) {
        for index in object.members.indices { body(object.members[index].name) }
    }

    /// The member's value; nil if absent or `null`.
    package mutating func value(_ name: String) -> JSONValue? {
        guard let position = object.position(of: name) else { return nil }
        asked[position] = true
        let value = object.members[position].value
        guard !value.isNull else { return nil }
        return value
    }

    package func isNull(_ name: String) -> Bool {
        object.position(of: name).map { object.members[$0].value.isNull } ?? false
    }

    package mutating func string(_ name: String) -> String? {
        member(name, "a string") { $0.string }
    }

    package mutating func integer(_ name: String) -> Int? {
        member(name, "an integer") { $0.integer }
    }

    package mutating func bool(_ name: String) -> Bool? {
        member(name, "true or false") { $0.bool }
    }

    /// An element that is not a string is reported and replaced by an empty one, because further validation names
    /// elements by index.
    package mutating func strings(_ name: String) -> [String]? {
        guard let elements = elements(name) else { return nil }
        return elements.enumerated().map { index, element in
            if let text = element.string { return text }
            reject("\(name)[\(index)]", element, mustBe: "a string")
            return ""
        }
    }

    /// The member's original text if it is an object.
    package mutating func rawObject(_ name: String) -> RawJSON? {
        let document = document
        return member(name, "an object") { $0.object == nil ? nil : RawJSON(unchecked: document.text(of: $0)) }
    }

    package mutating func object<Part>(_ name: String, read: (inout ObjectReader) -> Part) -> Part? {
        guard let members = member(name, "an object", { $0.object }) else { return nil }
        return part(members, at: name, read: read)
    }

    /// - Parameter instead: replaces an element that is not an object, which is reported; the indexes of the others
    ///   stay valid.
    package mutating func objects<Part>(
        _ name: String, instead: Part, read: (inout ObjectReader) -> Part
    ) -> [Part]? {
        guard let elements = elements(name) else { return nil }
        return elements.enumerated().map { index, element in
            guard let members = element.object else {
                reject("\(name)[\(index)]", element, mustBe: "an object")
                return instead
            }
            return part(members, at: "\(name)[\(index)]", read: read)
        }
    }

    /// Reads all members of the object with this name with `read`, which returns nil to omit a member. The field's
    /// path is only built if needed.
    package mutating func dictionary<Value>(
        _ name: String, read: (JSONValue, _ field: () -> String, inout ObjectReader) -> Value?
    ) -> [String: Value]? {
        guard let members = member(name, "an object", { $0.object }) else { return nil }
        noteCount(name)
        var values = [String: Value](minimumCapacity: members.count)
        for member in members.members {
            values[member.name] = read(member.value, { "\(name).\(member.name.shownAsName)" }, &self)
        }
        return values
    }

    /// Reads an object nested in this one.
    package mutating func part<Part>(
        _ members: JSONObject, at field: String, read: (inout ObjectReader) -> Part
    ) -> Part {
        var reader = ObjectReader(members, of: document, path: path(of: field))
        let part = read(&reader)
        problems.add(reader.finish())
        return part
    }

    private mutating func elements(_ name: String) -> [JSONValue]? {
        guard let elements = member(name, "an array", { $0.array }) else { return nil }
        // Problems within an array that is too long are not worth reporting.
        return noteCount(name) ? nil : elements
    }

    /// Reports an array or object that was truncated to its limit; false if it was read completely.
    @discardableResult
    private mutating func noteCount(_ name: String) -> Bool {
        guard let value = value(name) else { return false }
        return noteCount(of: value, at: name)
    }

    @discardableResult
    private mutating func noteCount(of value: JSONValue, at field: String) -> Bool {
        guard let count = document.countBeyondMaximum(of: value) else { return false }
        let most = value.array?.count ?? value.object?.count ?? 0
        reject(field, "must hold at most \(most) \(value.array == nil ? "members" : "elements"), not \(count)")
        return true
    }

    /// Reports everything in a member that was truncated to its limit, and no other problems.
    package mutating func noteCounts(in name: String) {
        guard let value = value(name) else { return }
        noteCounts(of: value, at: name)
    }

    private mutating func noteCounts(of value: JSONValue, at field: String) {
        noteCount(of: value, at: field)
        for (index, element) in (value.array ?? []).enumerated() where element.array != nil || element.object != nil {
            noteCounts(of: element, at: "\(field)[\(index)]")
        }
        for member in value.object?.members ?? [] where member.value.array != nil || member.value.object != nil {
            noteCounts(of: member.value, at: "\(field).\(member.name.shownAsName)")
        }
    }

    private mutating func member<Value>(
        _ name: String, _ expected: String, _ read: (JSONValue) -> Value?
    ) -> Value? {
        guard let value = value(name) else { return nil }
        if let read = read(value) { return read }
        let noun = value.number != nil && expected == "an integer" ? "this number" : value.noun
        reject(name, "must be \(expected), not \(noun)")
        return nil
    }

    // MARK: Problems

    /// Reports a problem with a member of this object.
    package mutating func reject(_ field: String, _ problem: String) {
        let index = path(of: field)
        problems.add(index, problem)
    }

    /// Reports a value of the wrong type.
    package mutating func reject(_ field: String, _ value: JSONValue, mustBe expected: String) {
        problems.add(
            FieldProblem(
                field: path(of: field), problem: "must be \(expected), not \(value.noun)",
                kind: value.isNull ? .null : .problem))
    }

    /// All problems, including one for every member that was not read.
    private func finish() -> ProblemList {
        var all = problems
        for index in object.members.indices where !asked[index] {
            all.add(path(of: object.members[index].name.shownAsName), "is not a known field")
        }
        return all
    }

    private func path(of field: String) -> String {
        path.isEmpty ? field : "\(path).\(field)"
    }
}
