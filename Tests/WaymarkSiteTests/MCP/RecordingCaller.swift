import Foundation
import Synchronization
import WaymarkJSON

@testable import WaymarkSite

/// The API document of the repository.
enum APIDocumentFile {
    static let bytes: [UInt8] = {
        let root = #filePath.components(separatedBy: "/Tests/")[0]
        return FileManager.default.contents(atPath: root + "/Public/openapi.json").map { Array($0) } ?? []
    }()

    static let json = (try? JSONValue(parsing: bytes, depthLimit: 128)) ?? .null
}

/// Keeps the requests and answers them in turn.
final class RecordingCaller: RESTCaller {
    private let state: Mutex<(requests: [RESTRequest], responses: [RESTResponse])>

    /// - Parameter responses: the last one is repeated.
    init(_ responses: [(status: Int, body: String)] = [(200, "{}")]) {
        state = Mutex(([], responses.map { RESTResponse(status: $0.status, body: Array($0.body.utf8)) }))
    }

    var requests: [RESTRequest] { state.withLock { $0.requests } }

    func send(_ request: RESTRequest) async throws(RESTFailure) -> RESTResponse {
        let response = state.withLock { state in
            state.requests.append(request)
            return state.responses.count > 1 ? state.responses.removeFirst() : state.responses.first
        }
        guard let response else { throw RESTFailure(reason: "The server can't be reached.") }
        return response
    }
}

extension MCPServer {
    /// The result of a tool.
    func call(_ tool: String, _ arguments: String, _ caller: RecordingCaller) async -> JSONValue {
        let parameters = #"{"name":"\#(tool)","arguments":\#(arguments)}"#
        let message = #"{"jsonrpc":"2.0","id":1,"method":"tools/call","params":\#(parameters)}"#
        guard case .message(let bytes) = await answer(to: Array(message.utf8), through: caller) else { return .null }
        return (try? JSONValue(parsing: bytes, depthLimit: 128))?["result"] ?? .null
    }
}
