import WaymarkAPI
import WaymarkJSON

// Bodies that a table of members reads: its names, types and limits, and what is required or may be null. Fields add
// descriptions, and what the table doesn't know of a type.
extension MemberTable {
    func body(_ fields: [any FieldGroup]) -> Schema { members.body(fields) }
}

extension LinkRequest {
    static let patchable = members.members.filter { !$0.traits.contains(.isFixed) }
}

extension Array {
    func body<Root>(_ fields: [any FieldGroup]) -> Schema where Element == Member<Root> {
        do {
            return .body(try joined(fields.flatMap(\.fields)))
        } catch {
            preconditionFailure(error.description)
        }
    }

    /// The fields with the types of the members, in the order of the fields.
    func joined<Root>(_ fields: [Field]) throws(DocumentError) -> [Field] where Element == Member<Root> {
        for member in self where !fields.contains(where: { $0.name == member.name }) {
            throw DocumentError("\(Root.self) has the member \(member.name), which no field describes; add one.")
        }
        var joined: [Field] = []
        for field in fields {
            guard let member = first(where: { $0.name == field.name }) else {
                throw DocumentError("\(Root.self) has no member \(field.name); remove its field.")
            }
            joined.append(try field.joined(to: member))
        }
        return joined
    }
}

extension Schema {
    /// Of members that the table knows whole.
    fileprivate init?<Root>(_ member: Member<Root>) {
        switch (member.scalar, member.shape) {
        case (.text, _): self = .text
        case (.integer, _): self = .integer
        case (.flag, _): self = .flag
        case (nil, .array(.scalar, let limit)): self = .list(of: .text, atMost: limit)
        case (nil, .map(.scalar, _)): self = .map(of: .parameterValue)
        case (nil, .bytes): self = .anyObject
        case (nil, _): return nil
        }
    }

    /// Without null.
    fileprivate var types: [JSONValue]? { json["type"].map { type in (type.array ?? [type]).filter { $0 != "null" } } }

    fileprivate var mayBeNull: Bool { json["type"]?.array?.contains("null") == true }

    /// Whether it has the names and the limits of the shape, as far as it says any.
    fileprivate func fits(_ shape: JSONShape) -> Bool {
        switch shape {
        case .object(let members):
            guard let properties = json["properties"]?.object else { return true }
            return Set(properties.members.map(\.name)) == Set(members.keys)
        case .array(let element, let limit):
            guard types != nil else { return true }
            let items = json["items"]?.object.map { Schema($0) }
            return json["maxItems"]?.integer == limit && items?.fits(element) != false
        case .any, .scalar, .bytes, .map: return true
        }
    }
}

extension Field {
    fileprivate func joined<Root>(to member: Member<Root>) throws(DocumentError) -> Field {
        let known = Schema(member)
        guard var schema = schema ?? known else {
            throw DocumentError("The table of \(Root.self) does not define the type of \(name); give its field a type.")
        }
        guard schema.fits(member.shape), schema.types == nil || known == nil || schema.types == known?.types else {
            throw DocumentError("The type of \(name) differs from the table of \(Root.self); correct its field.")
        }
        // References and unions say themselves whether they may be null.
        if schema.types != nil, !schema.mayBeNull, !member.isRequired, !member.traits.contains(.isKept) {
            schema = schema.orNull
        }
        return member.isRequired
            ? Field(required: name, schema, description) : Field(name, schema, description)
    }
}
