import WaymarkBytes
internal import WaymarkJSON
internal import WaymarkLinks

/// Reads the members of one object of an export. A member that was not read or has the wrong type makes the object
/// invalid: an import must not silently drop what it can't store.
struct Fields {
    private let object: JSONObject
    private var taken = 0
    private var isWrong = false

    init(_ object: JSONObject) { self.object = object }

    var areRead: Bool { !isWrong && taken == object.count }

    private mutating func take<Value>(_ name: String, _ read: (JSONValue) -> Value?) -> Value? {
        guard let value = object[name] else { return nil }
        taken += 1
        guard let result = read(value) else {
            isWrong = true
            return nil
        }
        return result
    }

    mutating func text(_ name: String) -> String? { take(name) { $0.string } }
    mutating func number(_ name: String) -> Int? { take(name) { $0.integer } }
    mutating func flag(_ name: String) -> Bool? { take(name) { $0.bool } }
    mutating func object(_ name: String) -> JSONObject? { take(name) { $0.object } }
    mutating func hexadecimal(_ name: String) -> [UInt8]? { take(name) { $0.string.flatMap(Hexadecimal.bytes) } }

    mutating func base64(_ name: String) -> [UInt8]? { take(name) { $0.string.flatMap { Base64.bytes($0) } } }

    mutating func bytes(_ name: String) -> [UInt8]? {
        text(name).map { Array($0.utf8) } ?? hexadecimal(name + "Bytes")
    }

    mutating func time(_ name: String) -> Timestamp? {
        take(name) { value in
            value.string.flatMap { Timestamp(rfc3339: $0) } ?? value.integer.map { Timestamp(rawValue: Int64($0)) }
        }
    }

    mutating func platform() -> Platform? { take("platform") { $0.string.flatMap { Platform(rawValue: $0) } } }

    mutating func value(_ name: String) -> JSONValue? { take(name) { $0 } }

    mutating func texts(_ name: String) -> [String] {
        take(name) { value in
            guard let elements = value.array else { return nil }
            let texts = elements.compactMap(\.string)
            return texts.count == elements.count ? texts : nil
        } ?? []
    }

    mutating func array(_ name: String) -> [JSONValue] { take(name) { $0.array } ?? [] }

    mutating func parameters(_ name: String) -> [String: String] {
        take(name) { value in
            guard let members = value.object?.members else { return nil }
            var parameters: [String: String] = [:]
            for member in members {
                guard let text = member.value.string else { return nil }
                parameters[member.name] = text
            }
            return parameters
        } ?? [:]
    }
}
