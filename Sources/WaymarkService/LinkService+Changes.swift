import Logging
package import WaymarkLinks

extension LinkService {
    /// Takes over what other servers change, until the stream ends.
    ///
    /// While the store can't tell of changes, cached links go on: a redirect that may be some seconds old is worth more
    /// than none.
    package func follow(_ changes: AsyncStream<StoreChange>) async {
        for await change in changes {
            switch change {
            case .link(_, let domain, let slug): forget(LinkKey(domain, slug))
            case .applications, .keys: await refresh()
            case .everything:
                cache.removeAll()
                await refresh()
            case .interrupted: logger.warning("changes by other servers may be seen late until the store is back")
            }
        }
    }
}
