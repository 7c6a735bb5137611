import WaymarkJSON

/// Where an authority's resources are (RFC 8555 section 7.1.1).
struct ACMEDirectory: Sendable, Equatable {
    let newNonce: String
    let newAccount: String
    let newOrder: String
    let revokeCertificate: String
    /// Nil if the authority does not suggest times of renewal (RFC 9773).
    let renewalInfo: String?
    let requiresExternalAccount: Bool

    /// - Parameter rule: rejects URLs.
    init(_ value: JSONValue, _ rule: ACMEURLRule) throws(ACMEError) {
        func url(_ name: String) throws(ACMEError) -> String {
            try rule.checked(value[name]?.string, "the directory's \"\(name)\"")
        }
        newNonce = try url("newNonce")
        newAccount = try url("newAccount")
        newOrder = try url("newOrder")
        revokeCertificate = try url("revokeCert")
        renewalInfo = value["renewalInfo"]?.string == nil ? nil : try url("renewalInfo")
        requiresExternalAccount = value["meta"]?["externalAccountRequired"]?.bool ?? false
    }
}

/// Which URLs of an authority are followed: those of its directory's scheme. Signed requests must not leave TLS.
struct ACMEURLRule: Sendable {
    static let lengthLimit = 2_048

    private let isPlainAllowed: Bool

    init(directory: String) {
        isPlainAllowed = directory.lowercased().hasPrefix("http://")
    }

    /// The URL, if it is one.
    ///
    /// - Parameter name: what the URL is, for the error.
    func checked(_ url: String?, _ name: String) throws(ACMEError) -> String {
        guard let url else { throw ACMEError(.unavailable, "\(name) is missing in the authority's response") }
        let lowered = url.lowercased()
        guard url.utf8.count <= Self.lengthLimit, url.utf8.allSatisfy({ (0x21...0x7E).contains($0) }),
            lowered.hasPrefix("https://") || (isPlainAllowed && lowered.hasPrefix("http://"))
        else { throw ACMEError(.unavailable, "\(name) in the authority's response is not an https URL") }
        return url
    }
}
