import Foundation
import Synchronization
import Testing
import WaymarkClient
import WaymarkJSON

@testable import waymark

/// What an apply leaves alone because it is no longer as it was planned with.
@Suite struct CodeApplierTests {
    /// A server that has the same for each path, and notes the writes.
    private final class Server: API {
        let read: HTTPResponse
        let deletion: HTTPResponse
        let requests = Mutex<[String]>([])

        init(reading read: HTTPResponse, deletion: HTTPResponse = HTTPResponse(status: 204)) {
            self.read = read
            self.deletion = deletion
        }

        func send(_ request: APIRequest) async throws -> HTTPResponse {
            if request.target == "/api/v1/links:lock" {
                return HTTPResponse(status: 200, body: Array(#"{"held": true, "token": "t"}"#.utf8))
            }
            if request.method == "GET" { return read }
            requests.withLock { $0.append("\(request.method) \(request.target)") }
            return request.method == "DELETE" ? deletion : HTTPResponse(status: 200, body: Array("{}".utf8))
        }

        func close() async {}
    }

    private static func webhook(_ manager: String) -> HTTPResponse {
        HTTPResponse(status: 200, body: Array("{\"managedBy\": \(manager)}".utf8))
    }

    private func apply(_ plan: CodePlan, to server: Server, _ done: inout CodeVersions) async throws -> String? {
        let lock = try await CodeLock(server, owner: "links")
        defer { Task { try? await lock.release() } }
        do {
            try await CodeApplier(api: server, lock: lock, secrets: nil).apply(plan, done: &done)
            return nil
        } catch let failure as CommandFailure {
            return failure.message
        }
    }

    @Test(arguments: [(200, 0), (404, 1)])
    func `an application made meanwhile is not replaced`(status: Int, writes: Int) async throws {
        let server = Server(reading: HTTPResponse(status: status, body: Array("{}".utf8)))
        var plan = CodePlan()
        plan.apps = [.init(id: "shop", document: [], version: nil, place: CodePlace("apps.json", [], at: 0))]
        var done = CodeVersions()
        let failure = try await apply(plan, to: server, &done)
        #expect(server.requests.withLock(\.count) == writes)
        #expect(failure?.contains("application shop was changed meanwhile") == (writes == 0 ? true : nil))
    }

    @Test(arguments: [
        ("\"links\"", "links", ["DELETE"]), ("null", nil, ["DELETE"]), ("\"others\"", "links", []),
        ("null", "links", []), ("\"others\"", nil, []),
    ])
    func `a webhook of another manager is left alone`(found: String, planned: String?, writes: [String]) async throws {
        let server = Server(reading: Self.webhook(found))
        let patches: [JSONValue?] = [JSONValue?.none, ["name": "a"]]
        for patch in patches {
            var plan = CodePlan()
            let change = CodePlan.WebhookChange(
                id: "wh_1", url: "https://a.example/", manager: planned, patch: patch)
            if patch == nil { plan.deletedWebhooks = [change] } else { plan.webhookChanges = [change] }
            var done = CodeVersions()
            let failure = try await apply(plan, to: server, &done)
            #expect((failure == nil) == !writes.isEmpty, "\(failure ?? "")")
        }
        let expected = writes.isEmpty ? [] : ["DELETE /api/v1/webhooks/wh_1", "PATCH /api/v1/webhooks/wh_1"]
        #expect(server.requests.withLock { $0 } == expected)
    }

    @Test func `an application that stays keeps its version`() async throws {
        let problem = HTTPResponse(status: 409, body: Array(#"{"detail": "1 link belongs to it."}"#.utf8))
        let server = Server(reading: HTTPResponse(status: 200), deletion: problem)
        var (plan, versions) = (CodePlan(), CodeVersions())
        versions["shop", CodeVersions.application] = 4
        plan.deletedApps = [.init(id: "shop", version: 4, versions: versions)]
        var done = CodeVersions()
        let failure = try await apply(plan, to: server, &done)
        #expect(failure?.contains("1 link belongs to it") == true)
        #expect(done["shop", CodeVersions.application] == 4)
    }

    @Test(arguments: [("\"5\"", 5), ("W/\"5\"", 5), ("\"a\"", nil), ("", nil)])
    func `a version is read from an entity tag`(tag: String, version: Int?) {
        let answer = HTTPResponse(status: 200, fields: [("ETag", tag)])
        #expect((try? CodePlanner.version(answer, of: "shop")) == version)
        #expect(throws: CommandFailure.self) { try CodePlanner.version(HTTPResponse(status: 200), of: "shop") }
    }
}
