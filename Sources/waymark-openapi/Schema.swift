import WaymarkJSON

/// The type of a value, as JSON Schema 2020-12 describes it.
struct Schema: Sendable {
    /// The keywords.
    var json: JSONObject

    init(_ json: JSONObject) { self.json = json }

    private init(type: String) { json = ["type": JSONValue(type)] }

    static let text = Schema(type: "string")
    static let integer = Schema(type: "integer")
    static let flag = Schema(type: "boolean")
    /// Of any members.
    static let anyObject = Schema(type: "object")
    /// An RFC 3339 time.
    static let time = Schema.text.with("format", "date-time")
    /// A day, such as 2026-11-21.
    static let date = Schema.text.with("format", "date")
    static let uri = Schema.text.with("format", "uri")
    static let binary = Schema.text.with("format", "binary")
    /// An integer that is not negative.
    static let count = Schema.integer(from: 0)
    static let null = Schema(type: "null")
    /// A value of any type.
    static let anything = Schema(JSONObject())

    static func text(_ length: ClosedRange<Int>) -> Schema {
        text.with("minLength", JSONValue(length.lowerBound)).with("maxLength", JSONValue(length.upperBound))
    }

    static func text(atMost length: Int) -> Schema { text.with("maxLength", JSONValue(length)) }

    static func integer(from minimum: Int) -> Schema { integer.with("minimum", JSONValue(minimum)) }

    static func integer(_ range: ClosedRange<Int>) -> Schema {
        integer(from: range.lowerBound).with("maximum", JSONValue(range.upperBound))
    }

    /// A whole number or a fraction.
    static let number = Schema(type: "number")

    /// One of these texts.
    static func choice(_ values: [String]) -> Schema { text.with("enum", JSONValue(values.map { JSONValue($0) })) }

    /// One of the names of an enumeration's cases.
    static func choice<Value: CaseIterable & RawRepresentable<String>>(of type: Value.Type) -> Schema {
        choice(type.allCases.map(\.rawValue))
    }

    static func choice(_ values: [Int]) -> Schema { integer.with("enum", JSONValue(values.map { JSONValue($0) })) }

    static func constant(_ value: JSONValue) -> Schema {
        let type =
            switch value.kind {
            case .bool: "boolean"
            case .null: "null"
            default: "string"
            }
        return Schema(type: type).with("const", value)
    }

    static func list(of element: Schema, atMost maximum: Int? = nil) -> Schema {
        list(element, nil, maximum)
    }

    static func list(of element: Schema, _ count: ClosedRange<Int>) -> Schema {
        list(element, count.lowerBound, count.upperBound)
    }

    static func list(of element: Schema, atLeast minimum: Int) -> Schema { list(element, minimum, nil) }

    private static func list(_ element: Schema, _ minimum: Int?, _ maximum: Int?) -> Schema {
        var schema = Schema(type: "array").with("items", JSONValue(element.json))
        if let minimum { schema = schema.with("minItems", JSONValue(minimum)) }
        return if let maximum { schema.with("maxItems", JSONValue(maximum)) } else { schema }
    }

    /// An object with names that the client chooses.
    static func map(of value: Schema) -> Schema { anyObject.with("additionalProperties", JSONValue(value.json)) }

    /// A value of any of these types.
    static func anyType(_ types: String...) -> Schema {
        Schema(["type": JSONValue(types.map { JSONValue($0) })])
    }

    static func named(_ name: String) -> Schema {
        Schema(["$ref": JSONValue("#/components/schemas/\(name)")])
    }

    static func oneOf(_ schemas: Schema...) -> Schema { combined("oneOf", schemas) }
    static func anyOf(_ schemas: Schema...) -> Schema { combined("anyOf", schemas) }
    static func allOf(_ schemas: Schema...) -> Schema { combined("allOf", schemas) }

    private static func combined(_ keyword: String, _ schemas: [Schema]) -> Schema {
        var json = JSONObject()
        json[keyword] = JSONValue(schemas.map { JSONValue($0.json) })
        return Schema(json)
    }

    /// A value, or a list of which one is enough.
    static func oneOrMore(_ schema: Schema, atMost maximum: Int) -> Schema {
        oneOf(schema, .list(of: schema, 1...maximum))
    }
}

// Objects.
extension Schema {
    /// What the server answers: each member is always there, except for optional ones. A later version may add some.
    static func answer(_ fields: [Field]) -> Schema { object(fields, isAnswer: true) }

    /// What a client sends: a member may be left out unless it is required, and others are refused.
    static func body(_ fields: [Field]) -> Schema {
        object(fields, isAnswer: false).with("additionalProperties", JSONValue(false))
    }

    static func answer(groups: [any FieldGroup]) -> Schema { answer(groups.flatMap(\.fields)) }

    /// An object of which a member may be missing unless it is required, and that may have others.
    static func object(_ fields: [Field]) -> Schema { object(fields, isAnswer: false) }

    private static func object(_ fields: [Field], isAnswer: Bool) -> Schema {
        var schema = Schema.anyObject
        let required = fields.filter { $0.presence == .required || isAnswer && $0.presence == .usual }
        if !required.isEmpty { schema = schema.with("required", JSONValue(required.map { JSONValue($0.name) })) }
        var properties = JSONObject()
        for field in fields { properties[field.name] = JSONValue(field.property) }
        return schema.with("properties", JSONValue(properties))
    }
}

// What a schema says besides its type.
extension Schema {
    func with(_ keyword: String, _ value: JSONValue) -> Schema {
        var schema = self
        schema.json[keyword] = value
        return schema
    }

    /// Null too.
    var orNull: Schema {
        guard let type = json["type"] else { return .oneOf(self, .null) }
        var schema = with("type", JSONValue((type.array ?? [type]) + ["null"]))
        if let values = json["enum"]?.array { schema.json["enum"] = JSONValue(values + [.null]) }
        return schema
    }

    /// For elements of lists, members of unions and shared types: fields have a description of their own.
    func described(_ description: String) -> Schema { with("description", JSONValue(description)) }
    func pattern(_ pattern: String) -> Schema { with("pattern", JSONValue(pattern)) }
    func usually(_ value: JSONValue) -> Schema { with("default", value) }
    func membersAtMost(_ count: Int) -> Schema { with("maxProperties", JSONValue(count)) }
    func membersAtLeast(_ count: Int) -> Schema { with("minProperties", JSONValue(count)) }
    /// Set by the server alone.
    var readOnly: Schema { with("readOnly", true) }
    var writeOnly: Schema { with("writeOnly", true) }
    func examples(_ values: JSONValue...) -> Schema { with("examples", JSONValue(values)) }
}

extension JSONValue {
    /// A text of the tables that is JSON.
    init(parsed text: String) {
        guard let value = try? JSONValue(parsing: Array(text.utf8)) else {
            preconditionFailure("An example is not JSON: \(text)")
        }
        self = value
    }
}

/// A member of an object: its name, its type, what it means, and whether it may be missing.
struct Field: Sendable {
    enum Presence: Sendable {
        /// As the object says: there in answers, optional in bodies.
        case usual
        case required, optional
    }

    let name: String
    /// Nil: that of its member in a table.
    let schema: Schema?
    let description: String?
    let presence: Presence

    init(_ name: String, _ schema: Schema, _ description: String? = nil) {
        self.init(name, schema, description, .usual)
    }

    init(_ name: String, _ description: String? = nil) { self.init(name, nil, description, .usual) }

    init(required name: String, _ schema: Schema, _ description: String? = nil) {
        self.init(name, schema, description, .required)
    }

    init(optional name: String, _ schema: Schema, _ description: String? = nil) {
        self.init(name, schema, description, .optional)
    }

    private init(_ name: String, _ schema: Schema?, _ description: String?, _ presence: Presence) {
        self.name = name
        self.schema = schema
        self.description = description
        self.presence = presence
    }

    /// The schema with its description.
    var property: JSONObject {
        guard let schema else { preconditionFailure("\(name) has no type, and its body no table") }
        guard let description else { return schema.json }
        return schema.with("description", JSONValue(description)).json
    }
}

/// A field, or several that a table has.
protocol FieldGroup {
    var fields: [Field] { get }
}

extension Field: FieldGroup {
    var fields: [Field] { [self] }
}

extension [Field]: FieldGroup {
    var fields: [Field] { self }
}

/// A schema that bodies name: `#/components/schemas/Link`.
struct NamedSchema: Sendable {
    let name: String
    let schema: Schema

    init(_ name: String, _ schema: Schema, _ description: String? = nil, example: String? = nil) {
        self.name = name
        var schema = schema
        if let description { schema = schema.with("description", JSONValue(description)) }
        if let example { schema = schema.with("examples", [JSONValue(parsed: example)]) }
        self.schema = schema
    }
}
