public import Foundation

/// The preview of a link in posts and messages.
public final class DynamicLinkSocialMetaTagParameters: NSObject {
    var query = LongLinkQuery()

    /// The title (`st`).
    public var title: String? {
        get { query[.st] }
        set { query[.st] = newValue }
    }

    /// The text (`sd`).
    public var descriptionText: String? {
        get { query[.sd] }
        set { query[.sd] = newValue }
    }

    /// The picture (`si`). The service accepts it on hosts that links may lead to.
    public var imageURL: URL? {
        get { query[url: .si] }
        set { query[url: .si] = newValue }
    }
}
