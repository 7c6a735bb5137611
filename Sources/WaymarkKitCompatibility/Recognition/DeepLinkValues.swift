/// What a template found in a URL, or what it is filled with to print one.
public struct DeepLinkValues: Sendable {
    /// The values of the path by the names in the template: `Int`, `Double`, `Bool` or `String`, as the template says.
    public let path: [String: any Sendable]
    /// The values of the query by the names in the template, of the types that it says. An optional parameter that is
    /// absent, or that does not convert, has no key.
    public let query: [String: any Sendable]
    /// What stands behind `#`, as written, not decoded; nil without a `#`.
    public let fragment: String?

    /// Values to print a URL from.
    public init(
        path: [String: any Sendable] = [:], query: [String: any Sendable] = [:], fragment: String? = nil
    ) {
        self.path = path
        self.query = query
        self.fragment = fragment
    }
}
