import WaymarkBytes
import WaymarkJSON
import WaymarkTLS

/// A way in which an authority verifies that a host is served here.
package enum ChallengeKind: String, Sendable, CaseIterable {
    /// In the handshake of a TLS connection on port 443 (RFC 8737).
    case tlsALPN = "tls-alpn-01"
    /// By a request over plain HTTP on port 80 (RFC 8555 section 8.3).
    case http = "http-01"
}

/// What an authority may ask for at any server.
package struct PendingChallenge: Sendable, Equatable {
    package let host: String
    package let kind: ChallengeKind
    /// For HTTP-01 the last part of the path: `/.well-known/acme-challenge/<token>`.
    package let token: String
    /// For HTTP-01 the body of the response, `application/octet-stream`.
    package let keyAuthorization: String

    /// For TLS-ALPN-01 the digest for `ChallengeCertificates`, 32 bytes.
    package var digest: [UInt8] { SHA256.digest(of: Array(keyAuthorization.utf8)) }
}

/// The document of a host's pending challenges, of both kinds: `challenge/<host>`.
struct StoredChallenge: Sendable, Equatable {
    let challenges: [PendingChallenge]
    /// Not answered afterwards, in seconds since 1970.
    let until: Int64

    init(_ challenges: [PendingChallenge], until: Int64) {
        self.challenges = challenges
        self.until = until
    }

    /// Nil if the document can't be decoded.
    init?(_ json: [UInt8], host: String) {
        guard let value = try? JSONValue(parsing: json), let until = value["until"]?.integer,
            let list = value["challenges"]?.array
        else { return nil }
        let challenges = list.compactMap { member -> PendingChallenge? in
            guard let kind = member["kind"]?.string.flatMap(ChallengeKind.init), let token = member["token"]?.string,
                let authorization = member["keyAuthorization"]?.string
            else { return nil }
            return PendingChallenge(host: host, kind: kind, token: token, keyAuthorization: authorization)
        }
        self.init(challenges, until: Int64(until))
    }

    var json: [UInt8] {
        var writer = JSONWriter()
        writer.beginObject()
        writer.member("until", Int(until))
        writer.name("challenges")
        writer.beginArray()
        for challenge in challenges {
            writer.beginObject()
            writer.member("kind", challenge.kind.rawValue)
            writer.member("token", challenge.token)
            writer.member("keyAuthorization", challenge.keyAuthorization)
            writer.endObject()
        }
        writer.endArray()
        writer.endObject()
        return writer.bytes
    }
}
