package import WaymarkJSON

/// What an app asks at its first start after an installation: the body of `POST /api/v1/deferred/claim`.
public struct ClaimRequest: Sendable, Hashable {
    /// The application's id.
    public var app: String
    /// `iphone`, `ipad`, `ios`, `android`, `macos`, `windows`, `linux` or `web`.
    public var platform: String
    /// Made by the app at its first start, random, and kept as long as it stays installed: 1 to 255 bytes without control
    /// characters.
    public var installID: String
    /// Play's install referrer, as the app was given it.
    public var referrer: String?
    /// What the person let the app paste.
    public var clipboard: String?
    /// The installed app's own version; nil asks for no update.
    public var appVersion: String?

    public init(
        app: String, platform: String, installID: String, referrer: String? = nil, clipboard: String? = nil,
        appVersion: String? = nil
    ) {
        self.app = app
        self.platform = platform
        self.installID = installID
        self.referrer = referrer
        self.clipboard = clipboard
        self.appVersion = appVersion
    }

    public init(json: [UInt8]) throws(BodyError) {
        let (body, problems) = Self.attempt(try ObjectReader.document(json, shape: Self.shape))
        guard problems.isEmpty, let body else { throw .invalid(problems) }
        self = body
    }

    /// The body as far as its members have the right types, for who goes on looking for further problems in them. What is
    /// missing or of another type stands as empty text, and is noted.
    package static func attempt(_ document: JSONDocument) -> (body: ClaimRequest?, problems: [FieldProblem]) {
        ObjectReader.attempt(document) { reader in
            ClaimRequest(
                app: reader.required("app") ?? "", platform: reader.required("platform") ?? "",
                installID: reader.required("installID") ?? "", referrer: reader.string("referrer"),
                clipboard: reader.string("clipboard"), appVersion: reader.string("appVersion"))
        }
    }

    public var json: [UInt8] {
        JSONWriter.text { writer in
            writer.beginObject()
            writer.member("app", app)
            writer.member("platform", platform)
            writer.member("installID", installID)
            writer.member("referrer", ifGiven: referrer)
            writer.member("clipboard", ifGiven: clipboard)
            writer.member("appVersion", ifGiven: appVersion)
            writer.endObject()
        }
    }
}
