/// Instructs browsers to use TLS only, for a given time (RFC 6797 section 6.1).
package struct StrictTransportSecurity: Sendable, Equatable {
    /// Seconds for which a browser remembers it, restarted by each response; 0 makes it forget.
    package let maximumAge: Int
    /// Whether it applies to subdomains too.
    package let includesSubdomains: Bool
    /// Requests inclusion in the browsers' preload lists.
    package let isPreloaded: Bool

    package init(maximumAge: Int, includesSubdomains: Bool = false, isPreloaded: Bool = false) {
        precondition(maximumAge >= 0, "an age is not negative")
        self.maximumAge = maximumAge
        self.includesSubdomains = includesSubdomains
        self.isPreloaded = isPreloaded
    }

    /// The field's value, such as `max-age=63072000; includeSubDomains`.
    package var value: String {
        "max-age=\(maximumAge)" + (includesSubdomains ? "; includeSubDomains" : "") + (isPreloaded ? "; preload" : "")
    }

    /// The whole line, built once and copied into every response.
    var line: [UInt8] { Array("Strict-Transport-Security: \(value)\r\n".utf8) }
}
