import WaymarkHTTP
import WaymarkServer
import WaymarkService

/// One request to the API, as its handler sees it: copied out of the receive buffer, its key already accepted.
struct Call: Sendable {
    /// Who asks. Routes that need no key are asked by nobody.
    var key: KeyIdentity
    /// Where from.
    let peer: Peer
    /// The path's parameters, in their order, percent-decoded.
    let parameters: [String]
    let query: QueryString
    let ifMatch: Precondition
    /// Whether Accept asks for CSV rather than JSON.
    let prefersCSV: Bool
    /// 1 to 255 visible ASCII characters; nil where none is given or the route takes none.
    let idempotencyKey: String?
    /// Empty for routes without a body.
    var body: [UInt8] = []
}
