internal import WaymarkJSON

/// The document `apple-app-site-association`: which apps a host's URLs open, which share its passwords, and whose App
/// Clips it starts.
package struct AppleAppSiteAssociation: Hashable, Sendable {
    /// In the order in which the system asks: with two of the apps installed, the earlier entry gets the link.
    package let details: [AppLinksEntry]
    package let webCredentials: [AppID]
    package let appClips: [AppID]

    /// The largest file, in bytes, that Apple takes (128 KiB, uncompressed).
    package static let sizeLimit = 131_072

    package init(details: [AppLinksEntry], webCredentials: [AppID] = [], appClips: [AppID] = []) {
        self.details = details
        self.webCredentials = webCredentials
        self.appClips = appClips
    }

    package var isEmpty: Bool { details.isEmpty && webCredentials.isEmpty && appClips.isEmpty }

    /// The file: compact JSON in a fixed order of members, a service without apps left out. `"apps": []` stands in
    /// `applinks` only beside `paths`, whose readers demand it. Nil where the file would be larger than `sizeLimit`.
    package func bytes() -> [UInt8]? {
        let bytes = bytesNotFarBeyondLimit()
        return bytes.count <= Self.sizeLimit ? bytes : nil
    }

    /// The whole file where it is within `sizeLimit`. Else a text that went on behind the limit for no more than one
    /// app's rules and the plain lists at the end, so that a refusal costs about what the document that caused it did.
    package func bytesNotFarBeyondLimit() -> [UInt8] {
        var writer = JSONWriter(capacity: 1_024)
        writer.beginObject()
        if !details.isEmpty {
            writer.name("applinks")
            writer.beginObject()
            if details.contains(where: \.usesPaths) {
                writer.name("apps")
                writer.beginArray()
                writer.endArray()
            }
            writer.name("details")
            writer.beginArray()
            // Entries without rules of their own repeat the generated ones, so this can be far more than was read.
            for entry in details where writer.bytes.count <= Self.sizeLimit {
                entry.write(to: &writer, limit: Self.sizeLimit)
            }
            writer.endArray()
            writer.endObject()
        }
        Self.write(service: "webcredentials", apps: webCredentials, to: &writer)
        Self.write(service: "appclips", apps: appClips, to: &writer)
        writer.endObject()
        return writer.bytes
    }

    private static func write(service: StaticString, apps: [AppID], to writer: inout JSONWriter) {
        guard !apps.isEmpty else { return }
        writer.name(service)
        writer.beginObject()
        writer.name("apps")
        writer.beginArray()
        for app in apps { writer.string(app.text) }
        writer.endArray()
        writer.endObject()
    }
}
