import WaymarkLinks
import WaymarkStores

/// A reservation or release of a link's clicks that the store may have performed: it is repeated with the same ID
/// until the store responds.
struct UnsettledClicks: Sendable {
    let link: LinkID
    let count: Int
    let write: WriteID
}
