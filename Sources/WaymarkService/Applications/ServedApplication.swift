import Synchronization
package import WaymarkLinks

/// An application in a snapshot of the directory; later snapshots share it until something changes that could affect
/// a response.
package final class ServedApplication: Sendable {
    /// The application with the hosts blocked by the operator; one without domains and base URL has the
    /// configuration's base URL on `localhost`.
    package let application: Application
    /// The domains that its links can use, from its own document only: the configuration may change.
    package let linkDomains: [HostName]
    /// The applied JSON.
    package let document: [UInt8]
    /// Incremented by each change; the ETag.
    package let version: Int
    /// The numbers under which clicks on its long links are recorded, by domain.
    package let longLinks: [HostName: LinkID]
    /// The numbers under which clicks are recorded by its rules.
    let clickRules: [ClickRule]
    /// It is from the applications file, so the API can't change it.
    package let isReadOnly: Bool
    /// The generation of the hosts blocked by the operator.
    let blockingGeneration: Int
    private let replaced = Atomic<Bool>(false)

    package init(
        _ application: Application, document: [UInt8], version: Int, isReadOnly: Bool, defaultBaseURL: WebURL? = nil,
        blockedHosts: BlockedHosts = .none, longLinks: [HostName: LinkID] = [:]
    ) {
        let held = application.blocking(blockedHosts.hosts)
        let isNowhere = application.domains.isEmpty && application.baseURL == nil
        self.application = isNowhere ? held.with(baseURL: defaultBaseURL) : held
        linkDomains = application.linkDomains
        clickRules = application.rules.clickRules(numberedAfter: "app/")
        self.document = document
        self.version = version
        self.isReadOnly = isReadOnly
        self.longLinks = longLinks
        blockingGeneration = blockedHosts.generation
    }

    package var id: ApplicationID { application.id }

    /// True once a newer snapshot has replaced it: responses created with it must no longer be served.
    package var isReplaced: Bool { replaced.load(ordering: .acquiring) }

    func markReplaced() {
        replaced.store(true, ordering: .releasing)
        InvalidationEpoch.shared.move()
    }

    /// The domain for a new link: the given one if it belongs to the application, otherwise nil; the first one if
    /// none is given.
    package func domain(given: HostName?) -> HostName? {
        guard let given else { return linkDomains.first }
        return linkDomains.contains(given) ? given : nil
    }

    func says(the same: ServedApplication) -> Bool {
        version == same.version && isReadOnly == same.isReadOnly && document == same.document
            && blockingGeneration == same.blockingGeneration && longLinks == same.longLinks
    }

    /// Whether clicks on its long links can't be recorded on one of its domains.
    var lacksNumbers: Bool { application.servesLongLinks && linkDomains.contains { longLinks[$0] == nil } }
}

extension Application {
    /// Whether its domains serve long links, of Firebase or of Branch.
    package var servesLongLinks: Bool {
        servesBranch || (firebase?.isEnabled == true && firebase?.servesLongLinks == true)
    }

    /// The domains that links of the application can use. If it serves all hosts: the host of its base URL, or
    /// `localhost`.
    package var linkDomains: [HostName] {
        guard domains.isEmpty else { return domains }
        if let host = baseURL?.host { return [host] }
        return HostName("localhost").map { [$0] } ?? []
    }
}
