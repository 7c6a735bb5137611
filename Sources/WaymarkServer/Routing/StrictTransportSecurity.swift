/// What answers over TLS tell browsers: to come over TLS only, for so long (RFC 6797 section 6.1).
package struct StrictTransportSecurity: Sendable, Equatable {
    /// Seconds for which a browser remembers it, counted anew with each answer; 0 makes it forget.
    package let maximumAge: Int
    /// Whether it holds for every host below this one, too.
    package let includesSubdomains: Bool
    /// Asks to be put on the lists that browsers are shipped with.
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

    /// The whole line, made once and copied into every answer.
    var line: [UInt8] { Array("Strict-Transport-Security: \(value)\r\n".utf8) }
}
