import Testing
import WaymarkHTTP
import WaymarkJSON
import WaymarkServer

@testable import WaymarkSite

/// Holds every answer of every test to what the route table and the interface promise of all of them.
struct CheckingClient: TestClient {
    let site: Site
    let inner: any TestClient
    /// On a listener that sends to HTTPS the table says only what stands there.
    var role = ListenerRole.public

    func send(_ request: TestRequest) async throws -> TestAnswer {
        let answer = try await inner.send(request)
        let path = Array(request.target.prefix { $0 != "?" }.utf8)
        let method = Method.allCases.first { $0.name == request.method }
        let index = "\(request.method) \(request.target.prefix(100)): \(answer.status)"
        if role != .redirect, let method, case .found(let route, _) = site.router.match(method, path: path.span) {
            // Elsewhere the path is a slug's.
            let visits = site.router.match(.get, path: Array("/slug".utf8).span)
            var isHidden = site.options.hasAdminListener && answer.status == 404
            if route.access.isCompatibility, request.method == "GET", case .found(let visit, _) = visits {
                isHidden = isHidden || visit.statuses.contains(answer.status)
            }
            #expect(route.statuses.contains(answer.status) || isHidden, "\(index) is not in the route table")
        }
        if request.target.hasPrefix("/api/") {
            #expect(answer[header: "Cache-Control"] == "no-store", "\(index) may be kept")
        }
        if answer.status >= 400, answer[header: "Content-Type"] == "application/problem+json", request.method != "HEAD"
        {
            #expect(answer.json["status"]?.integer == answer.status, "\(index) says another status")
            #expect(answer.json["type"]?.string?.hasPrefix("urn:waymark:problem:") == true, "\(index) has no type")
            #expect(answer.json["title"]?.string?.isEmpty == false, "\(index) has no title")
            #expect(answer.json["detail"]?.string?.isEmpty == false, "\(index) has no detail")
            #expect((answer.json["errors"] != nil) == (answer.status == 422), "\(index) and its errors")
        } else if answer.status >= 400, path.starts(with: "/v2/".utf8),
            answer[header: "Content-Type"] == "application/json"
        {
            if request.method == "HEAD" { return answer }
            #expect(answer.json["error"]?.string?.isEmpty == false, "\(index) has no error")
            #expect((1...11).contains(answer.json["status"]?.integer ?? 0), "\(index) has no status")
        } else if answer.status >= 400, path == Array("/_/mcp".utf8),
            answer[header: "Content-Type"] == "application/json"
        {
            #expect(answer.json["error"]?["message"]?.string?.isEmpty == false, "\(index) has no error")
        } else if answer.status >= 400, path.starts(with: "/_/oauth/".utf8),
            answer[header: "Content-Type"] == "application/json"
        {
            #expect(answer.json["error"]?.string?.isEmpty == false, "\(index) has no error")
            #expect(answer.json["error_description"]?.string?.isEmpty == false, "\(index) does not say why")
        } else if answer.status >= 400, answer[header: "Content-Type"] == "application/json" {
            #expect(request.target.hasPrefix("/v1/"), "\(index) is no problem document")
            #expect(answer.json["error"]?["code"]?.integer == answer.status, "\(index) is not as Google answers")
        } else if answer.status >= 400, request.method != "HEAD" {
            #expect(!request.target.hasPrefix("/api/"), "\(index) is no problem document")
            #expect(
                answer[header: "Content-Type"] == "text/html; charset=utf-8", "\(index) is neither page nor problem")
        }
        return answer
    }
}
