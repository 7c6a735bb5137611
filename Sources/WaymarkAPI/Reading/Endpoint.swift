/// The paths of the API, for client and server.
public enum Endpoint {
    public static let links = "/api/v1/links"
    public static let batch = "/api/v1/links:batch"
    public static let resolve = "/api/v1/resolve"
    public static let events = "/api/v1/events"
    public static let conversions = "/api/v1/conversions"
    public static let deferredClaim = "/api/v1/deferred/claim"
    public static let applications = "/api/v1/apps"
    public static let imports = "/api/v1/imports"
    public static let keys = "/api/v1/keys"
    public static let associationLint = "/api/v1/association/lint"
    public static let associationSimulation = "/api/v1/association/simulate"

    /// The path of one link. A slug is one path segment, so its slashes are percent-encoded; other characters of
    /// slugs and hosts don't need escaping.
    public static func link(domain: String, slug: String) -> String {
        "\(links)/\(domain)/" + slug.split(separator: "/", omittingEmptySubsequences: false).joined(separator: "%2F")
    }
    public static func metadata(domain: String, slug: String) -> String {
        link(domain: domain, slug: slug) + "/metadata"
    }
    public static func application(_ id: String) -> String { "\(applications)/\(id)" }
    public static func linkImport(_ id: String) -> String { "\(imports)/\(id)" }
    public static func key(_ id: String) -> String { "\(keys)/\(id)" }
}
