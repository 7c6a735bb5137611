import WaymarkAPI

/// The key or person that changed a link, with the name of that time.
package struct ChangeAuthor: Sendable, Hashable {
    /// The operator: by the environment's admin key, or a command on the server's machine.
    package static let environment = ChangeAuthor(id: "environment", name: "environment")
    /// A Google API key of the link's application.
    package static let googleKey = ChangeAuthor(id: "google-api-key", name: "Google API key")

    package let id: String
    package let name: String

    package init(id: String, name: String) {
        self.id = id
        self.name = name
    }
}

/// One change of a link: who, when, the names of the fields, and what the link was before.
package struct LinkHistoryEntry: Sendable, Equatable {
    /// What a change replaced, without metadata.
    package struct Former: Sendable, Equatable {
        package var slug: Slug
        /// With `LinkPassword.withheld` where the link had a password.
        package var content: LinkContent

        package init(_ link: Link) {
            self.init(slug: link.slug, content: link.content)
            if content.password != nil { content.password = .withheld }
        }

        package init(slug: Slug, content: LinkContent) {
            self.slug = slug
            self.content = content
        }
    }

    /// The version that the change made.
    package var version: Int
    package var at: Timestamp
    /// Nil if the change was not made with a key.
    package var author: ChangeAuthor?
    /// As named by the API, in its order. Names have no spaces.
    package var fields: [String]
    /// Nil for changes from before values were stored.
    package var former: Former?

    package init(version: Int, at: Timestamp, author: ChangeAuthor?, fields: [String], former: Former? = nil) {
        self.version = version
        self.at = at
        self.author = author
        self.fields = fields
        self.former = former
    }
}

extension LinkChange {
    /// The names of the fields that differ from the link's.
    package func fields(of link: Link) -> [String] {
        let (old, new) = (LinkRequest(link.content, metadata: nil), LinkRequest(content, metadata: nil))
        let changesMetadata =
            switch metadata {
            case .keep: false
            case .set: true
            case .remove: link.hasMetadata
            }
        return LinkRequest.members.members
            .filter { member in
                switch member.name {
                case "metadata": changesMetadata
                case "password": content.password != link.content.password
                case "slug": slug.map { $0 != link.slug } ?? false
                default: member.differs(old, new)
                }
            }.map(\.name)
    }
}

extension Link {
    /// The link under another slug; its present slug becomes an alias. Nil if it has as many aliases as a link may have.
    package func renamed(to slug: Slug, at now: Timestamp) -> Link? {
        var aliases = content.aliases.filter { $0 != LinkAlias(slug) }
        aliases.append(LinkAlias(self.slug))
        guard aliases.count <= LinkLimits.aliases else { return nil }
        var renamed = self
        renamed.slug = slug
        renamed.content.aliases = aliases
        renamed.updatedAt = now
        renamed.version += 1
        return renamed
    }

    /// What a patch leaves: stores keep the aliases, which are no part of it.
    package mutating func replaceContent(by content: LinkContent) {
        let aliases = self.content.aliases
        self.content = content
        // Setting a field copies all of them.
        if self.content.aliases != aliases { self.content.aliases = aliases }
    }
}

package enum RenameOutcome: Sendable, Equatable {
    /// Also if the link had the slug before.
    case renamed(Link)
    /// Another link has the slug, or has it as an alias.
    case slugTaken
    /// The application's calls of Firebase or HOKO have the slug.
    case slugReserved
    case tooManyAliases
    case versionMismatch(current: Int)
    case unknown
}
