package import WaymarkLinks

/// The store of click records: a part of `LinkStore` that is append-only, read per link, and pruned by age.
///
/// The guarantees of `LinkStore` apply: changes are durable when a function returns, each call is one transaction,
/// and all functions may be called concurrently.
///
/// Throws: `StoreError` only.
package protocol ClickStore: Sendable {
    /// Adds blocks of any links and days in any order. Blocks whose key is already stored are ignored, whatever their
    /// bytes, so that a call with a lost response can be repeated; so are blocks of links that don't exist, and of numbers of
    /// long links that no application has.
    ///
    /// One call must fit in one transaction: some thousand blocks.
    func append(_ blocks: [ClickBlock]) async throws(StoreError)

    /// A link's blocks in ascending order of their keys.
    ///
    /// - Parameters:
    ///   - days: UTC days as in `ClickBlock.Key`; both bounds are inclusive.
    ///   - after: the key of the last block of the previous page; nil for the first page. A page with fewer than
    ///     `limit` blocks is the last one.
    /// - Returns: at most `limit` blocks; empty if the link does not exist.
    func blocks(
        of link: LinkID, days: ClosedRange<Int>, after: ClickBlock.Key?, limit: Int
    ) async throws(StoreError) -> [ClickBlock]

    /// The numbers under which clicks on the application's long links are recorded, by domain; each becomes the link of a
    /// block. Draws those that are missing for `domains`. An application that was deleted and made again gets others.
    ///
    /// - Returns: Those of all its domains; empty for an application that does not exist.
    func longLinkNumbers(
        of application: ApplicationID, on domains: [HostName]
    ) async throws(StoreError) -> [HostName: LinkID]

    /// Deletes blocks of earlier days, and the remaining blocks of deleted links and of numbers of deleted applications:
    /// deleting a link only deletes its first thousand, so that other writers don't have to wait.
    ///
    /// - Returns: the number of deleted blocks, at most `limit`. If it is less, there are no more.
    func dropClicks(before day: Int, limit: Int) async throws(StoreError) -> Int
}

extension ClickBlock {
    /// How many of a link's blocks are deleted with it; `dropClicks` deletes the rest.
    package static let deletedAtOnce = 1_000
}
