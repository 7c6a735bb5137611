/// Whether a client would rather have gzip or the plain bytes (RFC 9110 section 12.5.3).
package struct CodingPreference: Sendable, Equatable {
    /// Thousandths; 0 where gzip is not acceptable.
    package let gzip: Int
    /// Thousandths; nil where the client does not say, and then the plain bytes are acceptable.
    package let identity: Int?

    package static let identityOnly = CodingPreference(gzip: 0, identity: nil)

    init(gzip: Int, identity: Int?) {
        self.gzip = gzip
        self.identity = identity
    }

    /// Reads all lines of Accept-Encoding; without any, gzip is not acceptable: a client that can't decode it would be
    /// lost, and one that can says so.
    package init(_ head: RequestHead, in bytes: Span<UInt8>) {
        guard head.value(.acceptEncoding) != nil else {
            self = .identityOnly
            return
        }
        var gzip: Int?
        var identity: Int?
        var other: Int?
        for position in 0..<head.fieldCount {
            let field = head.field(at: position)
            guard field.known == .acceptEncoding else { continue }
            var list = QualityList(field.value)
            while let element = list.next(in: bytes) {
                if WordScan.equalsIgnoringCase(bytes, element.value, "gzip")
                    || WordScan.equalsIgnoringCase(bytes, element.value, "x-gzip")
                {
                    gzip = max(gzip ?? 0, element.quality)
                } else if WordScan.equalsIgnoringCase(bytes, element.value, "identity") {
                    identity = max(identity ?? 0, element.quality)
                } else if WordScan.equalsIgnoringCase(bytes, element.value, "*") {
                    other = max(other ?? 0, element.quality)
                }
            }
        }
        self.gzip = gzip ?? other ?? 0
        // An asterisk forbids the plain bytes where it forbids everything; it does not rank them.
        self.identity = identity ?? (other == 0 ? 0 : nil)
    }

    /// Whether to send gzip where it can be had.
    package var prefersGzip: Bool { gzip > 0 && gzip >= identity ?? 0 }

    /// Whether the client wants no plain bytes. They are sent all the same where there is no gzip: a body that was not
    /// asked for helps more than a 406 (section 12.5.3 leaves the choice).
    package var refusesIdentity: Bool { identity == 0 }
}
