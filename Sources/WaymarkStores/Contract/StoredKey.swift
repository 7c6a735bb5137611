package import WaymarkLinks

/// An API key as stored: never the key itself.
package struct StoredKey: Sendable, Equatable {
    package var id: String
    package var name: String
    /// SHA-256 of the key's text.
    package var digest: [UInt8]
    /// nil: all applications.
    package var application: ApplicationID?
    package var scopes: Set<KeyScope>
    package var createdAt: Timestamp
    package var expiresAt: Timestamp?
    /// Right within an hour; nil: never, as far as is known.
    package var lastUsedAt: Timestamp?
    /// Of the app that it is shipped in; nil: it was made for no platform.
    package var platform: Platform?

    package init(
        id: String, name: String, digest: [UInt8], application: ApplicationID?, scopes: Set<KeyScope>,
        createdAt: Timestamp, expiresAt: Timestamp? = nil, lastUsedAt: Timestamp? = nil, platform: Platform? = nil
    ) {
        self.id = id
        self.name = name
        self.digest = digest
        self.application = application
        self.scopes = scopes
        self.createdAt = createdAt
        self.expiresAt = expiresAt
        self.lastUsedAt = lastUsedAt
        self.platform = platform
    }
}

package enum KeyScope: String, Sendable, CaseIterable, Hashable {
    case resolve, create
    /// Reads links, their statistics and where they lead; changes nothing, and sees no metadata.
    case read
    case links, admin
}

extension StoredKey {
    /// The platforms that a key may be made for.
    package static let platforms: [Platform] = [.web, .iphone, .ipad, .ios, .android]
}
