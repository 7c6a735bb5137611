import Dispatch
package import WaymarkLinks

/// The operator's settings of the service.
package struct ServiceConfiguration: Sendable {
    /// Memory for cached links in bytes. Default: 64 MiB.
    package var cacheBytes = 64 << 20
    /// How often clicks are written. Default: 1 s, so that counts are at most 2 s old. Longer is cheaper: all clicks
    /// of a link in between are one write.
    package var clickFlushInterval = Duration.seconds(1)
    /// Clicks that one event loop can buffer; a power of two. Before further ones it empties its buffer itself.
    package var clickBufferCapacity = 1 << 15
    /// Whether each click is recorded, rather than only counted.
    package var recordsClicks = true
    /// Whether records identify the unique visitors of a day.
    package var tellsVisitorsApart = true
    /// How often click records are written, which is also how much a crash can lose. Default: 5 s. Up to three times
    /// as long if there would be thousands of blocks with fewer than a hundred clicks each.
    package var clickJournalInterval = Duration.seconds(5)
    /// Maximum memory of click records that wait while the store is slow, and while it is unavailable if the spool takes
    /// none, in bytes: 24 for each. Further records are dropped and counted, but their clicks are still counted. What
    /// their visitors' values take has the bound of `ClickBatch.profileBytes`, in up to four batches.
    package var pendingClickBytes = 64 << 20
    /// Where click records are kept that the store does not take: the beginning of the names of files. Nil: nowhere.
    package var clickSpool: String?
    /// Maximum bytes of these files. Default: 1 GiB.
    package var clickSpoolBytes = 1 << 30
    /// Maximum number of links whose clicks wait while the store is unavailable; clicks of further links are dropped
    /// and counted.
    package var pendingClickLinks = 1_000_000
    /// How often live clicks are sent. Default: 1 s. Nil: only by `LiveClicks.endSecond`.
    package var liveClicksInterval: Duration? = .seconds(1)
    /// Reports on clicks that are counted at the same time.
    package static let reportsAtOnce = 2
    /// Days that click records are stored. Default: 400.
    package var clickRetentionDays = 400
    /// Days that totals of clicks are stored. Default: 1,100.
    package var clickTotalsRetentionDays = 1_100
    /// Days that entries of the audit are stored. Default: 400.
    package var auditRetentionDays = 400
    /// Lifetime of an idempotency key in milliseconds. Default: 24 hours.
    package var idempotencyLifetime: Int64 = 24 * 60 * 60 * 1000
    /// How long an event's ID is stored, in milliseconds. Default: 7 days.
    package var eventLifetime: Int64 = 7 * 24 * 60 * 60 * 1000
    /// How long the response to an installation's claim can be repeated, in milliseconds. Default: 24 hours.
    package var claimLifetime: Int64 = 24 * 60 * 60 * 1000
    /// How often applications and keys are reloaded because of changes by other processes. Default: 1 s.
    package var refreshInterval = Duration.seconds(1)
    /// How often the indexes of listings are updated. Default: 1 s.
    package var indexInterval = Duration.seconds(1)
    /// How often expired idempotency records, claims, event IDs and click records are deleted. Default: 60 s.
    package var purgeInterval = Duration.seconds(60)
    /// How long cached links are served while the store is unavailable, in milliseconds since changes by other
    /// servers were last received. Default: 24 hours.
    package var staleness: Int64 = 24 * 60 * 60 * 1000
    /// The server is not ready while the database's file system has fewer free bytes. Default: 16 MiB, which is what the
    /// write-ahead log of SQLite grows to before it is emptied.
    package var minimumFreeDisk = 16 << 20
    /// How often the store is asked whether it responds and has room. Default: 2 s.
    package var storeCheckInterval = Duration.seconds(2)
    /// The base URL of smart links of applications with neither domains nor base URL: its scheme and port; their host
    /// is `localhost`.
    package var defaultBaseURL: WebURL?
    /// Hosts that links must not lead to, whatever their application allows; replaced by `ApplicationRegistry.block`.
    package var blockedHosts = HostSet()
    /// An admin key accepted while the process runs; never stored.
    package var adminKey: KeyText?

    package init() {}
}

/// External dependencies of the service: time, randomness and digests.
package struct ServiceDependencies: Sendable {
    package var now: @Sendable () -> Timestamp
    /// The time, up to ten milliseconds late, for cached redirects, which only need seconds. Default: `now`.
    package var coarseNow: @Sendable () -> Timestamp
    /// Milliseconds of a monotonic clock on this machine.
    package var uptime: @Sendable () -> Int64 = { Int64(clamping: DispatchTime.now().uptimeNanoseconds / 1_000_000) }
    /// Returns this many bytes from a secure source.
    package var randomBytes: @Sendable (_ count: Int) -> [UInt8]
    /// SHA-256: 32 bytes.
    package var sha256: @Sendable (_ bytes: [UInt8]) -> [UInt8]
    /// scrypt: `LinkPassword.keyCount` bytes. Default: nil, so that no link can have a password.
    package var derivePasswordKey:
        @Sendable (_ password: [UInt8], _ salt: [UInt8], _ parameters: LinkPassword.Parameters) -> [UInt8]? = {
            _, _, _ in nil
        }

    /// What answers reports that only records can answer; nil: the records do.
    package var clickHouse: ClickHouseReader?

    /// Yields the processor to other threads, above all event loops; called between steps of long background work.
    package var yieldToOthers: @Sendable () -> Void = {}

    package init(
        now: @escaping @Sendable () -> Timestamp, randomBytes: @escaping @Sendable (_ count: Int) -> [UInt8],
        sha256: @escaping @Sendable (_ bytes: [UInt8]) -> [UInt8]
    ) {
        self.now = now
        coarseNow = now
        self.randomBytes = randomBytes
        self.sha256 = sha256
    }
}
