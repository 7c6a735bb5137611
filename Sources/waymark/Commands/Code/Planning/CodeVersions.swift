import WaymarkBytes
import WaymarkJSON

/// Versions of an owner's links and applications after an apply, by which the next plan knows what was changed elsewhere.
struct CodeVersions: Sendable {
    /// By application and address; 1 or less is forgotten.
    private(set) var apps: [String: [String: Int]] = [:]

    /// The address of an application itself, which no link has: theirs have a slash.
    static let application = "application"

    /// In one request, far below the size that a server reads.
    private static let batch = 20_000

    init() {}

    /// What the last apply left.
    init(of owner: String, apps names: [String], on api: any API) async throws {
        for app in names {
            let query = PercentEncoding.query([("owner", owner), ("app", app)])
            let answer = try await api.json("GET", "/api/v1/links:lock\(query)")
            for member in answer["versions"]?.object?.members ?? [] {
                if let version = member.value.integer { self[app, member.name] = version }
            }
        }
    }

    subscript(app: String, address: String) -> Int? {
        get { apps[app]?[address] }
        set { apps[app, default: [:]][address] = newValue }
    }

    mutating func remove(_ app: String) { apps[app] = nil }

    /// The same links, all forgotten.
    var forgotten: CodeVersions {
        var versions = self
        versions.apps = apps.mapValues { $0.mapValues { _ in 0 } }
        return versions
    }

    /// Each to send at once.
    var parts: [(app: String, versions: JSONObject)] {
        apps.sorted { $0.key < $1.key }.flatMap { app, versions in
            let sorted = versions.sorted { $0.key < $1.key }
            return stride(from: 0, to: sorted.count, by: Self.batch).map { start in
                var object = JSONObject()
                for (address, version) in sorted[start..<min(start + Self.batch, sorted.count)] {
                    object[address] = JSONValue(version)
                }
                return (app, object)
            }
        }
    }
}
