import WaymarkAPI
import WaymarkHTTP
import WaymarkServer

/// Problem responses for requests that the server rejects before they reach a handler.
enum ErrorResponses {
    static func response(_ status: Status, detail: StaticString) -> Response {
        var problem = Problem(type(status), String(describing: detail))
        problem.status = Int(status.code)
        if problem.known == .requestRefused { problem.title = status.reason }
        var fields = HeaderFields()
        if status == .methodNotAllowed { _ = fields.append(.allow, Method.allowList(Method.allCases)) }
        return .problem(problem, fields: fields)
    }

    private static func type(_ status: Status) -> ProblemType {
        switch status {
        case .badRequest: .malformedRequest
        case .methodNotAllowed: .methodNotAllowed
        case .contentTooLarge: .bodyTooLarge
        case .internalServerError: .internalError
        case .serviceUnavailable: .overloaded
        default: .requestRefused
        }
    }
}
