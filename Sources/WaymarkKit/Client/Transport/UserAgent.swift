import Foundation

extension WaymarkClient {
    /// `User-Agent` of every request (RFC 9110, section 10.1.5): the library, its version and the system.
    static let userAgent: String = {
        let system = ProcessInfo.processInfo.operatingSystemVersion
        return "WaymarkKit/\(WaymarkClient.version) (\(systemName) \(system.majorVersion).\(system.minorVersion))"
    }()

    private static var systemName: String {
        #if os(iOS)
            "iOS"
        #elseif os(tvOS)
            "tvOS"
        #elseif os(watchOS)
            "watchOS"
        #elseif os(visionOS)
            "visionOS"
        #elseif os(macOS)
            "macOS"
        #elseif os(Android)
            "Android"
        #elseif os(Windows)
            "Windows"
        #else
            "Linux"
        #endif
    }
}
