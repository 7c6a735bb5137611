import WaymarkJSON

/// What is kept of clicks: `clicks` in the configuration file.
struct ClickSettings: Sendable, Equatable {
    /// Whole days of UTC after which records are dropped. Default: 400, so that a month can be compared with the same one
    /// of the year before; up to ten years.
    var retentionDays = 400
    /// Whether a record of each click is kept, or only their number. Default: true.
    var record = true
    /// Whether the visitors of one day are told apart, by hashes of their addresses. Default: true.
    var visitors = true
    /// Seconds between two times that records are written down, and what a crash can lose; up to three times as many where
    /// the clicks are spread over thousands of links (docs/guide/clicks.md). Default: 5.
    var flushSeconds = 5

    static let retentionDays = 1...3_650
    static let flushSeconds = 1...60

    /// Each member with what may be given, and where it goes; false where that is not allowed.
    private static let members: [Member] = [
        .number("retentionDays", \.retentionDays, retentionDays), .flag("record", \.record),
        .flag("visitors", \.visitors), .number("flushSeconds", \.flushSeconds, flushSeconds),
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

        static func number(
            _ name: String, _ location: any WritableKeyPath<ClickSettings, Int> & Sendable, _ range: ClosedRange<Int>
        ) -> Member {
            Member(
                name, "a number from \(range.lowerBound) to \(range.upperBound)",
                set: { value, settings in
                    guard let number = value.integer, range.contains(number) else { return false }
                    settings[keyPath: location] = number
                    return true
                }, get: { JSONValue($0[keyPath: location]) })
        }

        static func flag(_ name: String, _ location: any WritableKeyPath<ClickSettings, Bool> & Sendable) -> Member {
            Member(
                name, "true or false",
                set: { value, settings in
                    guard let flag = value.bool else { return false }
                    settings[keyPath: location] = flag
                    return true
                }, get: { JSONValue($0[keyPath: location]) })
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
