/// A platform that a smart link can have a URL of its own for.
public enum DeeplinkPlatform: String, Sendable, Hashable, CaseIterable {
    /// Browsers of any kind, and the last resort of every other platform.
    case web
    /// iPhones.
    case iPhone = "iphone"
    /// iPads.
    case iPad = "ipad"
    /// Any device with iOS or iPadOS; behind `iPhone` and `iPad` where those have a URL.
    case iOS = "ios"
    /// Android.
    case android
    /// Macs.
    case macOS = "macos"
    /// Windows.
    case windows
    /// Linux.
    case linux
}

extension DeeplinkPlatform {
    /// The name that HOKO's version 2 had for the platform on the wire: as here, but `universal` for `iOS`. Nil for
    /// platforms that it had not.
    public var hokoName: String? {
        switch self {
        case .web, .iPhone, .iPad, .android: rawValue
        case .iOS: "universal"
        case .macOS, .windows, .linux: nil
        }
    }
}
