package import WaymarkJSON

/// What an app asks when it was opened: the body of `POST /api/v1/resolve`.
public struct ResolveBody: Sendable, Hashable {
    /// Which link: exactly one of the two is sent.
    public enum Subject: Sendable, Hashable {
        /// The URL as opened, with its query.
        case smartlink(String)
        /// The `_hk_cid` that the app was opened with.
        case clickID(String)
    }

    public var subject: Subject
    /// `iphone`, `ipad`, `ios`, `android`, `macos`, `windows`, `linux` or `web`.
    public var platform: String
    /// False asks for everything but the metadata, and takes nothing.
    public var redeem: Bool

    public init(_ subject: Subject, platform: String = "web", redeem: Bool = true) {
        self.subject = subject
        self.platform = platform
        self.redeem = redeem
    }

    public init(json: [UInt8]) throws(BodyError) {
        try self.init(try ObjectReader.document(json))
    }

    package init(_ document: JSONDocument) throws(BodyError) {
        self = try ObjectReader.body(document) { reader -> ResolveBody? in
            let isGiven = (reader.value("smartlink") != nil, reader.value("clickID") != nil)
            let smartlink = reader.string("smartlink")
            let clickID = reader.string("clickID")
            let platform = reader.string("platform") ?? "web"
            let redeem = reader.bool("redeem") ?? true
            switch isGiven {
            case (true, true): reader.reject("clickID", "must not be given together with smartlink")
            case (false, false): reader.reject("smartlink", "is missing; give it, or clickID")
            default: break
            }
            if let smartlink { return ResolveBody(.smartlink(smartlink), platform: platform, redeem: redeem) }
            if let clickID { return ResolveBody(.clickID(clickID), platform: platform, redeem: redeem) }
            return nil
        }
    }

    public var json: [UInt8] {
        JSONWriter.text { writer in
            writer.beginObject()
            switch subject {
            case .smartlink(let url): writer.member("smartlink", url)
            case .clickID(let id): writer.member("clickID", id)
            }
            writer.member("platform", platform)
            if !redeem { writer.member("redeem", false) }
            writer.endObject()
        }
    }
}
