package import WaymarkLinks

/// Where click records are kept: the part of a `LinkStore` that is only ever added to, read along one link, and dropped
/// when it is old.
///
/// What `LinkStore` promises holds here too: durable when a function returns, each call one transaction, all functions
/// from any task at once.
///
/// Throws: `StoreError` only.
package protocol ClickStore: Sendable {
    /// Adds blocks, in any order and of any links and days. One whose key is stored already is passed over, whatever its
    /// bytes, so that a call may be repeated whose answer was lost; blocks of links that no longer exist are passed
    /// over too.
    ///
    /// Links are few enough, and blocks small enough, that one call fits in one transaction: some thousand blocks.
    func append(_ blocks: [ClickBlock]) async throws(StoreError)

    /// A link's blocks in rising order of their keys.
    ///
    /// - Parameters:
    ///   - days: In UTC, as `ClickBlock.Key` counts them; both ends are included.
    ///   - after: The key of the last block of the page before; nil for the first page. A page with fewer than `limit`
    ///     blocks is the last one.
    /// - Returns: At most `limit` blocks; none where there is no such link.
    func blocks(
        of link: LinkID, days: ClosedRange<Int>, after: ClickBlock.Key?, limit: Int
    ) async throws(StoreError) -> [ClickBlock]

    /// Drops blocks of earlier days, and what is left of those of links that were deleted: their first thousand goes
    /// with the link itself, the rest here, so that deleting a link keeps no other writer waiting.
    ///
    /// - Returns: How many were dropped, at most `limit`. Fewer: nothing is left to drop.
    func dropClicks(before day: Int, limit: Int) async throws(StoreError) -> Int
}

extension ClickBlock {
    /// How many of a link's blocks are deleted together with it; the rest follows with `dropClicks`.
    package static let deletedAtOnce = 1_000
}
