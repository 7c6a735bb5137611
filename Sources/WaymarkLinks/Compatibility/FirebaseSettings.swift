import WaymarkAPI

/// An application's settings for Firebase Dynamic Links: whether its REST API and long links are served, and the
/// identities that their parameters may have.
package struct FirebaseSettings: Sendable, Equatable {
    package var isEnabled: Bool
    /// Whether `https://<domain>/?link=…` is served.
    package var servesLongLinks: Bool
    /// Google API keys in released apps.
    package var apiKeys: [String]
    /// The application's iOS apps, without the team's prefix.
    package var bundleIDs: Set<String>
    /// The application's Android apps.
    package var packages: Set<String>

    package init(
        isEnabled: Bool, servesLongLinks: Bool = false, apiKeys: [String] = [], bundleIDs: Set<String> = [],
        packages: Set<String> = []
    ) {
        self.isEnabled = isEnabled
        self.servesLongLinks = servesLongLinks
        self.apiKeys = apiKeys
        self.bundleIDs = bundleIDs
        self.packages = packages
    }

    package enum Limits {
        package static let apiKeys = 20
        /// Length of an API key in characters.
        package static let apiKey = 8...255
    }
}

extension ApplicationRequest {
    func validFirebase(_ apps: AssociatedApps, _ problems: inout ProblemList) -> FirebaseSettings? {
        guard let firebase else { return nil }
        let keys = firebase.apiKeys
        if keys.count > FirebaseSettings.Limits.apiKeys {
            problems.add("firebase.apiKeys", "holds more than \(FirebaseSettings.Limits.apiKeys)")
        }
        for (index, key) in keys.prefix(FirebaseSettings.Limits.apiKeys).enumerated() {
            let field = "firebase.apiKeys[\(index)]"
            let isVisible = key.utf8.allSatisfy { (0x21...0x7E).contains($0) }
            if !isVisible || !FirebaseSettings.Limits.apiKey.contains(key.utf8.count) {
                problems.add(field, "must be 8 to 255 visible ASCII characters")
            }
            if keys.firstIndex(of: key) != index { problems.add(field, "is given twice") }
        }
        var packages = Set(apps.packages)
        if let package = android?.package { packages.insert(package) }
        return FirebaseSettings(
            isEnabled: firebase.enabled ?? false, servesLongLinks: firebase.longLinks ?? false, apiKeys: keys,
            bundleIDs: Set(apps.bundleIDs), packages: packages)
    }
}

extension FirebaseSettings {
    /// Firebase's SDK for iOS uses the bundle ID as the URL scheme if an app has no other.
    var bundleSchemes: [URLScheme] {
        isEnabled ? bundleIDs.compactMap { URLScheme.checkCustom($0).value } : []
    }
}
