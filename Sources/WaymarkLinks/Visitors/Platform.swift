/// The kinds of device that a destination can be set for, as named in the REST API.
package enum Platform: String, Sendable, CaseIterable, Hashable {
    case iphone, ipad
    /// `iphone` or `ipad`, if the more specific one has no entry.
    case ios
    case android, macos, windows, linux
    /// Anything else, and the fallback of all.
    case web

    /// The platforms whose URLs apply to a visitor of this one, most specific first.
    package var lookupOrder: [Platform] {
        switch self {
        case .iphone: [.iphone, .ios]
        case .ipad: [.ipad, .ios]
        // A resolve may only have "ios": the general entry first, then that of either device.
        case .ios: [.ios, .iphone, .ipad]
        case .web: [.web]
        default: [self]
        }
    }

    package var isApple: Bool { self == .iphone || self == .ipad || self == .ios }
}
