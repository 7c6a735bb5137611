package import WaymarkLinks

/// What an operator may set about the service.
package struct ServiceConfiguration: Sendable {
    /// Memory for cached links, in bytes; 64 MiB.
    package var cacheBytes = 64 << 20
    /// How often clicks go to the store; 1 s, so that counts are right within 2 s. Seldom is cheap: a link that is
    /// clicked often is written once for all its clicks in between.
    package var clickFlushInterval = Duration.seconds(1)
    /// Clicks that one event loop can hold between two flushes; a power of two. More are dropped and counted.
    package var clickBufferCapacity = 1 << 15
    /// Whether a record of each click is kept, or only their number.
    package var recordsClicks = true
    /// Whether records tell the visitors of one day apart.
    package var tellsVisitorsApart = true
    /// How often records of clicks go to the store, and what a crash can lose of them; 5 s. Up to three times as long where
    /// they would be thousands of blocks with fewer than a hundred clicks each.
    package var clickJournalInterval = Duration.seconds(5)
    /// Clicks that wait as records while the store is away or slow; the records of more are dropped and counted, their
    /// number is kept all the same. 24 bytes each.
    package var pendingClickRecords = 3_000_000
    /// Different links whose clicks wait while the store is away; clicks of further links are dropped and counted.
    package var pendingClickLinks = 1_000_000
    /// How many whole days records of clicks are kept; 400.
    package var clickRetentionDays = 400
    /// How long an idempotency key holds, in milliseconds; 24 hours.
    package var idempotencyLifetime: Int64 = 24 * 60 * 60 * 1000
    /// How long an event's id is remembered, in milliseconds; 7 days.
    package var eventLifetime: Int64 = 7 * 24 * 60 * 60 * 1000
    /// How long an installation gets the answer to its claim again, in milliseconds; 24 hours.
    package var claimLifetime: Int64 = 24 * 60 * 60 * 1000
    /// How often applications and keys are read again, for what other processes changed; 1 s.
    package var refreshInterval = Duration.seconds(1)
    /// How often idempotency records, claims, ids of events that ran out and old records of clicks are dropped; 60 s.
    package var purgeInterval = Duration.seconds(60)
    /// How long cached links are served while the store is away, in milliseconds since changes by other servers were
    /// heard of last; 24 hours.
    package var staleness: Int64 = 24 * 60 * 60 * 1000
    /// Where smart links of applications with neither domains nor base URL are printed with: its scheme and port; the
    /// host of such links is `localhost`.
    package var defaultBaseURL: WebURL?
    /// Where no link may lead, whatever its application says; `ApplicationRegistry.block` replaces them.
    package var blockedHosts = HostSet()
    /// An admin key to accept for as long as the process runs; never stored.
    package var adminKey: KeyText?

    package init() {}
}
