public import Foundation
public import WaymarkKit

/// A link that opened the app.
///
/// Immutable, and may be used from any thread.
public final class DynamicLink: NSObject, Sendable {
    /// The deep link: the parameter `link` of a Dynamic Link, or the URL that any other smart link has for this
    /// platform. Nil if the smart link has none.
    public let url: URL?
    /// How the link was matched to this device. `unique` for links that opened the app and for pending links; `none`
    /// without a deep link. Waymark never matches by `weak` or `default`, but a URL with the app's scheme, which any
    /// web page can open, may say so.
    public let matchType: DLMatchType
    /// The oldest app version that supports the link, such as `2.4`: the link's `imv`, or the application's minimum for
    /// short and pending links. Nil if there is none. The app compares it with its own version.
    public let minimumAppVersion: String?
    /// The link's metadata, which Firebase did not have. Nil if it has none or its redeem limit is reached.
    public let metadata: DeeplinkMetadata?

    private let utmParameters: [String: String]

    /// The parameters `utm_source`, `utm_medium`, `utm_campaign`, `utm_term` and `utm_content` that the link has, by
    /// these names. All values are strings.
    public var utmParametersDictionary: [String: Any] { utmParameters }

    init(
        url: URL?, matchType: DLMatchType = .unique, minimumAppVersion: String?, parameters: [String: String],
        metadata: DeeplinkMetadata? = nil
    ) {
        self.url = url
        self.matchType = url == nil ? .none : matchType
        self.minimumAppVersion = minimumAppVersion
        self.metadata = metadata
        utmParameters = parameters.filter { Self.utmNames.contains($0.key) }
    }

    private static let utmNames: Set = ["utm_source", "utm_medium", "utm_campaign", "utm_term", "utm_content"]

    /// The deep link, the match type and the minimum version, for logs.
    public override var description: String {
        let url = url?.absoluteString ?? "none"
        return "<DynamicLink url: \(url), match type: \(matchType), minimum version: \(minimumAppVersion ?? "none")>"
    }
}

/// How a link was matched to the device. The raw values are Firebase's.
public enum DLMatchType: UInt, Sendable {
    /// There is no match.
    case none
    /// A guess by address and device model. Waymark makes none.
    case weak
    /// A guess of high confidence. Waymark makes none.
    case `default`
    /// The link opened the app, or its click ID proves the match.
    case unique
}
