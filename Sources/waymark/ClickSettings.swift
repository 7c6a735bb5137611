import WaymarkJSON

/// What is kept of clicks: `clicks` in the configuration file.
struct ClickSettings: Sendable, Equatable {
    /// Whole days of UTC after which records are dropped. Default: 400, so that a month can be compared with the same one
    /// of the year before; up to ten years.
    var retentionDays = 400

    static let retentionDays = 1...3_650

    /// Each member with what may be given, and where it goes; false where that is not allowed.
    private static let members: [Member] = [
        Member(
            "retentionDays", "a number from \(retentionDays.lowerBound) to \(retentionDays.upperBound)",
            set: { value, settings in
                guard let days = value.integer, retentionDays.contains(days) else { return false }
                settings.retentionDays = days
                return true
            }, get: { JSONValue($0.retentionDays) })
    ]

    private struct Member: Sendable {
        let name: String
        let allowed: String
        let set: @Sendable (JSONValue, inout ClickSettings) -> Bool
        let get: @Sendable (ClickSettings) -> JSONValue

        init(
            _ name: String, _ allowed: String, set: @escaping @Sendable (JSONValue, inout ClickSettings) -> Bool,
            get: @escaping @Sendable (ClickSettings) -> JSONValue
        ) {
            self.name = name
            self.allowed = allowed
            self.set = set
            self.get = get
        }
    }

    var document: JSONValue {
        var document = JSONObject()
        for member in Self.members { document[member.name] = member.get(self) }
        return JSONValue(document)
    }
}

extension ConfigurationFile {
    func clicks() throws -> ClickSettings? {
        guard let object = try value("clicks", "an object", { $0.object }) else { return nil }
        return try ClickSettings(object, in: self)
    }
}

extension ClickSettings {
    fileprivate init(_ object: JSONObject, in file: ConfigurationFile) throws {
        for given in object.members {
            guard let member = Self.members.first(where: { $0.name == given.name }) else {
                let allowed = Self.members.map(\.name).joined(separator: ", ")
                throw CommandFailure.usage(
                    "\(file.name("clicks")): unknown key \"\(given.name)\"; allowed: \(allowed)")
            }
            if given.value.isNull { continue }
            guard member.set(given.value, &self) else {
                let text = given.value.number?.text ?? given.value.noun
                throw CommandFailure.usage(
                    "\(file.name("clicks.\(given.name)")): \(text) is not allowed; give \(member.allowed)")
            }
        }
    }
}
