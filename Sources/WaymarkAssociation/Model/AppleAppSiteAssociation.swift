import WaymarkBytes
internal import WaymarkJSON

/// The document `apple-app-site-association`: the apps that open a host's URLs, the apps that share its passwords,
/// and its App Clips.
package struct AppleAppSiteAssociation: Hashable, Sendable {
    /// In order of precedence: if two of the apps are installed, the earlier entry gets the link.
    package let details: [AppLinksEntry]
    package let webCredentials: [AppID]
    package let appClips: [AppID]

    /// The largest file that Apple accepts, in bytes (128 KiB, uncompressed).
    package static let sizeLimit = 131_072

    package init(details: [AppLinksEntry], webCredentials: [AppID] = [], appClips: [AppID] = []) {
        self.details = details
        self.webCredentials = webCredentials
        self.appClips = appClips
    }

    package var isEmpty: Bool { details.isEmpty && webCredentials.isEmpty && appClips.isEmpty }

    /// The file: compact JSON in a fixed order of members, without services that have no apps. `applinks` has
    /// `"apps": []` only together with `paths`, whose readers require it. Nil if the file would exceed `sizeLimit`.
    package func bytes() -> [UInt8]? {
        let bytes = bytesNotFarBeyondLimit()
        return bytes.count <= Self.sizeLimit ? bytes : nil
    }

    /// The whole file if it is within `sizeLimit`. Otherwise a text that exceeds the limit by at most one app's rules
    /// and the plain lists at the end, so that rejecting a document costs about as much as reading it.
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
            // Entries without rules repeat the generated ones, so the output can be far larger than the input.
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

/// An app in Apple's association file: `ABCDE12345.com.example.shop`, the application identifier prefix (usually the
/// team's ten characters), a dot, and the bundle identifier.
///
/// Older accounts have prefixes of other lengths, so any length is accepted. Common mistakes in real files are
/// rejected: no prefix (`com.example.shop`), an App Store number instead of the prefix, a placeholder, a wildcard.
package struct AppID: Hashable, Sendable {
    package let text: String

    /// Maximum length of an identifier in bytes.
    package static let lengthLimit = 255

    /// Nil unless the prefix consists of ASCII capitals and digits with at least one capital, and the bundle
    /// identifier of non-empty parts of ASCII letters, digits and hyphens, separated by dots.
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

    /// Without the prefix, which has no dot.
    package var bundleID: String { String(text.drop { $0 != "." }.dropFirst()) }

    static let shape =
        "must be like ABCDE12345.com.example.app: the team's prefix in capitals, a dot, the bundle identifier"
}

/// One entry of `applinks.details`: apps, and the URLs that open them.
package struct AppLinksEntry: Hashable, Sendable {
    /// The two forms defined by Apple. In both, the first matching rule decides.
    package enum Rules: Hashable, Sendable {
        /// iOS 13 and later.
        case components([AssociationComponent])
        /// Patterns for the path only, with the prefix `NOT ` for exclusions; the only form for iOS 12 and earlier.
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

    /// The older form has one app per entry, so it is written as one entry per app. Writing stops after about `limit`
    /// bytes: many apps times many paths can be far larger than the input document.
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
