internal import WaymarkJSON

/// The document `assetlinks.json` (Digital Asset Links): the Android apps that may open all of a host's URLs.
package struct AssetLinks: Hashable, Sendable {
    /// One app and the certificates that it may be signed with; at least one.
    package struct App: Hashable, Sendable {
        package let package: PackageName
        package let fingerprints: [CertificateFingerprint]

        package init(package: PackageName, fingerprints: [CertificateFingerprint]) {
            self.package = package
            self.fingerprints = fingerprints
        }
    }

    package let apps: [App]

    /// The largest file, in bytes, that is served; the same as Apple's.
    package static let sizeLimit = AppleAppSiteAssociation.sizeLimit

    package init(apps: [App]) {
        self.apps = apps
    }

    package var isEmpty: Bool { apps.isEmpty }

    /// The file: compact JSON, one statement for each app. Nil where it would be larger than `sizeLimit`.
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
            writer.endObject()
        }
        writer.endArray()
        return writer.bytes.count <= Self.sizeLimit ? writer.bytes : nil
    }
}
