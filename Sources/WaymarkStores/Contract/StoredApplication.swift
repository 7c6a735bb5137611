package import WaymarkLinks

/// An application as stored: the applied JSON, which is opaque to stores, and the values that stores need. Readers
/// parse `Application` from `document`.
package struct StoredApplication: Sendable, Equatable {
    package var id: ApplicationID
    /// The hosts reserved for this application; empty means all hosts that no application names.
    package var domains: [HostName]
    /// Further hosts that no other application may have as a domain or here, sorted; disjoint from the domains.
    package var otherHosts: [HostName]
    package var document: [UInt8]
    /// Incremented by each change; the ETag.
    package var version: Int
    /// Repeats what the document says.
    package var slugRules: SlugRules
    /// What a program must read to read the document; not stored. Nil if every program can.
    package var need: FormatNeed?
    /// When `put` changes it, for its history; nil: unknown, so the document counts as one of all times.
    package var changedAt: Timestamp?
    /// The numbers under which clicks on its long links are recorded, by domain, as far as they were asked for
    /// (`ClickStore.longLinkNumbers`). `put` does not change them.
    package var longLinks: [HostName: LinkID] = [:]

    package init(
        id: ApplicationID, domains: [HostName], otherHosts: [HostName] = [], document: [UInt8], version: Int = 1,
        slugRules: SlugRules = [], need: FormatNeed? = nil
    ) {
        self.id = id
        self.domains = domains
        self.otherHosts = otherHosts
        self.document = document
        self.version = version
        self.slugRules = slugRules
        self.need = need
    }

    /// The numbers of long links as a query lists them: domain and number in turn, separated by spaces. Nil for any other text.
    package static func longLinks(_ list: String?) -> [HostName: LinkID]? {
        let words = (list ?? "").split(separator: " ")
        var numbers: [HostName: LinkID] = [:]
        for index in stride(from: 0, to: words.count, by: 2) {
            guard index + 1 < words.count, let domain = HostName(String(words[index])),
                let number = Int64(words[index + 1])
            else { return nil }
            numbers[domain] = LinkID(rawValue: number)
        }
        return numbers
    }

    /// The same text of its numbers, by domain; nil if it has none.
    package var longLinkList: String? {
        let words = longLinks.sorted { $0.key.text < $1.key.text }.map { "\($0.key.text) \($0.value.rawValue)" }
        return words.isEmpty ? nil : words.joined(separator: " ")
    }

    /// Without its slug rules, which a server derives from the document.
    package var archived: StoredApplication {
        var archived = self
        archived.slugRules = []
        return archived
    }
}

/// The credentials that an application or a new key is to have. Keys and the Google API keys in applications' documents are
/// one name space: a text identifies one caller.
package struct CredentialClaim: Sendable {
    /// SHA-256 of the texts.
    package var digests: [[UInt8]]
    /// Whether an application accepts one of the texts.
    package var isHeld: @Sendable (_ by: StoredApplication) -> Bool

    package init(digests: [[UInt8]], isHeld: @escaping @Sendable (_ by: StoredApplication) -> Bool) {
        self.digests = digests
        self.isHeld = isHeld
    }
}

package enum PutOutcome: Sendable, Equatable {
    case created(StoredApplication)
    case replaced(StoredApplication)
    case versionMismatch(current: Int?)
    /// `check` rejected this use.
    case inUse(ApplicationUse)
    /// Another application has one of the domains or other hosts.
    case hostTaken(HostName, by: ApplicationID)
    /// A key or another application has one of the claimed credentials.
    case credentialTaken
    /// The application's links don't meet its new slug rules.
    case slugsClash(SlugClash)
}

package enum DeleteApplicationOutcome: Sendable, Equatable {
    case deleted
    case unknown
    case inUse(links: Int)
    case versionMismatch(current: Int)
}
