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
    public static let people = "/api/v1/people"
    public static let invitations = "/api/v1/people:invite"
    public static let associationLint = "/api/v1/association/lint"
    public static let associationSimulation = "/api/v1/association/simulate"

    /// The path of one link. A slug is one path segment, so its slashes are percent-encoded, and what is not ASCII.
    /// Hosts don't need escaping.
    public static func link(domain: String, slug: String) -> String {
        var path = "\(links)/\(domain)/"
        if slug.utf8.allSatisfy(isUnreserved) {
            path += slug
            return path
        }
        for byte in slug.utf8 {
            if isUnreserved(byte) {
                path.unicodeScalars.append(Unicode.Scalar(byte))
            } else {
                path += byte < 16 ? "%0" : "%"
                path += String(byte, radix: 16, uppercase: true)
            }
        }
        return path
    }

    private static func isUnreserved(_ byte: UInt8) -> Bool {
        switch byte {
        case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, 0x2D, 0x2E, 0x5F, 0x7E: true
        default: false
        }
    }

    public static func metadata(domain: String, slug: String) -> String {
        link(domain: domain, slug: slug) + "/metadata"
    }
    public static func application(_ id: String) -> String { "\(applications)/\(id)" }
    public static func linkImport(_ id: String) -> String { "\(imports)/\(id)" }
    public static func key(_ id: String) -> String { "\(keys)/\(id)" }
    public static func person(_ id: String) -> String { "\(people)/\(id)" }
}
