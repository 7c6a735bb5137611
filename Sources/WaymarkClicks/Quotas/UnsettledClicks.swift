import WaymarkLinks
import WaymarkStores

/// Clicks of a link that the store was asked to reserve, or to take back. It may have done so: it is asked again under the
/// same id until it answers.
struct UnsettledClicks: Sendable {
    let link: LinkID
    let count: Int
    let write: WriteID
}
