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

    package init(
        id: String, name: String, digest: [UInt8], application: ApplicationID?, scopes: Set<KeyScope>,
        createdAt: Timestamp, expiresAt: Timestamp? = nil
    ) {
        self.id = id
        self.name = name
        self.digest = digest
        self.application = application
        self.scopes = scopes
        self.createdAt = createdAt
        self.expiresAt = expiresAt
    }
}

package enum KeyScope: String, Sendable, CaseIterable, Hashable { case resolve, create, links, admin }
