import WaymarkLinks

/// An `Idempotency-Key` as stored: two digests.
package struct IdempotencyKey: Sendable, Equatable {
    /// A digest of API key, endpoint and the header's value.
    package let scope: [UInt8]
    /// A digest of the body, equal for bodies that parse to the same JSON.
    package let fingerprint: [UInt8]

    /// - Parameters:
    ///   - value: the header's value, already validated.
    ///   - endpoint: the operation, such as `links:batch`; it must never change.
    ///   - canonicalBody: the parsed body in canonical form.
    package init(
        _ value: String, key: KeyIdentity, endpoint: String, canonicalBody: [UInt8],
        sha256: (_ bytes: [UInt8]) -> [UInt8]
    ) {
        // Each part is prefixed with its length, so that different triples never have the same bytes.
        var bytes: [UInt8] = []
        for part in [key.id, endpoint, value] {
            bytes += Array("\(part.utf8.count):".utf8)
            bytes += Array(part.utf8)
        }
        scope = sha256(bytes)
        fingerprint = sha256(canonicalBody)
    }
}
