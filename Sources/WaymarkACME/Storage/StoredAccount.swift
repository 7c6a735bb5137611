import WaymarkJSON
import WaymarkTLS

/// The document of an account at an authority: `account/<digest of the directory's URL>`.
struct StoredAccount: Sendable {
    let directory: String
    let key: P256Key
    /// Nil until the authority has confirmed it.
    var url: String?
    var contacts: [String]

    init(directory: String, key: P256Key, url: String?, contacts: [String]) {
        self.directory = directory
        self.key = key
        self.url = url
        self.contacts = contacts
    }

    /// Nil if the document can't be decoded.
    init?(_ json: [UInt8]) {
        guard let value = try? JSONValue(parsing: json), let directory = value["directory"]?.string,
            let pem = value["key"]?.string, let key = try? P256Key(pem: Array(pem.utf8))
        else { return nil }
        self.init(
            directory: directory, key: key, url: value["url"]?.string,
            contacts: value["contacts"]?.array?.compactMap(\.string) ?? [])
    }

    var json: [UInt8] {
        var writer = JSONWriter()
        writer.beginObject()
        writer.member("directory", directory)
        writer.member("key", String(decoding: key.pem, as: UTF8.self))
        writer.member("url", url)
        writer.name("contacts")
        writer.beginArray()
        for contact in contacts { writer.string(contact) }
        writer.endArray()
        writer.endObject()
        return writer.bytes
    }
}
