public import Foundation

/// The campaign that a link belongs to. The app receives it as `DynamicLink.utmParametersDictionary`.
public final class DynamicLinkGoogleAnalyticsParameters: NSObject {
    var query = LongLinkQuery()

    /// Creates parameters without values.
    public override init() {}

    /// Creates parameters with the usual values.
    public init(source: String, medium: String, campaign: String) {
        query[.source] = source
        query[.medium] = medium
        query[.campaign] = campaign
    }

    /// `utm_source`.
    public var source: String? {
        get { query[.source] }
        set { query[.source] = newValue }
    }

    /// `utm_medium`.
    public var medium: String? {
        get { query[.medium] }
        set { query[.medium] = newValue }
    }

    /// `utm_campaign`.
    public var campaign: String? {
        get { query[.campaign] }
        set { query[.campaign] = newValue }
    }

    /// `utm_term`.
    public var term: String? {
        get { query[.term] }
        set { query[.term] = newValue }
    }

    /// `utm_content`.
    public var content: String? {
        get { query[.content] }
        set { query[.content] = newValue }
    }
}
