import WaymarkAPI
import WaymarkHTTP
import WaymarkServer

extension Response {
    /// A caller has used up what it may ask for.
    static func rateLimited(retryAfter seconds: Int, fields: HeaderFields = HeaderFields()) -> Response {
        var all = fields
        all.append(.retryAfter, seconds)
        return .problem(.rateLimited(seconds), fields: all)
    }
}

extension StatePage {
    /// The same on the way to a link: a page for people.
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
