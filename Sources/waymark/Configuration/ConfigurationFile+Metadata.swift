import WaymarkJSON
import WaymarkLinks

/// What the configuration file says about metadata at rest.
extension ConfigurationFile {
    /// `[{"id": "2026-11", "keyFile": "metadata.key"}, {"id": "2025-11", "environment": "OLD_METADATA_KEY"}]`
    func metadataKeys() throws -> [MetadataKeySetting]? {
        let allowed = "an array of objects, each with id, and keyFile, environment or key"
        return try value("metadataKeys", allowed) { $0.array }?.enumerated().map { location, element in
            let name = name("metadataKeys[\(location)]")
            guard let object = element.object else {
                throw CommandFailure.usage("\(name): \(element.noun) is not allowed; give an object")
            }
            let members = ["id", "keyFile", "environment", "key"]
            if let unknown = object.members.first(where: { !members.contains($0.name) }) {
                throw CommandFailure.usage(
                    "\(name): unknown key \"\(unknown.name)\"; allowed: \(members.joined(separator: ", "))")
            }
            func text(_ member: String) throws -> String? {
                guard let given = object[member], !given.isNull else { return nil }
                guard let text = given.string, !text.isEmpty else {
                    throw CommandFailure.usage("\(name).\(member): give a string that is not empty")
                }
                return text
            }
            guard let id = MetadataKey.ID(try text("id") ?? "") else {
                throw CommandFailure.usage("\(name).id: give \(MetadataKey.ID.allowed)")
            }
            let locations: [MetadataKeySetting.Location] = [
                try text("keyFile").map { .file($0.relative(to: folder)) },
                try text("environment").map { .environment($0) },
                try text("key").map { .text($0, in: path) },
            ].compactMap(\.self)
            guard locations.count == 1, let key = locations.first else {
                throw CommandFailure.usage("\(name) (\"\(id)\"): give one of keyFile, environment and key")
            }
            return MetadataKeySetting(id: id, location: key, name: name)
        }
    }
}

extension EnvironmentVariables {
    /// `WAYMARK_METADATA_KEYS`: `ID=KEY`, the sealing one first, separated by commas.
    static func metadataKeys(_ text: String, name: String) throws -> [MetadataKeySetting] {
        try text.split(separator: ",", omittingEmptySubsequences: true).enumerated().map { location, part in
            let name = "\(name)[\(location)]"
            let pieces = part.split(separator: "=", maxSplits: 1)
            let id = pieces.first.map { $0.filter { !$0.isWhitespace } } ?? ""
            guard pieces.count == 2, let id = MetadataKey.ID(id) else {
                // The value is a secret, or was meant to be one: it is not repeated.
                throw CommandFailure.usage("\(name): give ID=KEY, the id \(MetadataKey.ID.allowed)")
            }
            return MetadataKeySetting(id: id, location: .text(String(pieces[1]), in: nil), name: name)
        }
    }
}
