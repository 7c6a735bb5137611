import WaymarkBytes
import WaymarkJSON
import WaymarkTLS

/// What the browser vouches for (WebAuthn level 2, section 5.8.1).
enum ClientData {
    enum Ceremony: String {
        case registration = "webauthn.create"
        case assertion = "webauthn.get"
    }

    static let sizeLimit = 4_096

    /// Checks that the browser was asked by a page of this site for exactly this.
    static func check(
        _ bytes: [UInt8], _ ceremony: Ceremony, _ challenge: PasskeyChallenge, _ site: PasskeySite
    ) throws(PasskeyRefusal) {
        guard bytes.count <= sizeLimit else { throw .tooLarge }
        guard let data = try? JSONValue(parsing: bytes, depthLimit: 8), data.object != nil,
            let type = data["type"]?.string, let given = data["challenge"]?.string, let origin = data["origin"]?.string
        else { throw .malformed(.clientData) }
        guard type == ceremony.rawValue else { throw .ceremony }
        guard ConstantTime.areEqual(Array(given.utf8), Array(challenge.text.utf8)) else { throw .challenge }
        guard origin.utf8.elementsEqual(site.origin.utf8) else { throw .origin }
        // Level 3 names the page around a frame.
        guard data["crossOrigin"].map({ $0.bool == false }) ?? true, data["topOrigin"] == nil else {
            throw .crossOrigin
        }
    }
}
