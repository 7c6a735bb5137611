package import WaymarkLinks

/// An API key as stored, without the key itself.
package struct StoredKey: Sendable, Equatable {
    package var id: String
    package var name: String
    /// SHA-256 of the key's text.
    package var digest: [UInt8]
    /// Nil: all applications.
    package var application: ApplicationID?
    package var scopes: Set<KeyScope>
    package var createdAt: Timestamp
    package var expiresAt: Timestamp?
    /// Accurate to an hour; nil: never used, as far as is known.
    package var lastUsedAt: Timestamp?
    /// The platform of the app that ships the key; nil: no platform.
    package var platform: Platform?
    /// The person whom the key belongs to, and with whom it ends; nil: the service.
    package var person: String?

    package init(
        id: String, name: String, digest: [UInt8], application: ApplicationID?, scopes: Set<KeyScope>,
        createdAt: Timestamp, expiresAt: Timestamp? = nil, lastUsedAt: Timestamp? = nil, platform: Platform? = nil,
        person: String? = nil
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
        self.person = person
    }
}

package enum KeyScope: String, Sendable, CaseIterable, Hashable {
    case resolve, create
    /// Reads links, their statistics and destinations; can't change anything or read metadata.
    case read
    case links, admin

    /// By its number: the text would be hashed with every request.
    package func hash(into hasher: inout Hasher) {
        let number: UInt8 =
            switch self {
            case .resolve: 0
            case .create: 1
            case .read: 2
            case .links: 3
            case .admin: 4
            }
        hasher.combine(number)
    }

    /// Those of a stored text, separated by spaces. A scope of a later version permits nothing here, and must not keep the
    /// other keys from being read.
    package static func known(in text: String) -> Set<KeyScope> {
        Set(text.split(separator: " ").compactMap { KeyScope(rawValue: String($0)) })
    }

    /// What a program must read to read the scope; nil if every program can.
    package var need: FormatNeed? {
        switch self {
        case .read: FormatNeed(.v0_2, "the scope read")
        case .resolve, .create, .links, .admin: nil
        }
    }
}

extension StoredKey {
    /// The prefix of the IDs of dashboard sessions and of links and invitations that start one, which are stored beside the
    /// keys. Other IDs are alphanumeric.
    package static let sessionPrefix = "session-"

    /// How the IDs of all sessions, links and invitations of a key or person begin.
    package static func sessionPrefix(of owner: String) -> String { sessionPrefix + owner + "-" }

    /// The IDs of all sessions, links and invitations of a key or person. In the order of bytes "." follows "-".
    static func sessionIDs(of owner: String) -> Range<String> { sessionPrefix(of: owner)..<sessionPrefix + owner + "." }

    /// The ID of the key or person that a session, link or invitation is of; nil for a key.
    package var sessionOwnerID: String? {
        guard isSession, let end = id.lastIndex(of: "-") else { return nil }
        return String(id[..<end].dropFirst(Self.sessionPrefix.count))
    }

    /// Whether this is a session or a link that starts one, and not a key.
    package var isSession: Bool { id.hasPrefix(Self.sessionPrefix) }

    /// How the IDs of links that start a session end.
    package static let linkSuffix = ".link"

    /// How the IDs of invitations end.
    package static let invitationSuffix = ".invitation"

    /// Whether this is a link with which a person signs in for the first time.
    package var isInvitation: Bool { isSession && id.hasSuffix(Self.invitationSuffix) }

    /// The platforms that a key may be created for.
    package static let platforms: [Platform] = [.web, .iphone, .ipad, .ios, .android]
}
