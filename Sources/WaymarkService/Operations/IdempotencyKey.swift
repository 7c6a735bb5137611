import WaymarkLinks

/// An `Idempotency-Key` in the form that stores keep: two digests.
package struct IdempotencyKey: Sendable, Equatable {
    /// Of API key, endpoint and the header's value.
    package let scope: [UInt8]
    /// Of the body, in a form that is the same for bodies that parse to the same JSON.
    package let fingerprint: [UInt8]

    /// - Parameters:
    ///   - value: the header as sent; the caller has checked it.
    ///   - endpoint: which operation, such as `links:batch`; the same everywhere and for ever.
    ///   - canonicalBody: the parsed body, written down in one way only.
    package init(
        _ value: String, key: KeyIdentity, endpoint: String, canonicalBody: [UInt8],
        sha256: (_ bytes: [UInt8]) -> [UInt8]
    ) {
        // Each part behind its length, so that no two triples read the same.
        var bytes: [UInt8] = []
        for part in [key.id, endpoint, value] {
            bytes += Array("\(part.utf8.count):".utf8)
            bytes += Array(part.utf8)
        }
        scope = sha256(bytes)
        fingerprint = sha256(canonicalBody)
    }
}
