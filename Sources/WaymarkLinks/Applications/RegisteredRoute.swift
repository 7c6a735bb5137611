/// A route that an app handles, as it has reported it.
package struct RegisteredRoute: Sendable, Equatable {
    package var path: Route
    package var platform: Platform?
    /// The device and the app version that reported it, as free text.
    package var device: String?
    package var build: String?
    package var version: String?
    package var urlSchemes: [String]
    package var registeredAt: Timestamp

    package init(
        path: Route, platform: Platform? = nil, device: String? = nil, build: String? = nil, version: String? = nil,
        urlSchemes: [String] = [], registeredAt: Timestamp
    ) {
        self.path = path
        self.platform = platform
        self.device = device
        self.build = build
        self.version = version
        self.urlSchemes = urlSchemes
        self.registeredAt = registeredAt
    }

    /// The maximum for one application.
    package static let limit = 1_000
    /// Maximum bytes of device, build, version, and of each scheme.
    package static let textLimit = 200
    package static let schemeLimit = 16
}

package enum RouteRegistration: Sendable, Equatable {
    case registered
    /// It replaced an earlier registration of the same path.
    case replaced
    /// The application has the maximum number of routes.
    case full
    case applicationUnknown
}
