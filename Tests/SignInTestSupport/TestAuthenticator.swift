import WaymarkBytes
import WaymarkJSON
import WaymarkTLS

@testable import WaymarkSignIn

/// An authenticator with one passkey, and the browser in front of it. Each part can be made wrong, and is signed as it is.
struct TestAuthenticator {
    static let site = PasskeySite(isSecure: true, host: "links.example.com", port: nil, name: "Waymark")!
    static let user = Array("person-0001".utf8)

    let key = P256Key.generate()
    var id = [UInt8](repeating: 7, count: 16)
    var challenge = PasskeyChallenge()

    // The browser.
    var type: String?
    var challengeText: String?
    var origin = Self.site.origin
    var crossOrigin: JSONValue? = JSONValue(false)
    var topOrigin: JSONValue?

    // The authenticator.
    var relyingParty = Self.site.id
    var flags: UInt8 = 0x05
    var count: UInt32 = 0
    var cose: CBOR?
    var format = "none"
    var statement = CBOR.map([])
    var extensions: CBOR?
    var more: [UInt8] = []
    var userHandle: [UInt8]? = Self.user

    var publicKey: CBOR {
        let (x, y) = key.coordinates
        return cose ?? Self.map([(1, CBOR(2)), (3, CBOR(-7)), (-1, CBOR(1)), (-2, .bytes(x)), (-3, .bytes(y))])
    }

    static func map(_ entries: [(Int, CBOR)]) -> CBOR { .map(entries.map { CBOR.Entry(key: CBOR($0), value: $1) }) }
    static func map(_ entries: [(String, CBOR)]) -> CBOR {
        .map(entries.map { CBOR.Entry(key: .text($0), value: $1) })
    }

    func clientData(_ usual: String) -> [UInt8] {
        var object = JSONObject()
        object["type"] = JSONValue(type ?? usual)
        object["challenge"] = JSONValue(challengeText ?? challenge.text)
        object["origin"] = JSONValue(origin)
        object["crossOrigin"] = crossOrigin
        object["topOrigin"] = topOrigin
        return JSONValue(object).bytes()
    }

    func authenticatorData(_ credential: [UInt8] = [], flags more: UInt8 = 0) -> [UInt8] {
        let big = (0..<4).reversed().map { UInt8(truncatingIfNeeded: count >> (8 * UInt32($0))) }
        let flags = flags | more | (extensions == nil ? 0 : 0x80)
        return SHA256.digest(of: Array(relyingParty.utf8)) + [flags] + big + credential
            + (extensions?.encoded ?? []) + self.more
    }

    var credential: [UInt8] {
        [UInt8](repeating: 0, count: 16) + [UInt8(id.count >> 8), UInt8(id.count & 0xFF)] + id + publicKey.encoded
    }

    var attestation: CBOR {
        Self.map([
            ("fmt", .text(format)), ("attStmt", statement),
            ("authData", .bytes(authenticatorData(credential, flags: 0x40))),
        ])
    }

    func registration() -> JSONValue { registration(attestation.encoded) }

    func registration(_ attestation: [UInt8]) -> JSONValue {
        message([
            ("clientDataJSON", clientData("webauthn.create")), ("attestationObject", attestation),
        ])
    }

    func assertion() -> JSONValue {
        let (client, data) = (clientData("webauthn.get"), authenticatorData())
        var members = [("clientDataJSON", client), ("authenticatorData", data)]
        members.append(("signature", signature(data + SHA256.digest(of: client))))
        if let userHandle { members.append(("userHandle", userHandle)) }
        return message(members)
    }

    private func message(_ members: [(String, [UInt8])]) -> JSONValue {
        var response = JSONObject()
        for (name, bytes) in members { response[name] = JSONValue(Base64.urlText(bytes)) }
        var object = JSONObject()
        object["id"] = JSONValue(Base64.urlText(id))
        object["rawId"] = object["id"]
        object["type"] = JSONValue("public-key")
        object["response"] = JSONValue(response)
        return JSONValue(object)
    }

    private func signature(_ message: [UInt8]) -> [UInt8] {
        let raw = key.signature(of: message)
        func integer(_ half: ArraySlice<UInt8>) -> [UInt8] {
            let digits = Array(half.drop { $0 == 0 })
            let zero: [UInt8] = (digits.first ?? 0x80) >= 0x80 ? [0] : []
            return [2, UInt8(zero.count + digits.count)] + zero + digits
        }
        let numbers = integer(raw[..<32]) + integer(raw[32...])
        return [0x30, UInt8(numbers.count)] + numbers
    }
}

extension CBOR {
    /// In the shortest form.
    var encoded: [UInt8] {
        func head(_ type: UInt8, _ count: UInt64) -> [UInt8] {
            let sizes: [(limit: UInt64, low: UInt8, bytes: Int)] = [
                (0x100, 24, 1), (0x1_0000, 25, 2), (0x1_0000_0000, 26, 4),
            ]
            guard count >= 24 else { return [type << 5 | UInt8(count)] }
            let size = sizes.first { count < $0.limit } ?? (0, 27, 8)
            return [type << 5 | size.low]
                + (0..<size.bytes).reversed().map { UInt8(truncatingIfNeeded: count >> (8 * UInt64($0))) }
        }
        switch self {
        case .unsigned(let value): return head(0, value)
        case .negative(let value): return head(1, value)
        case .bytes(let bytes): return head(2, UInt64(bytes.count)) + bytes
        case .text(let text): return head(3, UInt64(text.utf8.count)) + Array(text.utf8)
        case .array(let elements): return head(4, UInt64(elements.count)) + elements.flatMap(\.encoded)
        case .map(let entries):
            return head(5, UInt64(entries.count)) + entries.flatMap { $0.key.encoded + $0.value.encoded }
        case .bool(let value): return [value ? 0xF5 : 0xF4]
        case .null: return [0xF6]
        }
    }
}
