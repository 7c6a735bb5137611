package import WaymarkLinks

/// A change by another server in a shared store.
package enum StoreChange: Sendable, Hashable {
    /// Created, changed or deleted: anything known about this address is outdated, including that there is no link.
    case link(LinkID, HostName, Slug)
    /// An application was put or deleted.
    case applications
    /// An API key was created or deleted.
    case keys
    /// A document was written or removed.
    case documents
    /// What another server sent to all others; no change.
    case message(String)
    /// Changes may have been missed: everything read before is outdated.
    case everything
    /// Changes may be missed from now on, until `everything`.
    case interrupted

    /// In bytes.
    package static let longestMessage = 7_800

    /// A change of a link, under all addresses that it has.
    package static func of(_ link: Link) -> [StoreChange] {
        link.addresses.map { .link(link.id, $0.domain, $0.slug) }
    }
}
