package import WaymarkJSON

/// Who signed in, by a verified token.
package struct OpenIDIdentity: Sendable {
    /// With `subject`, the identity; an e-mail address is none.
    package let issuer: String
    /// 1 to 255 characters of ASCII, unique and constant at the issuer.
    package let subject: String
    /// All claims of the token.
    package let claims: JSONValue
    /// For `logoutURL`. A secret: not for logs.
    package let token: String

    /// For people: `name`, else `preferred_username`; nil where the provider gives neither.
    package var name: String? { text("name") ?? text("preferred_username") }

    /// Nil where the provider says that the address was not verified.
    package var email: String? { claims["email_verified"]?.bool == false ? nil : text("email") }

    private func text(_ claim: String) -> String? {
        claims[claim]?.string.flatMap { $0.isEmpty || $0.utf8.count > 320 ? nil : $0 }
    }

    /// Texts more than this are ignored.
    package static let valueLimit = 1_000

    /// The texts of a claim, for roles: one text, or those of a list. Empty where there is no such claim.
    ///
    /// - Parameter path: a claim's name, which may hold dots (`https://example.com/roles`), or names of objects within each other
    ///   with dots between them (`realm_access.roles`). The whole name wins.
    package func values(at path: String) -> [String] {
        guard let value = Self.value(at: Substring(path), in: claims, depth: 0) else { return [] }
        if let text = value.string { return [text] }
        return Array((value.array ?? []).compactMap(\.string).prefix(Self.valueLimit))
    }

    private static func value(at path: Substring, in object: JSONValue, depth: Int) -> JSONValue? {
        if let value = object[String(path)] { return value }
        guard depth < CompactToken.depthLimit else { return nil }
        for dot in path.indices where path[dot] == "." {
            guard let inner = object[String(path[..<dot])], inner.object != nil else { continue }
            if let value = value(at: path[path.index(after: dot)...], in: inner, depth: depth + 1) { return value }
        }
        return nil
    }
}
