import WaymarkBytes
import WaymarkJSON

/// A certificate to revoke once its host has another one.
struct PendingRevocation: Sendable, Equatable {
    /// Seconds until a revocation that failed is tried again.
    static let pause: Int64 = 600

    /// DER.
    let leaf: [UInt8]
    /// The URL of the directory of the authority that issued it.
    let directory: String
    let reason: RevocationReason
    /// In seconds since 1970.
    var nextAttempt: Int64

    init(leaf: [UInt8], directory: String, reason: RevocationReason, nextAttempt: Int64 = 0) {
        self.leaf = leaf
        self.directory = directory
        self.reason = reason
        self.nextAttempt = nextAttempt
    }

    /// Nil if the value can't be decoded.
    ///
    /// - Parameter value: as written by `write(to:)`.
    init?(_ value: JSONValue) {
        guard let leaf = value["certificate"]?.string.flatMap({ Base64.bytes(lenient: $0) }),
            let directory = value["directory"]?.string,
            let reason = value["reason"]?.integer.flatMap(RevocationReason.init)
        else { return nil }
        self.init(
            leaf: leaf, directory: directory, reason: reason, nextAttempt: Int64(value["nextAttempt"]?.integer ?? 0))
    }

    func write(to writer: inout JSONWriter) {
        writer.beginObject()
        writer.member("certificate", Base64.urlText(leaf))
        writer.member("directory", directory)
        writer.member("reason", reason.rawValue)
        writer.member("nextAttempt", Int(nextAttempt))
        writer.endObject()
    }
}
