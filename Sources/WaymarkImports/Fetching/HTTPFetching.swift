/// Asks a service's interface.
package protocol HTTPFetching: Sendable {
    /// Sends one GET. Follows no redirect; the body is bounded.
    ///
    /// - Throws: `SourceError` where there is no answer.
    func get(_ url: String, fields: [(name: String, value: String)]) async throws -> FetchedAnswer
    /// Waits.
    func pause(seconds: Int) async throws
}

package struct FetchedAnswer: Sendable {
    package var status: Int
    package var body: [UInt8]
    /// Whether the body was longer than what is read of one.
    package var isCutOff: Bool
    /// Of `Retry-After`, in seconds.
    package var retryAfter: Int?

    package init(status: Int, body: [UInt8], isCutOff: Bool = false, retryAfter: Int? = nil) {
        self.status = status
        self.body = body
        self.isCutOff = isCutOff
        self.retryAfter = retryAfter
    }
}
