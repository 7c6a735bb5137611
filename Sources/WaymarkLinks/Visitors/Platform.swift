/// The kinds of device that a destination can be given for, in the words of the REST interface.
package enum Platform: String, Sendable, CaseIterable, Hashable {
    case iphone, ipad
    /// Either of `iphone` and `ipad`, where the more specific one gives nothing.
    case ios
    case android, macos, windows, linux
    /// Anything else, and the last resort of all.
    case web

    /// The platforms whose URLs are looked at for a visitor of this one, most specific first.
    package var lookupOrder: [Platform] {
        switch self {
        case .iphone: [.iphone, .ios]
        case .ipad: [.ipad, .ios]
        // A resolve may say only "ios": the general entry first, then whichever device has one.
        case .ios: [.ios, .iphone, .ipad]
        case .web: [.web]
        default: [self]
        }
    }

    package var isApple: Bool { self == .iphone || self == .ipad || self == .ios }
}
