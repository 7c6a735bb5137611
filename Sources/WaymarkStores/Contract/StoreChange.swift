package import WaymarkLinks

/// What another server has changed in a store that several servers share.
package enum StoreChange: Sendable, Hashable {
    /// Created, changed or deleted: what is known of that address no longer counts, that there is no link included.
    case link(LinkID, HostName, Slug)
    /// Some application was put or deleted.
    case applications
    /// Some API key was made or deleted.
    case keys
    /// Changes may have been missed: nothing that was read before now counts.
    case everything
    /// From now on changes may be missed, until `everything` says that they are seen again.
    case interrupted
}
