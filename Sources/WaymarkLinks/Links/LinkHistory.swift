import WaymarkAPI

/// The key that changed a link, with the name that it had then.
package struct ChangeAuthor: Sendable, Hashable {
    package let id: String
    package let name: String

    package init(id: String, name: String) {
        self.id = id
        self.name = name
    }
}

/// One change of a link: who, when, and the names of the fields, without their values.
package struct LinkHistoryEntry: Sendable, Equatable {
    /// How many of a link's versions stores keep the changes of.
    package static let limit = 200

    /// The version that the change made.
    package var version: Int
    package var at: Timestamp
    /// Nil if the change was not made with a key.
    package var author: ChangeAuthor?
    /// As named by the API, in its order. Names have no spaces.
    package var fields: [String]

    package init(version: Int, at: Timestamp, author: ChangeAuthor?, fields: [String]) {
        self.version = version
        self.at = at
        self.author = author
        self.fields = fields
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
