/// The request methods that Waymark answers (RFC 9110 section 9, RFC 5789).
///
/// A request with any other method never becomes a `RequestHead`: CONNECT and TRACE are rejected with 405, unknown
/// methods with 501.
@usableFromInline
package enum Method: UInt8, Sendable, CaseIterable {
    case get, head, post, put, patch, delete, options

    /// The name on the wire; methods are case-sensitive.
    package var name: String {
        switch self {
        case .get: "GET"
        case .head: "HEAD"
        case .post: "POST"
        case .put: "PUT"
        case .patch: "PATCH"
        case .delete: "DELETE"
        case .options: "OPTIONS"
        }
    }

    /// Whether the method is safe: read-only (RFC 9110 section 9.2.1).
    package var isSafe: Bool { self == .get || self == .head || self == .options }

    /// The value of an `Allow` field (RFC 9110 section 10.2.1).
    package static func allowList(_ methods: [Method]) -> String {
        methods.map(\.name).joined(separator: ", ")
    }
}

/// The method's token, before it is known whether the request can be answered.
enum MethodToken {
    case known(Method)
    /// CONNECT or TRACE.
    case forbidden
    /// A well-formed token that is not a known method.
    case unknown

    /// - Parameter range: a valid token, without the space after it.
    @inline(__always)
    init(_ bytes: Span<UInt8>, _ range: ByteRange) {
        let start = Int(range.start)
        switch range.count {
        case 3 where WordScan.equals(bytes, at: start, "GET"): self = .known(.get)
        case 3 where WordScan.equals(bytes, at: start, "PUT"): self = .known(.put)
        case 4 where WordScan.equals(bytes, at: start, "HEAD"): self = .known(.head)
        case 4 where WordScan.equals(bytes, at: start, "POST"): self = .known(.post)
        case 5 where WordScan.equals(bytes, at: start, "PATCH"): self = .known(.patch)
        case 5 where WordScan.equals(bytes, at: start, "TRACE"): self = .forbidden
        case 6 where WordScan.equals(bytes, at: start, "DELETE"): self = .known(.delete)
        case 7 where WordScan.equals(bytes, at: start, "OPTIONS"): self = .known(.options)
        case 7 where WordScan.equals(bytes, at: start, "CONNECT"): self = .forbidden
        default: self = .unknown
        }
    }
}
