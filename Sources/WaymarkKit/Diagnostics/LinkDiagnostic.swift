/// One step of a link or a request, to learn why a link did not open.
///
/// It has no path, query, parameter, metadata or key: it may be logged and sent to a crash reporter.
///
///     let deeplinking = Deeplinking(client: client, urlSchemes: ["shop"], onDiagnostic: { print($0) })
public struct LinkDiagnostic: Sendable, Hashable {
    /// What happened. The raw values are the same in all of Waymark's clients.
    public enum Step: String, Sendable, Hashable, CaseIterable {
        /// The client sends a request, for the first time.
        case request
        /// The service has answered.
        case response
        /// The client sends a request again.
        case retry
        /// The URL is not one of the app: the router does not handle its scheme, or it is too long.
        case notHandled
        /// The router asks the service about a link, a click or a deferred link.
        case resolving
        /// The service has answered the router.
        case resolved
        /// The service has refused, or did not answer.
        case resolveFailed
        /// `Deeplinking.openingTimeLimit` has ended.
        case late
        /// The service does not know the link, but its path is a route of the app.
        case unknownAsRoute
        /// No route matches, and there is no default route.
        case unrouted
        /// A filter returned false.
        case heldBack
        /// Another link was opened since.
        case superseded
        /// The link stays in the storage until it is opened.
        case kept
        /// A kept link is given again.
        case restored
        /// The target has run; the default route's if `route` is nil.
        case opened
    }

    /// What happened.
    public let step: Step
    /// The host of a web link, or the service's for steps of the client; nil for links of the app.
    public let host: String?
    /// The format of the route, such as `products/:product_id`; nil if there is none.
    public let route: String?
    /// The HTTP status; nil without a response.
    public let status: Int?
    /// The error's name, such as `offline`; nil if there is none.
    public let error: String?

    init(_ step: Step, host: String? = nil, route: String? = nil, status: Int? = nil, error: String? = nil) {
        self.step = step
        self.host = host
        self.route = route
        self.status = status
        self.error = error
    }

    /// The name of an error of the client; `other` for any other, which may say anything.
    static func code(of error: any Error) -> String {
        switch error {
        case let error as WaymarkClientError: error.code
        case DeeplinkingError.noService: "noService"
        default: "other"
        }
    }
}

extension LinkDiagnostic: CustomStringConvertible {
    /// One line, such as `resolveFailed host=go.example.com status=404 error=refused`.
    public var description: String {
        let members = [
            ("host", host), ("route", route), ("status", status.map { String($0) }), ("error", error),
        ]
        return ([step.rawValue] + members.compactMap { name, value in value.map { "\(name)=\($0)" } })
            .joined(separator: " ")
    }
}

#if canImport(os)
    import os

    extension LinkDiagnostic {
        /// Writes each step to the system's log, for `onDiagnostic`. Subsystem `waymark`, category `links`,
        /// level debug: in Console turn on *Action › Include Debug Messages*.
        public static let systemLog: @Sendable (LinkDiagnostic) -> Void = { diagnostic in
            Logger(subsystem: "waymark", category: "links").debug(
                "\(diagnostic.description, privacy: .public)")
        }
    }
#endif
