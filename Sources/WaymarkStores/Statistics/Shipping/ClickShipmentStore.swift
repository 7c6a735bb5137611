package import WaymarkLinks

/// What another database for clicks still has to get: stored blocks, and links whose clicks were deleted, in the order of their
/// commits. A part of `LinkStore`.
///
/// While shipping is on, `append` notes the blocks that it adds, and a deletion notes the link, each in its own transaction: so what
/// is noted is what was committed. A shipment is composed once and stored before it is sent, so it is the same one after a crash.
///
/// Throws: `StoreError` only.
package protocol ClickShipmentStore: Sendable {
    /// Switches shipping on or off for all servers of the database. Off forgets everything that is noted. When it is on, all clicks
    /// that are not noted from then on are stored.
    ///
    /// Throws: `.upgradePending` while servers of earlier versions are connected, which note nothing.
    func setShipsClicks(_ isOn: Bool) async throws(StoreError)
    /// Whether this server is the one that ships: it is until its connection to the database ends.
    func holdsShipping() async throws(StoreError) -> Bool
    /// The shipment that is under way, else one of the oldest notes.
    ///
    /// - Parameter limit: Of its clicks, counted by whole blocks: one block is always taken. A deleted link counts as a click.
    /// - Returns: Nil if nothing is noted.
    func shipment(limit: Int) async throws(StoreError) -> ClickShipment?
    /// Forgets the shipment under way, which has arrived.
    func finishShipment(_ number: Int64) async throws(StoreError)
    /// Clicks that are noted and have not arrived, with the time at which the oldest note was made.
    func waitingShipments() async throws(StoreError) -> (clicks: Int, oldest: Timestamp?)
    /// Stored blocks of days before this one that are noted and have not arrived, and their clicks.
    func waitingClicks(before day: Int) async throws(StoreError) -> (blocks: Int, clicks: Int)
    /// Stored blocks of all links on a day in the order of links and numbers, also those that have been shipped.
    ///
    /// - Parameter after: The last block of the page before; nil for the first page.
    func shippedBlocks(of day: Int, after: ClickBlock.Key?, limit: Int) async throws(StoreError) -> [ShippedBlock]
    /// Notes stored blocks for another shipment. Those that are noted already, or are gone, are ignored; so are all while shipping is
    /// off. To be called by the server that ships, between shipments: what has arrived meanwhile would be sent again.
    func noteBlocks(_ keys: [ClickBlock.Key]) async throws(StoreError)
    /// The numbers of the notes that are in no shipment yet, from the first to the last; nil if there are none. They ascend, but not in
    /// the order of commits. SQLite starts at 1 again once no note is left.
    func waitingNotes() async throws(StoreError) -> ClosedRange<Int64>?

    // MARK: Counters, which have no notes

    /// What apps did with existing links, by link and day.
    func dailyActivity(after key: DailyActivity.Key?, limit: Int) async throws(StoreError) -> [ShippedActivity]
    /// The conversions of the key's application, by day, link, campaign, name and currency.
    func dailyConversions(after key: ConversionKey, limit: Int) async throws(StoreError) -> [ArchivedConversions]
    /// All applications.
    func countedApplications() async throws(StoreError) -> [ApplicationID]
}

/// Blocks that are sent together.
package struct ClickShipment: Sendable, Equatable {
    /// Unique in the database, and ascending.
    package var number: Int64
    /// Of its number and of the keys of all blocks and links that it was composed of, also of those that were deleted since: the
    /// same for each attempt, and another for each other shipment, even if a restored database gives the number again.
    package var token: String
    /// Whether it may have been sent before.
    package var isRepeated: Bool
    package var blocks: [ShippedBlock]
    /// Links whose earlier clicks are to be deleted; none of their blocks are in `blocks`.
    package var deletedLinks: [LinkID]

    package init(number: Int64, token: String, isRepeated: Bool, blocks: [ShippedBlock], deletedLinks: [LinkID]) {
        self.number = number
        self.token = token
        self.isRepeated = isRepeated
        self.blocks = blocks
        self.deletedLinks = deletedLinks
    }
}

/// A block with what its link is. Clicks on long links have no slug.
package struct ShippedBlock: Sendable, Equatable {
    package var block: ClickBlock
    package var application: ApplicationID
    package var domain: HostName
    package var slug: String?

    package init(block: ClickBlock, application: ApplicationID, domain: HostName, slug: String?) {
        self.block = block
        self.application = application
        self.domain = domain
        self.slug = slug
    }
}
