import Logging
import Synchronization
import WaymarkLinks
import WaymarkService
import WaymarkStores

/// Observes association files: which version of each is served since when, and when Apple and Google fetched it last.
///
/// Fetches are collected in memory and written by `settle`, which also compares the versions with those that it knows, if
/// applications or the public folder's files have changed. There are at most two fetches for each file of the hosts of
/// applications, because others are not noted; no address is noted.
///
/// Safe to use from any thread.
package final class AssociationObserver: Sendable {
    /// Between two calls of `settle`.
    static let interval = Duration.seconds(15)

    private struct FetchKey: Hashable {
        let file: AssociationFileKey
        let fetcher: AssociationFetcher
    }

    /// What the served files depend on.
    private struct Moment: Equatable {
        let applications: UInt64
        let overrides: UInt64
    }

    private struct State {
        /// Fetches that are not written yet.
        var pending: [FetchKey: AssociationFetch] = [:]
        /// When `versions` and `fetches` were read; nil before.
        var moment: Moment?
        /// As last read from the store.
        var versions: [AssociationFileKey: AssociationVersion] = [:]
        var fetches: [FetchKey: AssociationFetch] = [:]
        var counts: [AssociationFetcher: [Int: Int]] = [:]

        func fetch(_ key: FetchKey) -> AssociationFetch? {
            guard let stored = fetches[key] else { return pending[key] }
            guard let new = pending[key], new.at >= stored.at else { return stored }
            return new.continuing(stored)
        }
    }

    /// What only `settle` uses.
    private struct Served {
        var moment: Moment?
        /// The tags that this server has written, or found written.
        var written: [AssociationFileKey: String]?
        var memory = AssociationTags.Memory()
    }

    private let store: any AssociationFileStore
    private let directory: Published<ApplicationDirectory>
    private let overrides: Published<AssociationOverrides>
    private let sha256: @Sendable ([UInt8]) -> [UInt8]
    private let now: @Sendable () -> Timestamp
    private let warnings: RecurringWarnings
    private let state = Mutex(State())
    private let served = Mutex(Served())
    private let turn = AsyncMutex()
    private let timer = Mutex<RepeatingTimer?>(nil)

    init(
        _ store: any AssociationFileStore, _ directory: Published<ApplicationDirectory>,
        _ overrides: Published<AssociationOverrides>, _ dependencies: ServiceDependencies, logger: Logger
    ) {
        self.store = store
        self.directory = directory
        self.overrides = overrides
        sha256 = dependencies.sha256
        now = dependencies.now
        warnings = RecurringWarnings(logger)
    }

    // MARK: Fetches

    /// Notes a fetch of a file of a host that an application names.
    ///
    /// - Parameter tag: empty if there was no file.
    func note(_ name: AssociationFileName, of host: HostName, by fetcher: AssociationFetcher, status: Int, tag: String)
    {
        guard directory.current.isNamed(host) else { return }
        let file = AssociationFileKey(host, name)
        let fetch = AssociationFetch(file, by: fetcher, at: now(), status: status, tag: tag)
        let key = FetchKey(file: file, fetcher: fetcher)
        state.withLock { state in
            state.counts[fetcher, default: [:]][status, default: 0] += 1
            state.pending[key] = state.pending[key].map { fetch.continuing($0) } ?? fetch
        }
    }

    // MARK: Writing

    /// Calls `settle` now and from time to time, until `stop`.
    func start() {
        let timer = RepeatingTimer(every: Self.interval) { [weak self] in await self?.settle() }
        self.timer.withLock { $0 = timer }
        Task { await settle() }
    }

    /// Writes the last fetches.
    func stop() async {
        timer.withLock { $0 = nil }
        await settle()
    }

    /// Writes what is new, and reads what other servers have written. While the store is away, fetches stay in memory.
    func settle() async {
        await turn.withTurn { [self] in
            let moment = moment
            do throws(StoreError) {
                try await write()
                let versions = try await store.associationVersions()
                let fetches = try await store.associationFetches()
                state.withLock { state in
                    state.moment = moment
                    state.versions = Dictionary(versions.map { ($0.file, $0) }) { first, _ in first }
                    state.fetches = Dictionary(
                        fetches.map { (FetchKey(file: $0.file, fetcher: $0.fetcher), $0) }
                    ) { first, _ in first }
                }
                warnings.settle(.associationFiles, "fetches of association files are recorded again")
            } catch {
                warnings.raise(.associationFiles, "fetches of association files are not recorded: \(error.sentence)")
            }
        }
    }

    private var moment: Moment {
        Moment(applications: directory.generation, overrides: overrides.generation)
    }

    private func write() async throws(StoreError) {
        let moment = moment
        let fetches = state.withLock { state in
            defer { state.pending = [:] }
            return state.pending
        }
        do throws(StoreError) {
            if served.withLock({ $0.moment == moment }) {
                return try await store.record([], Array(fetches.values))
            }
            var written = served.withLock(\.written)
            if written == nil {
                written = Dictionary(try await store.associationVersions().map { ($0.file, $0.tag) }) { first, _ in
                    first
                }
            }
            let tags = served.withLock { served in
                AssociationTags.all(directory.current, overrides.current, sha256: sha256, &served.memory)
            }
            let since = now()
            let changes = tags.filter { written?[$0.key] != $0.value }
            try await store.record(
                changes.map { AssociationVersion($0.key, tag: $0.value, since: since) }, Array(fetches.values))
            served.withLock { served in
                served.moment = moment
                served.written = tags
            }
        } catch {
            state.withLock { state in
                state.pending.merge(fetches) { new, old in new.continuing(old) }
            }
            throw error
        }
    }

    // MARK: Reading

    /// What is known of the files of hosts.
    struct Observation {
        /// Nil if there is no file.
        var tag: String?
        /// Nil if no other version is known.
        var since: Timestamp?
        var fetches: [AssociationFetcher: AssociationFetch] = [:]
        var outlook = AssociationRefresh.Outlook()
    }

    /// Of the files of these hosts, as of the last `settle`: what other servers saw may come as late as the next one.
    func observations(of hosts: [HostName]) async -> [AssociationFileKey: Observation] {
        // Only a change of applications or files is worth a write before an answer.
        if state.withLock({ $0.moment != moment }) { await settle() }
        let tags = served.withLock { served in
            if served.moment == moment, let written = served.written { return written }
            return AssociationTags.all(directory.current, overrides.current, sha256: sha256, &served.memory)
        }
        let now = now()
        return state.withLock { state in
            var observations: [AssociationFileKey: Observation] = [:]
            for host in hosts {
                for name in AssociationFileName.allCases {
                    let file = AssociationFileKey(host, name)
                    guard let tag = tags[file] else { continue }
                    let version = state.versions[file]
                    var seen = Observation()
                    seen.tag = tag.isEmpty ? nil : tag
                    seen.since = version?.tag == tag ? version?.since : nil
                    for fetcher in AssociationFetcher.allCases {
                        seen.fetches[fetcher] = state.fetch(FetchKey(file: file, fetcher: fetcher))
                    }
                    seen.outlook = AssociationRefresh.outlook(
                        version, served: tag, seen.fetches[file.name.fetcher], by: file.name.fetcher, now: now)
                    observations[file] = seen
                }
            }
            return observations
        }
    }

    /// Whether the service that devices ask may not have noticed the last change of a file yet.
    func isSettling(_ file: AssociationFileKey) -> Bool {
        let version = state.withLock { $0.versions[file] }
        guard let since = version?.since else { return false }
        return now() < since.advanced(byMilliseconds: AssociationRefresh.delay(of: file.name.fetcher))
    }

    /// Fetches since the start of this server, by service and status.
    var counts: [(fetcher: AssociationFetcher, status: Int, count: Int)] {
        let counts = state.withLock(\.counts)
        return AssociationFetcher.allCases.flatMap { fetcher in
            (counts[fetcher] ?? [:]).sorted { $0.key < $1.key }.map { (fetcher, $0.key, $0.value) }
        }
    }

    /// When each service fetched any file last, also from other servers.
    var lastFetches: [(fetcher: AssociationFetcher, at: Timestamp)] {
        state.withLock { state in
            AssociationFetcher.allCases.compactMap { fetcher in
                let all = Array(state.fetches.values) + Array(state.pending.values)
                return all.filter { $0.fetcher == fetcher }.map(\.at).max().map { (fetcher, $0) }
            }
        }
    }

    /// Files whose last change is older than Apple's CDN takes to notice it, and which it has not fetched since.
    var overdue: Int {
        let end = now().advanced(byMilliseconds: -AssociationRefresh.delay(of: .apple))
        return state.withLock { state in
            state.versions.values.count { version in
                guard version.file.name.fetcher == .apple, let since = version.since, since < end else { return false }
                return state.fetch(FetchKey(file: version.file, fetcher: .apple))?.tag != version.tag
            }
        }
    }
}

extension AssociationFetch {
    /// - Parameter earlier: of the same file and service.
    fileprivate func continuing(_ earlier: AssociationFetch) -> AssociationFetch {
        guard earlier.tag == tag else { return self }
        var fetch = self
        fetch.firstAt = min(fetch.firstAt, earlier.firstAt)
        return fetch
    }
}
