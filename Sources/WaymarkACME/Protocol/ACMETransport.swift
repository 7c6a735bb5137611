/// A request to an authority.
package struct ACMERequest: Sendable {
    package enum Method: String, Sendable {
        case get = "GET"
        case post = "POST"
    }

    package let method: Method
    /// https; http only if the directory's own URL is http.
    package let url: String
    /// The URL of the authority's directory: its other URLs may be on other hosts.
    package internal(set) var directory: String?
    /// Without `Host` and the fields for the body's length.
    package let fields: [(name: String, value: String)]
    /// Empty except for POST.
    package let body: [UInt8]
    /// Maximum size of the response's body, in bytes: a longer one is an error.
    package let bodyLimit: Int

    package init(
        _ method: Method, _ url: String, fields: [(name: String, value: String)] = [], body: [UInt8] = [],
        bodyLimit: Int = ACMEResponse.bodyLimit
    ) {
        self.method = method
        self.url = url
        self.fields = fields
        self.body = body
        self.bodyLimit = bodyLimit
    }
}

/// The response of an authority.
package struct ACMEResponse: Sendable {
    /// Maximum size of a body of JSON, in bytes.
    package static let bodyLimit = 65_536

    package let status: Int
    package let fields: [(name: String, value: String)]
    package let body: [UInt8]

    package init(status: Int, fields: [(name: String, value: String)], body: [UInt8]) {
        self.status = status
        self.fields = fields
        self.body = body
    }

    /// The first field with this name, in any spelling.
    package subscript(name: String) -> String? {
        fields.first { $0.name.lowercased() == name.lowercased() }?.value
    }
}

/// Why a request got no response: one line.
package struct ACMETransportError: Error, Sendable {
    package let reason: String

    package init(reason: String) { self.reason = reason }
}

/// Exchanges requests and responses with an authority over HTTP.
package protocol ACMETransport: Sendable {
    /// Sends the request without following redirects, and returns the response with any status. Ends within 30 seconds, which is
    /// less than a lease lasts. A body beyond `bodyLimit` is an error.
    func send(_ request: ACMERequest) async throws(ACMETransportError) -> ACMEResponse
}
