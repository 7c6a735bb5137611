import WaymarkHTTP

/// One request to the REST API.
package struct RESTRequest: Sendable, Equatable {
    package var method: String
    /// Path and query, percent-encoded.
    package var target: String
    /// Header fields besides the credentials and those of the body. Values are visible ASCII and spaces.
    package var fields: [Field] = []
    package var body: Body?

    package struct Field: Sendable, Equatable {
        package let name: String
        package let value: String
    }

    package struct Body: Sendable, Equatable {
        package let contentType: String
        package let bytes: [UInt8]
    }
}

package struct RESTResponse: Sendable {
    package let status: Int
    package let body: [UInt8]

    package init(status: Int, body: [UInt8]) {
        self.status = status
        self.body = body
    }
}

/// The field that marks requests of tools, which may do less without a plan than those of other programs.
package enum AssistantField {
    package static let name = "Waymark-Assistant"
    package static let value = "1"
    private static let header = HeaderName(name)

    static func isSet(_ head: RequestHead, _ bytes: Span<UInt8>) -> Bool {
        header.flatMap { head.value(named: $0, in: bytes) } != nil
    }
}

/// Sends requests to the REST API with the credentials of whoever talks to the assistant.
package protocol RESTCaller: Sendable {
    /// - Throws: `RESTFailure` if there is no response.
    func send(_ request: RESTRequest) async throws(RESTFailure) -> RESTResponse
}

package struct RESTFailure: Error {
    /// One sentence.
    package let reason: String

    package init(reason: String) { self.reason = reason }
}
