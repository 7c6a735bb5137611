/// Why a step with an authority failed.
package struct ACMEError: Error, Sendable, Equatable {
    package enum Kind: Sendable, Equatable {
        /// The authority can't be reached, or its response can't be used.
        case unavailable
        /// The authority refused a request, with the type of its problem (RFC 8555 section 6.7).
        case refused(type: String)
        /// The authority could not verify that the host is served here.
        case validation
        /// The authority offers no challenge of the wanted kind.
        case notOffered
        /// The certificate that was issued can't be used.
        case certificate
        /// The store of documents failed.
        case storage
        /// Nothing was ordered, because of the hourly limit of orders or of an authority's limit.
        case limited
        /// This server was stopped, or another one took over the work.
        case interrupted
    }

    package let kind: Kind
    /// One line of at most `ACMEText.limit` characters.
    package let detail: String
    /// Seconds to wait, as the authority demands.
    package let retryAfter: Int?
    /// Whether another host met it a moment ago; the authority was not contacted again.
    package var isRemembered = false

    init(_ kind: Kind, _ detail: String, retryAfter: Int? = nil) {
        self.kind = kind
        self.detail = ACMEText.line(detail)
        self.retryAfter = retryAfter
    }

    /// Whether the request was refused with this type.
    func isRefusal(_ type: String) -> Bool { kind == .refused(type: type) }

    init(_ error: CertificateStorageError) {
        self.init(.storage, "the documents can't be read or written: \(error.reason)")
    }
}

/// Texts of an authority, which end up in logs and responses.
enum ACMEText {
    /// In characters.
    static let limit = 500

    /// The text on one line, without control characters, cut off at the limit.
    static func line(_ text: String) -> String {
        var line = ""
        var count = 0
        for scalar in text.unicodeScalars {
            guard count < limit else { return line + "…" }
            let isPrintable =
                scalar.properties.generalCategory != .control && scalar.properties.generalCategory != .format
                && scalar.properties.generalCategory != .lineSeparator
                && scalar.properties.generalCategory != .paragraphSeparator
            line.unicodeScalars.append(isPrintable ? scalar : " ")
            count += 1
        }
        return line
    }
}
