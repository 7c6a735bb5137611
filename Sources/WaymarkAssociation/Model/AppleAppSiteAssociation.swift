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

/// An app as Apple's association file names it: `ABCDE12345.com.example.shop`, the application identifier prefix (as a
/// rule the team's ten characters), a dot, and the bundle identifier.
///
/// Older accounts have prefixes of other lengths, so any length is taken. What is refused is what real files get wrong:
/// no prefix (`com.example.shop`), an App Store number in its place, a placeholder, a wildcard.
package struct AppID: Hashable, Sendable {
    package let text: String

    /// Longest identifier taken, in bytes.
    package static let lengthLimit = 255

    /// Nil unless the prefix is of ASCII capitals and digits with a capital among them, and the bundle identifier of
    /// ASCII letters, digits and hyphens in non-empty parts between dots.
    package init?(_ text: String) {
        guard text.utf8.count <= Self.lengthLimit else { return nil }
        let parts = text.utf8.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
        guard parts.count >= 2, parts.allSatisfy({ !$0.isEmpty }) else { return nil }
        let prefix = parts[0]
        guard prefix.allSatisfy({ $0.isCapital || $0.isDigit }), prefix.contains(where: \.isCapital) else { return nil }
        guard parts.dropFirst().joined().allSatisfy({ $0.isLetter || $0.isDigit || $0 == UInt8(ascii: "-") }) else {
            return nil
        }
        self.text = text
    }

    static let shape =
        "must be like ABCDE12345.com.example.app: the team's prefix in capitals, a dot, the bundle identifier"
}

/// One entry of `applinks.details`: apps, and which URLs open them.
package struct AppLinksEntry: Hashable, Sendable {
    /// The two forms that Apple knows. In both the first rule that fits decides.
    package enum Rules: Hashable, Sendable {
        /// iOS 13 and later.
        case components([AssociationComponent])
        /// Patterns for the path alone, `NOT ` in front for an exclusion; what iOS 12 and earlier understand.
        case paths([String])
    }

    /// At least one.
    package let appIDs: [AppID]
    package let rules: Rules

    package init(appIDs: [AppID], rules: Rules) {
        self.appIDs = appIDs
        self.rules = rules
    }

    var usesPaths: Bool {
        if case .paths = rules { true } else { false }
    }

    /// The older form has room for one app in each entry, so there it becomes an entry for every app. Writing stops
    /// somewhere behind `limit` bytes: many apps times many paths can be far more than the document they came in.
    func write(to writer: inout JSONWriter, limit: Int) {
        switch rules {
        case .components(let components):
            writer.beginObject()
            writer.name("appIDs")
            writer.beginArray()
            for appID in appIDs { writer.string(appID.text) }
            writer.endArray()
            writer.name("components")
            writer.beginArray()
            for component in components { component.write(to: &writer) }
            writer.endArray()
            writer.endObject()
        case .paths(let paths):
            for appID in appIDs where writer.bytes.count <= limit {
                writer.beginObject()
                writer.member("appID", appID.text)
                writer.name("paths")
                writer.beginArray()
                for path in paths { writer.string(path) }
                writer.endArray()
                writer.endObject()
            }
        }
    }
}
