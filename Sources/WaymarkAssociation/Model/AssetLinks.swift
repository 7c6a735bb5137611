import WaymarkBytes
internal import WaymarkJSON

/// The document `assetlinks.json` (Digital Asset Links): the Android apps that may open all URLs of a host.
package struct AssetLinks: Hashable, Sendable {
    /// One app and the certificates it may be signed with; at least one.
    package struct App: Hashable, Sendable {
        package let package: PackageName
        package let fingerprints: [CertificateFingerprint]
        /// The dynamic rules of Android 15 and later, in order; the first that matches decides. If empty, the app's
        /// manifest decides.
        package let components: [AssociationComponent]

        package init(
            package: PackageName, fingerprints: [CertificateFingerprint], components: [AssociationComponent] = []
        ) {
            self.package = package
            self.fingerprints = fingerprints
            self.components = components
        }
    }

    /// Each package once: Android does not define which dynamic rules count if two statements have some for the same
    /// app (Google, Configure website associations).
    package let apps: [App]

    /// The largest file that is served, in bytes; the same as Apple's.
    package static let sizeLimit = AppleAppSiteAssociation.sizeLimit

    /// - Parameter apps: several entries with one package are merged: all fingerprints, and the rules of the first.
    package init(apps: [App]) {
        var merged: [App] = []
        var positions: [PackageName: Int] = [:]
        for app in apps {
            guard let position = positions[app.package] else {
                positions[app.package] = merged.count
                merged.append(app)
                continue
            }
            let first = merged[position]
            merged[position] = App(
                package: first.package, fingerprints: (first.fingerprints + app.fingerprints).withoutRepetition,
                components: first.components)
        }
        self.apps = merged
    }

    package var isEmpty: Bool { apps.isEmpty }

    /// The file: compact JSON, one statement per app. Nil if it would exceed `sizeLimit`.
    package func bytes() -> [UInt8]? {
        var writer = JSONWriter(capacity: 512)
        writer.beginArray()
        for app in apps {
            writer.beginObject()
            writer.name("relation")
            writer.beginArray()
            writer.string("delegate_permission/common.handle_all_urls")
            writer.endArray()
            writer.name("target")
            writer.beginObject()
            writer.member("namespace", "android_app")
            writer.member("package_name", app.package.text)
            writer.name("sha256_cert_fingerprints")
            writer.beginArray()
            for fingerprint in app.fingerprints { writer.string(fingerprint.text) }
            writer.endArray()
            writer.endObject()
            Self.write(dynamicRules: app.components, to: &writer)
            writer.endObject()
        }
        writer.endArray()
        return writer.bytes.count <= Self.sizeLimit ? writer.bytes : nil
    }

    /// Systems before Android 15 ignore the member.
    private static func write(dynamicRules components: [AssociationComponent], to writer: inout JSONWriter) {
        guard !components.isEmpty else { return }
        writer.name("relation_extensions")
        writer.beginObject()
        writer.name("delegate_permission/common.handle_all_urls")
        writer.beginObject()
        writer.name("dynamic_app_link_components")
        writer.beginArray()
        for component in components { component.write(to: &writer) }
        writer.endArray()
        writer.endObject()
        writer.endObject()
    }
}

/// An Android application ID: `com.example.shop`. At least two parts separated by dots, each of ASCII letters, digits
/// and underscores, beginning with a letter.
package struct PackageName: Hashable, Sendable {
    package let text: String

    /// Maximum length of a name in bytes.
    package static let lengthLimit = 255

    package init?(_ text: String) {
        guard text.utf8.count <= Self.lengthLimit else { return nil }
        let parts = text.utf8.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
        guard parts.count >= 2 else { return nil }
        for part in parts {
            guard let first = part.first, first.isLetter else { return nil }
            guard part.allSatisfy({ $0.isLetter || $0.isDigit || $0 == UInt8(ascii: "_") }) else { return nil }
        }
        self.text = text
    }

    static let shape =
        "must be like com.example.app: two or more parts between dots, each a letter followed by letters, digits or _"
}

/// The SHA-256 fingerprint of an app's signing certificate in the format of `keytool`: 32 bytes as pairs of
/// hexadecimal digits, separated by colons.
///
/// Android only accepts capitals. Lower case is accepted here and written as capitals.
package struct CertificateFingerprint: Hashable, Sendable {
    /// 95 characters, capitals.
    package let text: String

    /// Nil unless there are exactly 32 pairs separated by colons.
    package init?(_ text: String) {
        let bytes = Array(text.utf8)
        guard bytes.count == 95 else { return nil }
        var capitals: [UInt8] = []
        capitals.reserveCapacity(95)
        for (position, byte) in bytes.enumerated() {
            let isSeparator = position % 3 == 2
            switch byte {
            case UInt8(ascii: ":") where isSeparator, UInt8(ascii: "0")...UInt8(ascii: "9") where !isSeparator,
                UInt8(ascii: "A")...UInt8(ascii: "F") where !isSeparator:
                capitals.append(byte)
            case UInt8(ascii: "a")...UInt8(ascii: "f") where !isSeparator:
                capitals.append(byte - 0x20)
            default:
                return nil
            }
        }
        self.text = String(decoding: capitals, as: UTF8.self)
    }

    static let shape = "must be the certificate's SHA-256: 32 pairs of hexadecimal digits with colons between them"
}
