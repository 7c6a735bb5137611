import WaymarkJSON

/// An object in the configuration file, or the whole file. Null is the same as an omitted member.
struct SettingObject {
    private let object: JSONObject
    let source: SettingSource

    /// - Throws: `CommandFailure` for a value that is not an object, and for a member that is not in `members`.
    init(_ value: JSONValue, _ source: SettingSource, members: [String], allowed: String = "an object") throws {
        guard let object = value.object else { throw source.refusal(value, allowed: allowed) }
        if let unknown = object.members.first(where: { !members.contains($0.name) }) {
            throw source.failure("unknown key \"\(unknown.name)\"; allowed: \(members.joined(separator: ", "))")
        }
        self.object = object
        self.source = source
    }

    subscript(member: String) -> JSONValue? { object[member] }

    func value<Value>(_ member: String, _ type: SettingType<Value>) throws -> Value? {
        guard let value = object[member], !value.isNull else { return nil }
        return try type.read(value, source.member(member))
    }

    func required<Value>(_ member: String, _ type: SettingType<Value>) throws -> Value {
        guard let value = try value(member, type) else {
            throw source.member(member).failure("missing; give \(type.allowed)")
        }
        return value
    }
}

/// A member of a setting that is an object, such as `limits`: its name, its type, and where its value is stored.
struct SettingMember<Root>: Sendable {
    let name: String
    let read: @Sendable (SettingObject, inout Root) throws -> Void
    let write: @Sendable (Root) -> JSONValue

    init<Value>(
        _ name: String, _ type: SettingType<Value>, _ keyPath: any WritableKeyPath<Root, Value> & Sendable
    ) {
        self.name = name
        read = { object, root in
            if let value = try object.value(name, type) { root[keyPath: keyPath] = value }
        }
        write = { type.write($0[keyPath: keyPath]) }
    }

    /// Null where there is no value.
    init<Value>(
        _ name: String, _ type: SettingType<Value>, optional keyPath: any WritableKeyPath<Root, Value?> & Sendable
    ) {
        self.name = name
        read = { object, root in
            if let value = try object.value(name, type) { root[keyPath: keyPath] = value }
        }
        write = { $0[keyPath: keyPath].map(type.write) ?? .null }
    }
}

extension SettingType {
    /// An object whose members replace those of `standard`.
    static func object(_ standard: Value, _ members: [SettingMember<Value>]) -> SettingType {
        SettingType(
            "an object",
            read: { value, source in
                let object = try SettingObject(value, source, members: members.map(\.name))
                return try members.reduce(into: standard) { try $1.read(object, &$0) }
            },
            write: { value in
                JSONValue(members.reduce(into: JSONObject()) { $0[$1.name] = $1.write(value) })
            })
    }
}
