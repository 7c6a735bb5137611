import WaymarkJSON

/// What an app is told that is too old for the link that it was opened with.
public struct AppUpdate: Sendable, Hashable {
    /// The oldest version that will do.
    public var minimumVersion: String
    /// The app's page in its store; nil where the application names none.
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
