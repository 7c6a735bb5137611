import WaymarkJSON
import WaymarkTLS

/// What the browser vouches for (WebAuthn level 2, section 5.8.1).
struct ClientData: Sendable {
    enum Ceremony: String {
        case registration = "webauthn.create"
        case assertion = "webauthn.get"
    }

    static let sizeLimit = 4_096

    let challenge: PasskeyChallenge
    private let type: String
    private let origin: String
    private let isCrossOrigin: Bool

    init(_ bytes: [UInt8]) throws(PasskeyRefusal) {
        guard bytes.count <= Self.sizeLimit else { throw .tooLarge }
        guard let data = try? JSONValue(parsing: bytes, depthLimit: 8), let type = data["type"]?.string,
            let text = data["challenge"]?.string, let origin = data["origin"]?.string
        else { throw .malformed(.clientData) }
        guard let challenge = CredentialMessage.bytes(text).flatMap({ PasskeyChallenge($0) }) else { throw .challenge }
        self.type = type
        self.challenge = challenge
        self.origin = origin
        // Level 3 names the page around a frame.
        isCrossOrigin = data["topOrigin"] != nil || data["crossOrigin"].map { $0.bool != false } ?? false
    }

    /// Checks that the browser was asked by a page of this site for exactly this.
    func check(_ ceremony: Ceremony, _ expected: PasskeyChallenge, _ site: PasskeySite) throws(PasskeyRefusal) {
        guard type == ceremony.rawValue else { throw .ceremony }
        guard ConstantTime.areEqual(challenge.bytes, expected.bytes) else { throw .challenge }
        guard origin.utf8.elementsEqual(site.origin.utf8) else { throw .origin }
        guard !isCrossOrigin else { throw .crossOrigin }
    }
}
