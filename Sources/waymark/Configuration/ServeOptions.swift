import ArgumentParser
import WaymarkJSON

/// The flags of `serve` and `check-config`: one per row of `Settings` with a flag. The argument parser reads a type's
/// flags from its mirror, so the mirror has the rows instead of stored properties.
struct ServeOptions: ParsableArguments, CustomReflectable {
    private static let settings = Settings.all.filter { $0.sources.contains(.flag) }

    /// By the setting's name.
    private(set) var flags: [String: JSONValue] = [:]

    init() {}

    init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: Key.self)
        for setting in Self.settings {
            let key = Key(stringValue: setting.name)
            if setting.isList {
                let texts = try container.decode(Option<[String]>.self, forKey: key).wrappedValue
                if !texts.isEmpty { flags[setting.name] = JSONValue(texts.map { JSONValue($0) }) }
            } else {
                let text = try container.decode(Option<String?>.self, forKey: key).wrappedValue
                flags[setting.name] = text.map { JSONValue($0) }
            }
        }
    }

    var customMirror: Mirror {
        Mirror(self, children: Self.settings.map { (label: $0.name, value: Self.option($0)) })
    }

    private static func option(_ setting: any AnySetting) -> Any {
        let name = NameSpecification.customLong(String((setting.flag ?? "").dropFirst(2)))
        let help = ArgumentHelp(setting.help, valueName: setting.placeholder)
        if setting.isList { return Option<[String]>(wrappedValue: [], name: name, parsing: .singleValue, help: help) }
        return Option<String?>(name: name, help: help)
    }

    private struct Key: CodingKey {
        let stringValue: String
        var intValue: Int? { nil }

        init(stringValue: String) { self.stringValue = stringValue }
        init?(intValue: Int) { nil }
    }
}
