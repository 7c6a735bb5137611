public import Foundation

/// How a short link is made.
public final class DynamicLinkComponentsOptions: NSObject {
    /// How long the code of the short link is. Default: `default`.
    public var pathLength = ShortDynamicLinkPathLength.default
}

/// The length of a short link's code. The raw values are Firebase's.
public enum ShortDynamicLinkPathLength: Int, Sendable {
    /// As the service decides: `unguessable`.
    case `default`
    /// At least four characters. Somebody who tries codes finds the link.
    case short
    /// 17 characters, for links that only their receivers may know.
    case unguessable
}
