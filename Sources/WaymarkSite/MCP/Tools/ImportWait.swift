import WaymarkAPI
import WaymarkBytes
import WaymarkJSON

/// Waits for an import that was started, for as long as people wait for an answer.
struct ImportWait {
    /// Between two looks at the import, in milliseconds: about 25 seconds in all.
    static let delays = [50, 100, 200, 400, 800] + Array(repeating: 1_000, count: 24)
    /// More rows are only counted.
    static let reportedRows = 1_000

    let delays: [Int]

    /// - Parameter started: the response with the import's ID.
    func result(of started: RESTResponse, through caller: any RESTCaller) async throws(RESTFailure) -> ToolResult {
        var response = started
        guard let id = Self.state(started)["id"]?.string else { return ToolResult(started) }
        let target = "\(Endpoint.imports)/\(PercentEncoding.encode(id))"
        for delay in delays where Self.isRunning(response) {
            do {
                try await Task.sleep(nanoseconds: UInt64(delay) * 1_000_000)
            } catch {
                break
            }
            response = try await caller.send(RESTRequest(method: "GET", target: target))
        }
        guard (200..<300).contains(response.status) else { return ToolResult(response) }
        guard !Self.isRunning(response) else {
            return ToolResult(response, remark: "It goes on; GET \(target) says how far it is, and lists its rows.")
        }
        guard let rows = Self.state(response)["counts"]?["rows"]?.integer, rows <= Self.reportedRows else {
            return ToolResult(response, remark: "GET \(target)?format=csv lists its rows.")
        }
        let report = try await caller.send(RESTRequest(method: "GET", target: target + "?format=csv"))
        let text = report.status == 200 ? String(validating: report.body, as: UTF8.self) : nil
        return ToolResult(response, remark: text)
    }

    private static func state(_ response: RESTResponse) -> JSONValue {
        (try? JSONValue(parsing: response.body)) ?? .null
    }

    private static func isRunning(_ response: RESTResponse) -> Bool {
        ["running", "stopping"].contains(state(response)["state"]?.string)
    }
}
