import WaymarkJSON

/// The update required by a link that the app is too old for.
public struct AppUpdate: Sendable, Hashable {
    /// The oldest version that supports the link.
    public var minimumVersion: String
    /// The app's page in its store; nil if the application has none.
    public var url: String?

    public init(minimumVersion: String, url: String?) {
        self.minimumVersion = minimumVersion
        self.url = url
    }

    func write(to writer: inout JSONWriter) {
        writer.beginObject()
        writer.member("minimumVersion", minimumVersion)
        writer.member("url", url)
        writer.endObject()
    }

    init?(_ value: JSONValue?) {
        guard let minimumVersion = value?["minimumVersion"]?.string else { return nil }
        self.init(minimumVersion: minimumVersion, url: value?["url"]?.string)
    }
}
