import WaymarkAPI
import WaymarkHTTP
import WaymarkServer

extension Response {
    /// The caller has exceeded a limit.
    static func rateLimited(retryAfter seconds: Int, fields: HeaderFields = HeaderFields()) -> Response {
        var all = fields
        all.append(.retryAfter, seconds)
        return .problem(.rateLimited(seconds), fields: all)
    }
}

extension StatePage {
    /// The same for visits of links: a page for visitors.
    static func rateLimited(retryAfter seconds: Int, as format: ProblemFormat) -> Response {
        var response = response(.rateLimited(seconds), as: format)
        response.fields.append(.retryAfter, seconds)
        return response
    }
}

extension Problem {
    fileprivate static func rateLimited(_ seconds: Int) -> Problem {
        Problem(.rateLimited, "Try again in \(seconds) \(seconds == 1 ? "second" : "seconds").")
    }
}
