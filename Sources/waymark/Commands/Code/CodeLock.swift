import WaymarkJSON

/// The server's lock, so that one program at a time applies files to a database.
struct CodeLock {
    let api: any API
    let owner: String
    private let token: String

    private static let target = "/api/v1/links:lock"

    /// - Throws: `CommandFailure` if another holds it.
    init(_ api: any API, owner: String) async throws {
        self.api = api
        self.owner = owner
        let answer = try await api.json("POST", Self.target, ["owner": JSONValue(owner)])
        guard answer["held"]?.bool == true, let token = answer["token"]?.string else {
            let holder = answer["owner"]?.string ?? "another program"
            let until = answer["until"]?.string.map { "; if that has died, its lock ends at \($0)" } ?? ""
            throw CommandFailure.failed("another apply is running, of \(holder)\(until)")
        }
        self.token = token
    }

    /// - Throws: `CommandFailure` if it is lost.
    func renew() async throws {
        let answer = try await api.json(
            "POST", Self.target, ["owner": JSONValue(owner), "token": JSONValue(token)])
        guard answer["held"]?.bool == true else {
            throw CommandFailure.failed("the lock was lost, so the apply stopped; run it again")
        }
    }

    /// Tells the server what the apply left.
    func keep(_ versions: CodeVersions) async throws {
        for (app, part) in versions.parts {
            let body: JSONObject = [
                "owner": JSONValue(owner), "token": JSONValue(token), "app": JSONValue(app),
                "versions": JSONValue(part),
            ]
            _ = try await api.json("POST", Self.target, JSONValue(body))
        }
    }

    func release() async throws {
        let body: JSONObject = ["owner": JSONValue(owner), "token": JSONValue(token), "release": true]
        _ = try await api.json("POST", Self.target, JSONValue(body))
    }
}
