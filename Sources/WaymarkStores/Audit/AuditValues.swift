internal import WaymarkAPI
internal import WaymarkJSON

/// Fields of a configuration before or after a change: a JSON object of at most `limit` bytes.
package struct AuditValues: Sendable, Equatable {
    /// Of the object before and the one after, in bytes each. Where they are larger, long members are cut, and the last ones left
    /// out.
    package static let limit = 4_096
    /// Of a member in an object that is too large, in bytes of JSON.
    static let memberLimit = 512
    /// In place of a value that is secret.
    private static let notRecorded = "(not recorded)"

    package private(set) var members: [(name: String, json: [UInt8])] = []

    package init() {}

    /// The members of an object. None of other values.
    ///
    /// - Parameter hidesSecrets: whether values whose names say that they are secret are left out.
    package init(json: [UInt8], hidesSecrets: Bool = true) {
        guard let document = try? JSONDocument(keepingRepeatedMembersOf: json), let object = document.root.object else {
            return
        }
        members = object.members.map { member in
            let value = hidesSecrets ? Self.withoutSecrets(member.name, member.value) : member.value
            return (member.name, value.bytes())
        }
    }

    package static func == (one: AuditValues, other: AuditValues) -> Bool { one.json == other.json }

    package mutating func add(_ name: String, _ text: String?) {
        members.append((name, JSONWriter.text(capacity: 64) { if let text { $0.string(text) } else { $0.null() } }))
    }

    package mutating func add(_ name: String, _ number: Int) {
        members.append((name, Array(String(number).utf8)))
    }

    package mutating func add(_ name: String, _ flag: Bool) {
        members.append((name, Array((flag ? "true" : "false").utf8)))
    }

    package mutating func add(_ name: String, _ texts: [String]) {
        members.append(
            (
                name,
                JSONWriter.text(capacity: 64) { writer in
                    writer.beginArray()
                    for text in texts { writer.string(text) }
                    writer.endArray()
                }
            ))
    }

    package mutating func append(_ other: AuditValues) { members += other.members }

    /// Only members with these names.
    package func limited(to names: [String]) -> AuditValues {
        var limited = AuditValues()
        limited.members = members.filter { names.contains($0.name) }
        return limited
    }

    /// The members in which the two differ.
    package static func difference(
        _ before: AuditValues, _ after: AuditValues
    ) -> (before: AuditValues, after: AuditValues) {
        let old = Dictionary(before.members.map { ($0.name, $0.json) }) { first, _ in first }
        let new = Dictionary(after.members.map { ($0.name, $0.json) }) { first, _ in first }
        var (one, other) = (AuditValues(), AuditValues())
        one.members = before.members.filter { new[$0.name] != $0.json }
        other.members = after.members.filter { old[$0.name] != $0.json }
        return (one, other)
    }

    /// At most `limit` bytes.
    package var json: [UInt8] {
        let whole = text(members)
        if whole.count <= Self.limit { return whole }
        let cut = members.map { name, json in
            (
                name: name,
                json: json.count <= Self.memberLimit
                    ? json : JSONWriter.text(capacity: Self.memberLimit) { $0.string(Self.mark(json)) }
            )
        }
        var kept: [(name: String, json: [UInt8])] = []
        var size = 64
        for (index, member) in cut.enumerated() {
            size += member.name.utf8.count * 6 + member.json.count + 4
            guard size <= Self.limit else {
                kept.append(("…", JSONWriter.text { $0.string("\(cut.count - index) more fields") }))
                break
            }
            kept.append(member)
        }
        return text(kept)
    }

    /// The same for an object that is JSON already, and has nothing secret.
    package static func bounded(_ json: [UInt8]) -> [UInt8] {
        json.count <= limit ? json : AuditValues(json: json, hidesSecrets: false).json
    }

    private func text(_ members: [(name: String, json: [UInt8])]) -> [UInt8] {
        JSONWriter.text(capacity: 64 + members.reduce(0) { $0 + $1.name.utf8.count + $1.json.count + 4 }) { writer in
            writer.beginObject()
            for member in members {
                writer.name(given: member.name)
                writer.raw(member.json)
            }
            writer.endObject()
        }
    }

    /// The beginning of a value that is too long.
    private static func mark(_ json: [UInt8]) -> String {
        var start = String(decoding: json.prefix(200), as: UTF8.self)
        if start.unicodeScalars.last == "\u{FFFD}" { start.unicodeScalars.removeLast() }
        return start + "… (\(json.count) bytes)"
    }

    /// Whatever a document may have beneath such a name: it is better to miss a value than to store a secret.
    private static func withoutSecrets(_ name: String, _ value: JSONValue) -> JSONValue {
        let lowercased = name.lowercased()
        let isSecret =
            lowercased.hasSuffix("key") || lowercased.hasSuffix("keys")
            || ["secret", "password", "token", "metadata"].contains(where: lowercased.contains)
        if isSecret, !value.isNull, value.bool == nil { return JSONValue(notRecorded) }
        if let object = value.object {
            var result = JSONObject()
            for member in object.members { result[member.name] = withoutSecrets(member.name, member.value) }
            return JSONValue(result)
        }
        if let array = value.array { return JSONValue(array.map { withoutSecrets("", $0) }) }
        return value
    }
}
