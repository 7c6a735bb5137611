/// The paths of the interface, for both of its sides.
public enum Endpoint {
    public static let links = "/api/v1/links"
    public static let batch = "/api/v1/links:batch"
    public static let resolve = "/api/v1/resolve"
    public static let events = "/api/v1/events"
    public static let deferredClaim = "/api/v1/deferred/claim"
    public static let applications = "/api/v1/apps"
    public static let keys = "/api/v1/keys"
    public static let associationLint = "/api/v1/association/lint"
    public static let associationSimulation = "/api/v1/association/simulate"

    /// One link's address. A slug is one segment of it, so its slashes are percent-encoded; nothing else in slug or host
    /// needs that, by what they may hold.
    public static func link(domain: String, slug: String) -> String {
        "\(links)/\(domain)/" + slug.split(separator: "/", omittingEmptySubsequences: false).joined(separator: "%2F")
    }
    public static func metadata(domain: String, slug: String) -> String {
        link(domain: domain, slug: slug) + "/metadata"
    }
    public static func application(_ id: String) -> String { "\(applications)/\(id)" }
    public static func key(_ id: String) -> String { "\(keys)/\(id)" }
}
