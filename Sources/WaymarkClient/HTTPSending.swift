/// What came of a request.
package struct HTTPOutcome: Sendable {
    package let result: Result<HTTPResponse, HTTPFailure>
    package let duration: Duration

    package init(_ result: Result<HTTPResponse, HTTPFailure>, duration: Duration = .zero) {
        self.result = result
        self.duration = duration
    }

    package var response: HTTPResponse? { try? result.get() }
}

/// Sends requests to other servers: `HTTPClient`, or a script of a test.
package protocol HTTPSending: Sendable {
    /// Sends requests one after the other, over one connection to each server as long as the server keeps it. Follows
    /// no redirect; the response may have any status.
    ///
    /// - Parameters:
    ///   - requests: at least one.
    ///   - goesOn: asked after each request whether the next one is sent.
    /// - Returns: the outcomes of the requests that were sent, at least one.
    func outcomes(
        of requests: [HTTPRequest], while goesOn: @escaping @Sendable (HTTPOutcome) -> Bool
    ) async -> [HTTPOutcome]

    /// Sends requests one after the other, as `outcomes` does, until there is no further one.
    ///
    /// - Parameter next: gives the next request, nil at the end; called with the outcome of the one before, at first
    ///   with
    ///   nil, on a thread that may block.
    func send(_ next: @escaping @Sendable (HTTPOutcome?) -> HTTPRequest?) async

    /// Why nothing can be sent to a URL: it leads nowhere, or where this client may not connect. Nil if it seems that
    /// something can; nothing is sent.
    func obstacle(to url: String) async -> HTTPFailure?
}

extension HTTPSending {
    package func send(_ next: @escaping @Sendable (HTTPOutcome?) -> HTTPRequest?) async {
        var outcome: HTTPOutcome?
        while let request = next(outcome) { outcome = await outcomes(of: [request]) { _ in false }[0] }
    }

    package func response(to request: HTTPRequest) async throws(HTTPFailure) -> HTTPResponse {
        try await outcomes(of: [request]) { _ in false }[0].result.get()
    }
}
