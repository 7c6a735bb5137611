/// The two files.
package enum AssociationKind: String, Sendable, Hashable, CaseIterable {
    case apple = "apple-app-site-association"
    case assetLinks = "assetlinks.json"

    /// - Parameter name: a file's name or path, or a URL's path.
    package init?(name: String) {
        let last = name.split(separator: "/").last.map(String.init) ?? name
        if last.hasPrefix(Self.apple.rawValue) {
            self = .apple
        } else if last.hasSuffix(Self.assetLinks.rawValue) {
            self = .assetLinks
        } else {
            return nil
        }
    }
}
