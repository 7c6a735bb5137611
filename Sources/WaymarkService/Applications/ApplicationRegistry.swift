import Synchronization
package import WaymarkLinks
package import WaymarkStores

/// The applications: a snapshot for readers, and the operations that change them.
///
/// A change is stored before it appears in the snapshot, and appears there before it is acknowledged.
package final class ApplicationRegistry: Sendable {
    /// Parses a document that was applied earlier; nil if it can't be parsed.
    package typealias Reader = @Sendable (_ document: [UInt8]) -> Application?

    let store: any LinkStore
    private let read: Reader
    private let sha256: @Sendable ([UInt8]) -> [UInt8]
    let now: @Sendable () -> Timestamp
    /// SHA-256 of the environment's admin key, which is no stored key.
    private let adminKeyDigest: [UInt8]?
    private let baseURL: Mutex<WebURL?>
    let fileTurnstile = AsyncMutex()
    package let directory: Published<ApplicationDirectory>
    private let blocking: Mutex<BlockedHosts>
    private let observer = Mutex<(@Sendable () -> Void)?>(nil)

    /// - Parameters:
    ///   - blockedHosts: hosts that no link may lead to, whatever its application allows.
    ///   - adminKey: that of the environment.
    package init(
        store: any LinkStore, defaultBaseURL: WebURL? = nil, blockedHosts: HostSet = HostSet(),
        adminKey: KeyText? = nil, sha256: @escaping @Sendable ([UInt8]) -> [UInt8],
        now: @escaping @Sendable () -> Timestamp, read: @escaping Reader
    ) {
        self.now = now
        directory = Published(ApplicationDirectory([], defaultBaseURL: defaultBaseURL))
        blocking = Mutex(BlockedHosts(hosts: blockedHosts, generation: 0))
        self.store = store
        baseURL = Mutex(defaultBaseURL)
        self.read = read
        self.sha256 = sha256
        adminKeyDigest = adminKey.map { sha256(Array($0.text.utf8)) }
    }

    private var defaultBaseURL: WebURL? { baseURL.withLock(\.self) }

    /// Replaces the base URL of applications with neither domains nor base URL, once the server knows its port.
    ///
    /// If the store can't be read, the applications get it when they are read next.
    package func use(defaultBaseURL: WebURL) async throws(StoreError) {
        baseURL.withLock { $0 = defaultBaseURL }
        // The applications depend on it as on the blocked hosts.
        blocking.withLock { $0 = BlockedHosts(hosts: $0.hosts, generation: $0.generation + 1) }
        try await refresh()
    }

    /// Calls `observer` after each change of the snapshot, by this server or another. It must return at once: the
    /// request that changed an application waits for it.
    package func onChange(_ observer: @escaping @Sendable () -> Void) {
        self.observer.withLock { $0 = observer }
    }

    /// The hosts blocked by the operator.
    package var blockedHosts: HostSet { blocking.withLock { $0.hosts } }

    /// Replaces the blocked hosts; cached responses for the old ones are stale on return.
    ///
    /// If the store can't be read, nothing changes.
    package func block(_ hosts: HostSet) async throws(StoreError) {
        let old = blocking.withLock { blocking -> BlockedHosts? in
            // Reloading the same list must not clear the caches.
            guard blocking.hosts != hosts else { return nil }
            defer { blocking = BlockedHosts(hosts: hosts, generation: blocking.generation + 1) }
            return blocking
        }
        guard let old else { return }
        do throws(StoreError) {
            try await refresh()
        } catch {
            blocking.withLock { $0 = BlockedHosts(hosts: old.hosts, generation: $0.generation + 1) }
            throw error
        }
    }

    /// Reloads the applications, including changes by other processes. One whose document can't be read does not keep the
    /// others from being read: it is served as it was before, or its hosts are unavailable.
    package func refresh() async throws(StoreError) {
        let ticket = directory.ticket()
        // Read after the ticket, so that a later ticket also has later hosts.
        let blockedHosts = blocking.withLock { $0 }
        let stored = try await store.applications()
        // Most refreshes find no changes and parse nothing.
        var isSame = false
        directory.publish(ticket) { current in
            isSame = Self.holds(current, stored, blockedHosts)
            return nil
        }
        if isSame { return }
        var candidates: [ServedApplication] = []
        var unreadable: [UnreadableApplication] = []
        for stored in stored {
            let record = ApplicationRecord(stored: stored.document)
            let document = record.document
            guard let application = read(document) else {
                unreadable.append(UnreadableApplication(stored, blockingGeneration: blockedHosts.generation))
                if let last = directory.current.application(stored.id), let application = read(last.document) {
                    candidates.append(
                        served(
                            application, last.document, last.version, isReadOnly: last.isReadOnly, blockedHosts,
                            last.longLinks))
                }
                continue
            }
            if stored.otherHosts != application.otherHosts || stored.slugRules != application.slugRules {
                var derived = stored
                derived.otherHosts = application.otherHosts
                derived.slugRules = application.slugRules
                // Best effort: while the store can't be written, no other application can claim these hosts either.
                try? await store.setDerivedParts(of: derived)
            }
            candidates.append(
                served(
                    application, document, stored.version, isReadOnly: record.isFromFile, blockedHosts,
                    await longLinks(of: application, stored.longLinks)))
        }
        var replaced: [ServedApplication] = []
        let isChanged = directory.publish(ticket) { current in
            let (next, losers) = succession(from: current, to: candidates, unreadable)
            replaced = losers
            return next
        }
        for application in replaced { application.markReplaced() }
        if isChanged { observer.withLock(\.self)?() }
    }

    /// A number for the long links of each domain, if the application serves them. Best effort: as long as the store can't be
    /// written, clicks on those without a number are not recorded.
    private func longLinks(
        of application: Application, _ known: [HostName: LinkID]
    ) async -> [HostName: LinkID] {
        guard application.servesLongLinks, application.linkDomains.contains(where: { known[$0] == nil }) else {
            return known
        }
        let numbers = try? await store.clickRecords.longLinkNumbers(of: application.id, on: application.linkDomains)
        return numbers ?? known
    }

    private static func holds(
        _ directory: ApplicationDirectory, _ stored: [StoredApplication], _ blockedHosts: BlockedHosts
    ) -> Bool {
        Set(directory.applications.map(\.id)).union(directory.unreadable.map(\.id)).count == stored.count
            && stored.allSatisfy { stored in
                if let unreadable = directory.unreadable.first(where: { $0.id == stored.id }) {
                    return unreadable.version == stored.version
                        && unreadable.blockingGeneration == blockedHosts.generation
                }
                guard let served = directory.application(stored.id) else { return false }
                let record = ApplicationRecord(stored: stored.document)
                return served.version == stored.version && record.says(served.document)
                    && served.application.slugRules == stored.slugRules
                    && served.blockingGeneration == blockedHosts.generation
                    && served.isReadOnly == record.isFromFile
                    && served.longLinks == stored.longLinks && !served.lacksNumbers
            }
    }

    /// The directory with `candidates`, and the applications of `current` that it replaces; nil if nothing changed.
    /// If the hosts are unchanged, equal applications are shared, and their cached responses stay valid; otherwise
    /// all are replaced, because any host may lead elsewhere.
    private func succession(
        from current: ApplicationDirectory, to candidates: [ServedApplication], _ unreadable: [UnreadableApplication]
    ) -> (ApplicationDirectory?, [ServedApplication]) {
        let fresh = ApplicationDirectory(candidates, defaultBaseURL: defaultBaseURL, unreadable: unreadable)
        guard fresh.leadsLike(current) else { return (fresh, current.applications) }
        let shared = candidates.map { candidate in
            current.application(candidate.id).flatMap { $0.says(the: candidate) ? $0 : nil } ?? candidate
        }
        let replaced = current.applications.filter { old in !shared.contains { $0 === old } }
        if replaced.isEmpty, shared.count == current.applications.count { return (nil, []) }
        return (ApplicationDirectory(shared, defaultBaseURL: defaultBaseURL, unreadable: unreadable), replaced)
    }

    /// Creates or replaces an application.
    package func put(_ definition: ApplicationDefinition, expecting: Int?) async throws(StoreError) -> ApplicationPut {
        let id = definition.application.id
        if directory.current.application(id)?.isReadOnly == true { return .readOnly }
        let claim = claim(to: definition.application.firebase?.apiKeys ?? [])
        if let adminKeyDigest, claim?.digests.contains(adminKeyDigest) == true { return .credentialTaken }
        let outcome = try await store.put(
            stored(definition, from: .api), expecting: expecting, claiming: claim,
            check: { ApplicationLoss(of: $0, by: definition.application).isEmpty })
        switch outcome {
        case .created(let stored):
            // The application is stored even if the default one can't be removed.
            try? await removeUnusedDefault()
            try await refresh()
            return .created(served(stored, definition))
        case .replaced(let stored):
            try await refresh()
            return .replaced(served(stored, definition))
        case .versionMismatch(let current): return .versionMismatch(current: current)
        case .inUse(let use): return .inUse(ApplicationLoss(of: use, by: definition.application).sentences)
        case .hostTaken(let host, let owner): return .hostTaken(host, by: owner)
        case .credentialTaken: return .credentialTaken
        case .slugsClash(let clash): return .slugsClash(clash)
        }
    }

    /// A claim to texts that identify callers; nil for none.
    func claim(to texts: [String]) -> CredentialClaim? {
        guard !texts.isEmpty else { return nil }
        let wanted = Set(texts)
        return CredentialClaim(digests: texts.map { sha256(Array($0.utf8)) }) { [self] stored in
            let known = directory.current.application(stored.id)
            let application =
                known?.version == stored.version
                ? known?.application : read(ApplicationRecord(stored: stored.document).document)
            return !wanted.isDisjoint(with: application?.firebase?.apiKeys ?? [])
        }
    }

    package func delete(_ id: ApplicationID, expecting: Int?) async throws(StoreError) -> ApplicationDeletion {
        if directory.current.application(id)?.isReadOnly == true { return .readOnly }
        switch try await store.deleteApplication(id, expecting: expecting) {
        case .deleted:
            try await refresh()
            return .deleted
        case .unknown: return .unknown
        case .inUse(let links): return .inUse(links: links)
        case .versionMismatch(let current): return .versionMismatch(current: current)
        }
    }

    /// To be put now.
    func stored(_ definition: ApplicationDefinition, from origin: ApplicationRecord.Origin) -> StoredApplication {
        var stored = Self.stored(definition, from: origin)
        stored.changedAt = now()
        return stored
    }

    static func stored(
        _ definition: ApplicationDefinition, from origin: ApplicationRecord.Origin
    ) -> StoredApplication {
        let record = ApplicationRecord(document: definition.document, origin: origin)
        return StoredApplication(
            id: definition.application.id, domains: definition.application.domains,
            otherHosts: definition.application.otherHosts, document: record.stored,
            slugRules: definition.application.slugRules, need: definition.need)
    }

    /// An application as an earlier document has it; nil if the document can't be read.
    func former(_ served: ServedApplication, _ document: [UInt8], version: Int) -> ServedApplication? {
        read(document).map {
            self.served(
                $0, document, version, isReadOnly: served.isReadOnly, blocking.withLock { $0 }, served.longLinks)
        }
    }

    /// The application just written; the snapshot may already have a newer version.
    private func served(_ stored: StoredApplication, _ definition: ApplicationDefinition) -> ServedApplication {
        if let served = directory.current.application(stored.id), served.version == stored.version { return served }
        return served(
            definition.application, definition.document, stored.version, isReadOnly: false, blocking.withLock { $0 },
            stored.longLinks)
    }

    private func served(
        _ application: Application, _ document: [UInt8], _ version: Int, isReadOnly: Bool,
        _ blockedHosts: BlockedHosts, _ longLinks: [HostName: LinkID]
    ) -> ServedApplication {
        ServedApplication(
            application, document: document, version: version, isReadOnly: isReadOnly, defaultBaseURL: defaultBaseURL,
            blockedHosts: blockedHosts, longLinks: longLinks)
    }
}

/// The result of putting an application.
package enum ApplicationPut: Sendable {
    case created(ServedApplication)
    case replaced(ServedApplication)
    case versionMismatch(current: Int?)
    /// The application is from the applications file.
    case readOnly
    /// Another application has the host.
    case hostTaken(HostName, by: ApplicationID)
    /// One of `firebase.apiKeys` is a key, or another application's.
    case credentialTaken
    /// Its links don't meet its slug rules.
    case slugsClash(SlugClash)
    /// Links still use parts that would be removed; one sentence per domain and route.
    case inUse([String])
}

/// The result of deleting an application.
package enum ApplicationDeletion: Sendable, Equatable {
    case deleted
    case unknown
    case readOnly
    case inUse(links: Int)
    case versionMismatch(current: Int)
}

/// The result of applying the applications file.
package enum ApplicationFileOutcome: Sendable, Equatable {
    /// The number of applications created, replaced or removed.
    case applied(changes: Int)
    /// Nothing was changed; one sentence per reason.
    case refused([String])
}

/// An application as submitted: the value and its JSON.
package struct ApplicationDefinition: Sendable, Equatable {
    package var application: Application
    package var document: [UInt8]
    /// What a program must read to read the document; nil if every program can.
    package var need: FormatNeed?

    package init(application: Application, document: [UInt8], need: FormatNeed? = nil) {
        self.application = application
        self.document = document
        self.need = need
    }
}
