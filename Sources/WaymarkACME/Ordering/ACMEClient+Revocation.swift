import WaymarkBytes
import WaymarkJSON
import WaymarkTLS

/// Why a certificate is revoked (RFC 5280 section 5.3.1): the reasons that authorities accept from subscribers.
package enum RevocationReason: Int, Sendable, CaseIterable {
    case unspecified = 0
    case keyCompromise = 1
    case affiliationChanged = 3
    case superseded = 4
    case cessationOfOperation = 5
}

extension ACMEClient {
    /// Revokes a certificate, given in DER, that this account ordered (RFC 8555 section 7.6). One that is revoked already is no error.
    func revoke(_ leaf: [UInt8], reason: RevocationReason) async throws(ACMEError) {
        var writer = JSONWriter(capacity: 4_096)
        writer.beginObject()
        writer.member("certificate", Base64.urlText(leaf))
        writer.member("reason", reason.rawValue)
        writer.endObject()
        do throws(ACMEError) {
            _ = try await post(try await directory().revokeCertificate, writer.bytes)
        } catch {
            guard error.isRefusal("alreadyRevoked") else { throw error }
        }
    }
}
