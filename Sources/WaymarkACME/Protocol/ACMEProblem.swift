import WaymarkClient
import WaymarkJSON

/// A problem document of an authority (RFC 7807, RFC 8555 section 6.7).
struct ACMEProblem: Sendable, Equatable {
    private static let prefix = "urn:ietf:params:acme:error:"
    private static let subproblemLimit = 10

    /// The name of the error, such as `badNonce`; another type as it is.
    let type: String
    /// One sentence, with those of the subproblems.
    let detail: String

    /// - Parameter status: of the response, for a document without a detail.
    init(_ value: JSONValue?, status: Int?) {
        let type = value?["type"]?.string ?? "about:blank"
        self.type = type.hasPrefix(Self.prefix) ? String(type.dropFirst(Self.prefix.count)) : type
        let unknown = status.map { "the authority answered with status \($0)" } ?? "the authority gives no reason"
        var detail = value?["detail"]?.string ?? value?["title"]?.string ?? unknown
        for problem in (value?["subproblems"]?.array ?? []).prefix(Self.subproblemLimit) {
            let identifier = problem["identifier"]?["value"]?.string
            guard let text = problem["detail"]?.string ?? problem["type"]?.string else { continue }
            detail += "; " + (identifier.map { "\($0): " } ?? "") + text
        }
        self.detail = ACMEText.line(detail)
    }

    init(_ response: HTTPResponse) {
        // The type of the content is not checked: some authorities send problems as application/json.
        self.init(try? JSONValue(parsing: response.body), status: response.status)
    }
}
