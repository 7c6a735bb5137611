public import Foundation

/// What can be read as a URL that an app is opened with.
public protocol DeepLinkURLConvertible {
    /// The URL's text, cut into its parts.
    var deepLinkURL: DeepLinkURL { get }
}

extension DeepLinkURL: DeepLinkURLConvertible {
    /// The URL itself.
    public var deepLinkURL: DeepLinkURL { self }
}

extension String: DeepLinkURLConvertible {
    /// The text, cut into its parts.
    public var deepLinkURL: DeepLinkURL { DeepLinkURL(self) }
}

extension URL: DeepLinkURLConvertible {
    /// The text of the URL. Foundation may have escaped characters in it that URLs do not allow; nothing else of what it
    /// knows about the URL is asked.
    public var deepLinkURL: DeepLinkURL { DeepLinkURL(absoluteString) }
}
