import Foundation
import WaymarkBytes
import WaymarkJSON
import WaymarkLinks
import WaymarkStores
import WaymarkTLS

/// A key of `metadataKeys` as configured: its ID, and the location of the key. The first one seals metadata, the
/// others only open what they sealed earlier.
struct MetadataKeySetting: Sendable, Equatable {
    enum Location: Sendable, Equatable {
        /// The key's text, and the file that contains it.
        case text(String, in: String?)
        case file(String)
        /// An environment variable with the key's text.
        case environment(String)

        /// Anyone who can read this file can read the key.
        var file: String? {
            switch self {
            case .text(_, in: let path): path
            case .file(let path): path
            case .environment: nil
            }
        }
    }

    let id: MetadataKey.ID
    let location: Location
    /// The name in messages: `metadataKeys[0] in Config/waymark.json`.
    let name: String

    /// 32 bytes as text: 64 hexadecimal digits, or base64 (RFC 4648, either alphabet, with or without its padding).
    static let allowedKey = "32 random bytes as 64 hexadecimal digits or in base64, such as openssl rand -hex 32 prints"

    /// The key's bytes.
    ///
    /// - Throws: `CommandFailure` with the setting and the ID, and never any part of the key.
    func bytes(environment: [String: String]) throws -> [UInt8] {
        let setting = "\(name) (\"\(id)\")"
        switch location {
        case .text(let text, _):
            guard let bytes = Self.bytes(of: text) else {
                throw CommandFailure.usage("\(setting): not a key; give \(Self.allowedKey)")
            }
            return bytes
        case .environment(let variable):
            guard let text = environment[variable] else {
                throw CommandFailure.usage("\(setting): the environment has no \(variable); give \(Self.allowedKey)")
            }
            guard let bytes = Self.bytes(of: text) else {
                throw CommandFailure.usage("\(setting): \(variable) is not a key; give \(Self.allowedKey)")
            }
            return bytes
        case .file(let path):
            let content: [UInt8]
            do {
                content = Array(try Data(contentsOf: URL(fileURLWithPath: path)))
            } catch {
                throw CommandFailure.usage("\(setting): the file \(path) \(JSONFile.unreadable(path, error))")
            }
            if content.count == AES256GCM.keyByteCount { return content }
            guard content.count <= 256, let bytes = Self.bytes(of: String(decoding: content, as: UTF8.self)) else {
                throw CommandFailure.usage(
                    "\(setting): the file \(path) holds no key; give 32 bytes, or \(Self.allowedKey)")
            }
            return bytes
        }
    }

    static func bytes(of text: String) -> [UInt8]? {
        let text = text.trimmingCharacters(in: .whitespacesAndNewlines)
        if text.utf8.count == 2 * AES256GCM.keyByteCount { return Hexadecimal.bytes(text) }
        let bytes = Base64.bytes(lenient: text)
        return bytes?.count == AES256GCM.keyByteCount ? bytes : nil
    }
}

extension SettingType<[MetadataKeySetting]> {
    /// `[{"id": "2026-11", "keyFile": "metadata.key"}, {"id": "2025-11", "environment": "OLD_METADATA_KEY"}]`, the
    /// encrypting one first. `ID=KEY,ID=KEY` in a variable.
    static var metadataKeys: SettingType {
        array(
            of: SettingType<MetadataKeySetting>(
                "an object with id, and keyFile, environment or key",
                read: { try $1.isText ? pair($0, $1) : object($0, $1) }, write: { ["id": JSONValue($0.id.text)] }),
            "an array of objects, each with id, and keyFile, environment or key",
            separate: { $0.split(separator: ",").map(String.init) })
    }

    private static func object(_ value: JSONValue, _ source: SettingSource) throws -> MetadataKeySetting {
        let object = try SettingObject(value, source, members: ["id", "keyFile", "environment", "key"])
        let text = SettingType<String>.string(
            "a string that is not empty", convert: { text, _ in text.isEmpty ? nil : text }, write: \.self)
        let id = try object.required(
            "id",
            SettingType<MetadataKey.ID>.string(
                MetadataKey.ID.allowed, convert: { text, _ in MetadataKey.ID(text) }, write: \.text))
        let locations: [MetadataKeySetting.Location] = [
            try object.value("keyFile", .path).map { .file($0) },
            try object.value("environment", text).map { .environment($0) },
            try object.value("key", text).map { .text($0, in: source.file) },
        ].compactMap(\.self)
        guard locations.count == 1, let location = locations.first else {
            throw CommandFailure.usage("\(source.name) (\"\(id)\"): give one of keyFile, environment and key")
        }
        return MetadataKeySetting(id: id, location: location, name: source.name)
    }

    private static func pair(_ value: JSONValue, _ source: SettingSource) throws -> MetadataKeySetting {
        let pieces = (value.string ?? "").split(separator: "=", maxSplits: 1)
        let id = pieces.first.map { $0.filter { !$0.isWhitespace } } ?? ""
        guard pieces.count == 2, let id = MetadataKey.ID(id) else {
            // The value is a secret, or was intended as one, so the message does not repeat it.
            throw source.failure("give ID=KEY, the id \(MetadataKey.ID.allowed)")
        }
        return MetadataKeySetting(id: id, location: .text(String(pieces[1]), in: nil), name: source.name)
    }
}

/// The value of a key.
struct MetadataKeyValue: Sendable {
    let id: MetadataKey.ID
    let bytes: [UInt8]
    /// The file that contains it, if any.
    let file: String?

    /// Reads the keys.
    ///
    /// - Throws: `CommandFailure` if one can't be read, or if two have the same ID or the same key.
    static func all(_ settings: [MetadataKeySetting], environment: [String: String]) throws -> [MetadataKeyValue] {
        var values: [MetadataKeyValue] = []
        for setting in settings {
            guard !values.contains(where: { $0.id == setting.id }) else {
                throw CommandFailure.usage("\(setting.name): the id \"\(setting.id)\" is given twice")
            }
            let bytes = try setting.bytes(environment: environment)
            if let other = values.first(where: { $0.bytes == bytes }) {
                throw CommandFailure.usage(
                    "\(setting.name) (\"\(setting.id)\"): the key is that of \"\(other.id)\"; give each its own")
            }
            values.append(MetadataKeyValue(id: setting.id, bytes: bytes, file: setting.location.file))
        }
        return values
    }

    /// Whether all users of the machine can read its file.
    var isExposed: Bool {
        guard let file, let attributes = try? FileManager.default.attributesOfItem(atPath: file),
            let mode = attributes[.posixPermissions] as? Int
        else { return false }
        return mode & 0o004 != 0
    }
}

extension MetadataKeys {
    init(_ values: [MetadataKeyValue]) {
        self.init(
            values.compactMap { value in
                AES256GCM(key: value.bytes).map { cipher in
                    MetadataKey(id: value.id) {
                        cipher.seal($0, authenticated: $1)
                    } open: {
                        cipher.open($0, authenticated: $1)
                    }
                }
            })
    }
}
