/// How strictly templates are compared with URLs. The default is the behaviour of the original library.
public struct DeepLinkMatchingOptions: Sendable, Hashable {
    /// What becomes of the host of a web link (`http` or `https`).
    public enum WebHost: Sendable, Hashable {
        /// It is the first part of the path, as for any other scheme.
        case isFirstPart
        /// It is left out: `https://go.example.com/show/photo` has the parts of `shop://show/photo`.
        case isLeftOut
        /// It is left out and must be one of these, compared whole and without regard to case; a web link of any other host
        /// matches nothing.
        case isOneOf(Set<String>)
    }

    /// Whether a URL may have a query although the template declares none (`utm_source` and the like). Without it such a
    /// URL does not match. A template that declares at least one parameter ignores the others in any case.
    public var toleratesUndeclaredQuery: Bool
    /// What becomes of the host of a web link.
    public var webHost: WebHost

    /// Options one by one; what is left out is as in the original library.
    public init(toleratesUndeclaredQuery: Bool = false, webHost: WebHost = .isFirstPart) {
        self.toleratesUndeclaredQuery = toleratesUndeclaredQuery
        self.webHost = webHost
    }

    /// As the original library: no undeclared query, the host is the first part.
    public static let strict = DeepLinkMatchingOptions()

    /// For universal links: an undeclared query is tolerated, the host of a web link is left out.
    public static let universalLinks = DeepLinkMatchingOptions(toleratesUndeclaredQuery: true, webHost: .isLeftOut)
}
