import Synchronization
package import WaymarkLinks

/// An application as it stands in a snapshot of the directory; the next snapshots share it while nothing that could
/// change an answer has changed.
package final class ServedApplication: Sendable {
    /// As it was applied, under the hosts that the operator blocks; one that names neither domain nor base URL has the
    /// configuration's base URL on `localhost`.
    package let application: Application
    /// The domains that its links can stand on, by what it says itself; never those of a configuration that may change.
    package let linkDomains: [HostName]
    /// The JSON that was applied.
    package let document: [UInt8]
    /// Moves with each change; the ETag.
    package let version: Int
    /// It comes from the applications file, and the interface can't change it.
    package let isReadOnly: Bool
    /// Of the hosts that the operator blocks.
    let blockingGeneration: Int
    private let replaced = Atomic<Bool>(false)

    package init(
        _ application: Application, document: [UInt8], version: Int, isReadOnly: Bool, defaultBaseURL: WebURL? = nil,
        blockedHosts: BlockedHosts = .none
    ) {
        let held = application.blocking(blockedHosts.hosts)
        let isNowhere = application.domains.isEmpty && application.baseURL == nil
        self.application = isNowhere ? held.with(baseURL: defaultBaseURL) : held
        linkDomains = application.linkDomains
        self.document = document
        self.version = version
        self.isReadOnly = isReadOnly
        blockingGeneration = blockedHosts.generation
    }

    package var id: ApplicationID { application.id }

    /// True once a newer snapshot has something else in its place: what was made with it must not be served any more.
    package var isReplaced: Bool { replaced.load(ordering: .acquiring) }

    func markReplaced() {
        replaced.store(true, ordering: .releasing)
        InvalidationEpoch.shared.move()
    }

    /// The domain for a new link: the one given where it belongs to the application, else nil; the first where none is
    /// given.
    package func domain(given: HostName?) -> HostName? {
        guard let given else { return linkDomains.first }
        return linkDomains.contains(given) ? given : nil
    }

    func says(the same: ServedApplication) -> Bool {
        version == same.version && isReadOnly == same.isReadOnly && document == same.document
            && blockingGeneration == same.blockingGeneration
    }
}

extension Application {
    /// The domains that links of the application can stand on: of one that serves every host, the host of its base
    /// URL, else `localhost`.
    package var linkDomains: [HostName] {
        guard domains.isEmpty else { return domains }
        if let host = baseURL?.host { return [host] }
        return HostName("localhost").map { [$0] } ?? []
    }
}
