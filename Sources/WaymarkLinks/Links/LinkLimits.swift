/// How much a link may hold. Every one is there so that no single link can make answers, pages or headers large.
package enum LinkLimits {
    /// Bytes of the metadata as sent.
    package static let metadata = 16 * 1024
    /// Bytes of everything else as stored.
    package static let content = 64 * 1024
    package static let tags = 16
    /// Bytes of one tag.
    package static let tag = 128
    /// Bytes of one route parameter's value.
    package static let routeParameter = 512
    package static let queryParameters = 50
    /// Bytes of one query parameter's name.
    package static let queryName = 128
    /// Bytes of all names and values, so that a `Location` stays below what proxies take.
    package static let queryBytes = 2048
    /// Bytes.
    package static let title = 300
    /// Bytes.
    package static let description = 2000
    /// Bytes of one campaign parameter.
    package static let campaign = 255
}
