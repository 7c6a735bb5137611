import WaymarkAPI
import WaymarkHTTP
import WaymarkLinks
import WaymarkServer
import WaymarkService

/// A request to the API as its handler sees it: copied from the receive buffer, with an accepted key.
struct Call: Sendable {
    /// The caller. Routes without a key have an anonymous one.
    var key: KeyIdentity
    /// The applications with which the caller may do one of the scopes of the route.
    var reach: ApplicationReach
    /// The client's address and connection.
    let peer: Peer
    /// The path's parameters in order, percent-decoded.
    let parameters: [String]
    let query: QueryString
    /// Query parameters that the route does not take, of a call that only reads: reported with its other problems.
    var unknownParameters: [FieldProblem] = []
    let ifMatch: Precondition
    /// Whether Accept asks for CSV rather than JSON.
    let prefersCSV: Bool
    /// Whether an assistant calls, through a tool.
    var isAssistant = false
    /// 1 to 255 visible ASCII characters; nil if there is none or the route does not accept one.
    let idempotencyKey: String?
    /// Of the response; nil for routes that are not compressible.
    var coding: ResponseCoding?
    /// Of a body that is a picture, without parameters.
    var mediaType: String?
    /// Empty for routes without a body.
    var body: [UInt8] = []
    /// Instead of `body`, for an import that came as a form.
    var upload: ImportCall?

    /// The application that reports something; nil: any. People with several applications can't report: a report is counted once
    /// for one application, and nothing says which.
    var owner: ApplicationID? {
        get throws(Problem) {
            if case .several = reach {
                throw Problem(.applicationForbidden, "This needs an API key of one application.")
            }
            return reach.single
        }
    }
}
