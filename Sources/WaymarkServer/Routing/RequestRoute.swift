/// What a handler calls one of its routes, for figures and for the access log.
package struct RequestRoute: Sendable, Equatable {
    /// `GET` and the like; empty where requests of any method are counted together.
    package let method: String
    /// The pattern, such as `/api/v1/links/{slug}`: never a path that a client has sent.
    package let path: String
    /// Whether its requests are so many that the access log hears of them only where it is told to.
    package let isQuiet: Bool

    package init(method: String, path: String, isQuiet: Bool = false) {
        self.method = method
        self.path = path
        self.isQuiet = isQuiet
    }

    /// Requests that no route answers, and those that could not be read.
    package static let none = RequestRoute(method: "", path: "none")
}
