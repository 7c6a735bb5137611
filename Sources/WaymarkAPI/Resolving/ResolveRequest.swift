package import WaymarkJSON

/// Resolves the link that an app was opened with: the body of `POST /api/v1/resolve`.
public struct ResolveRequest: Sendable, Hashable {
    /// The link; exactly one of the two is sent.
    public enum Subject: Sendable, Hashable {
        /// The URL as opened, with its query.
        case smartlink(String)
        /// The `_hk_cid` that the app was opened with.
        case clickID(String)
    }

    public var subject: Subject
    /// `iphone`, `ipad`, `ios`, `android`, `macos`, `windows`, `linux` or `web`.
    public var platform: String
    /// False to get everything except the metadata, without taking a redeem.
    public var redeem: Bool
    /// The installed app's version; nil requests no update check.
    public var appVersion: String?

    public init(_ subject: Subject, platform: String = "web", redeem: Bool = true, appVersion: String? = nil) {
        self.subject = subject
        self.platform = platform
        self.redeem = redeem
        self.appVersion = appVersion
    }

    public init(json: [UInt8]) throws(BodyError) {
        try self.init(try ObjectReader.document(json, shape: Self.shape))
    }

    package init(_ document: JSONDocument) throws(BodyError) {
        let (members, problems) = Members.attempt(document)
        guard problems.isEmpty, let members, let subject = members.subject else { throw .invalid(problems) }
        self.init(subject, platform: members.platform, redeem: members.redeem, appVersion: members.appVersion)
    }

    /// The body with all members of the right types, for further validation.
    package struct Members: Sendable {
        /// Nil if neither or both are given, or if the type is wrong, which is reported.
        package let subject: Subject?
        package let smartlink: String?
        package let platform: String
        package let redeem: Bool
        package let appVersion: String?

        package static func attempt(_ document: JSONDocument) -> (body: Members?, problems: [FieldProblem]) {
            ObjectReader.attempt(document) { Members(reading: &$0) }
        }

        private init(reading reader: inout ObjectReader) {
            let isGiven = (reader.value("smartlink") != nil, reader.value("clickID") != nil)
            smartlink = reader.string("smartlink")
            let clickID = reader.string("clickID")
            platform = reader.string("platform") ?? "web"
            redeem = reader.bool("redeem") ?? true
            appVersion = reader.string("appVersion")
            switch isGiven {
            case (true, false): subject = smartlink.map(Subject.smartlink)
            case (false, true): subject = clickID.map(Subject.clickID)
            case (true, true):
                subject = nil
                reader.reject("clickID", "must not be given together with smartlink")
            case (false, false):
                subject = nil
                reader.reject("smartlink", "is missing; give it, or clickID")
            }
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
            writer.member("appVersion", ifGiven: appVersion)
            writer.endObject()
        }
    }
}
