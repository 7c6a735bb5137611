import WaymarkBytes
import WaymarkJSON

/// A credential as browsers write it with `toJSON()`: the members that registrations and assertions share.
struct CredentialMessage: Sendable {
    /// Bytes of the whole text: an attestation with certificates is the longest.
    static let sizeLimit = 65_536

    let id: [UInt8]
    let response: JSONValue
    let clientData: ClientData
    let clientDataBytes: [UInt8]

    init(_ value: JSONValue) throws(PasskeyRefusal) {
        guard value.object != nil, value["type"]?.string == "public-key", let name = value["id"]?.string,
            let id = Self.bytes(name), let response = value["response"], response.object != nil
        else { throw .malformed(.credential) }
        // Both are the same bytes; a difference would let one be checked and the other be used.
        if let raw = value["rawId"] {
            guard raw.string == name else { throw .malformed(.credential) }
        }
        guard (1...AuthenticatorData.credentialIDLimit).contains(id.count) else { throw .credentialID }
        self.id = id
        self.response = response
        clientDataBytes = try Self.bytes("clientDataJSON", of: response)
        clientData = try ClientData(clientDataBytes)
    }

    /// A member in base64url.
    static func bytes(_ name: String, of value: JSONValue) throws(PasskeyRefusal) -> [UInt8] {
        guard let text = value[name]?.string, let bytes = bytes(text) else { throw .malformed(.credential) }
        return bytes
    }

    /// Strict base64url: without padding, and with zeros behind the last byte (RFC 4648 section 3.5).
    static func bytes(_ text: String) -> [UInt8]? {
        guard text.utf8.count <= sizeLimit, let bytes = Base64.bytes(lenient: text), Base64.urlText(bytes) == text
        else {
            return nil
        }
        return bytes
    }
}
