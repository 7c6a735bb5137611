import Foundation
import Logging
import WaymarkAPI
import WaymarkArchive
import WaymarkLinks
import WaymarkService
import WaymarkSite
import WaymarkSockets
import WaymarkStores
import WaymarkTLS

/// The store, the service and its background work, built from a configuration; shared by the server and the command
/// line.
struct ServiceAssembly {
    let store: any SealingStore
    let service: LinkService
    let background: BackgroundWork

    /// Why the store could not be read yet; nil if it was.
    let absence: StoreError?

    /// Opens the store, loads its data and applies the applications file.
    ///
    /// - Parameters:
    ///   - isPatient: whether an unreachable database server is acceptable. Then `load` must be called until it
    ///     succeeds.
    ///   - now: the time.
    ///   - onMigration: receives a sentence when a migration of the tables begins and when it has ended.
    init(
        _ configuration: Configuration, logger: Logger, isPatient: Bool = false,
        now: @escaping @Sendable () -> Timestamp = { Timestamp(rawValue: WallClock.milliseconds()) },
        onMigration: @escaping @Sendable (_ sentence: String) -> Void
    ) async throws {
        let port = configuration.listen.lazy.compactMap(\.port).first
        let definitions =
            configuration.isDemo
            ? try DemoLinks.applications(port: port)
            : try ApplicationsFile.read(configuration.applicationsFile)
        let blockedHosts = try BlockedHostsFile.read(configuration.blockedHostsFile)
        let countries = try CountryFileSetting.lookup(configuration.countryFile)
        let clickHouse = try configuration.clickHouseClient()
        let store = try configuration.database.open(metadataKeys: MetadataKeyRing(), isPatient: isPatient) { change in
            if let sentence = change.sentence { onMigration(sentence) }
        }
        var settings = ServiceConfiguration()
        settings.cacheBytes = configuration.cacheBytes / 2
        settings.staleness = Int64(configuration.staleSeconds) * 1_000
        settings.minimumFreeDisk = configuration.minimumFreeDisk
        settings.auditRetentionDays = configuration.audit.retentionDays
        settings.clickRetentionDays = configuration.clicks.retentionDays
        settings.clickTotalsRetentionDays = configuration.clicks.totalsRetentionDays
        settings.recordsClicks = configuration.clicks.record && configuration.clicks.detail != .countOnly
        settings.tellsVisitorsApart = configuration.clicks.visitors && configuration.clicks.detail == .full
        settings.clickJournalInterval = .seconds(configuration.clicks.flushSeconds)
        settings.clickSpool = configuration.clickSpool()
        settings.clickSpoolBytes = configuration.clicks.spoolBytes
        settings.adminKey = configuration.adminKey
        settings.blockedHosts = blockedHosts
        settings.defaultBaseURL = port.flatMap { WebURL("http://localhost:\($0)") }
        var dependencies = ServiceDependencies(
            now: now, randomBytes: { SecureRandom.bytes(count: $0) }, sha256: { SHA256.digest(of: $0) })
        dependencies.coarseNow = { Timestamp(rawValue: WallClock.recentMilliseconds()) }
        dependencies.yieldToOthers = { _ = sched_yield() }
        dependencies.derivePasswordKey = { password, salt, parameters in
            Scrypt.key(
                of: password, salt: salt, costBits: parameters.costBits, blockSize: parameters.blockSize,
                parallelism: parameters.parallelism, count: LinkPassword.keyCount)
        }
        dependencies.clickHouse = clickHouse.map { ClickHouseReader($0, logger: logger) }
        let service = LinkService(
            store: store, documents: SealedDocuments(store), configuration: settings, dependencies: dependencies,
            readApplication: { ApplicationDocument.application($0) }, logger: logger)
        service.countries.use(countries)
        self.store = store
        self.service = service
        var work = BackgroundWork.Settings()
        work.imports = configuration.importSettings
        work.metadataKeys = store.metadataKeys
        work.client = configuration.client
        work.verification = configuration.verificationSettings
        work.shipping = clickHouse.map { (store, $0) }
        background = BackgroundWork(of: service, work, message: EventMessage.body, logger: logger)
        do {
            absence = try await Self.load(service, in: store, definitions, from: configuration, isPatient: isPatient)
        } catch {
            await store.close()
            throw error
        }
    }

    /// Loads the store and applies the applications file, if the store can be reached.
    ///
    /// - Returns: why the store can't be reached, if `isPatient`.
    /// - Throws: `CommandFailure`.
    static func load(
        _ service: LinkService, in store: any SealingStore, _ definitions: [ApplicationDefinition],
        from configuration: Configuration, isPatient: Bool
    ) async throws -> StoreError? {
        do {
            try await useAsIs(configuration.metadataKeys, in: store)
            try await refuseUnfinishedImport(into: store)
            try await service.load(serving: false)
            try await apply(definitions, from: configuration, to: service)
            if try await store.secrets(prefix: ApplicationRegistry.usedSecret).isEmpty,
                let first = ApplicationDocument.firstApplication
            {
                try await service.applications.makeDefault(first)
            }
        } catch let error as StoreError {
            return try passing(error, configuration, isPatient: isPatient)
        }
        service.beginServing()
        return nil
    }

    private static func passing(
        _ error: StoreError, _ configuration: Configuration, isPatient: Bool
    ) throws -> StoreError {
        // Only a server can become available again; a file exists or not.
        if isPatient, configuration.database.isOnServer, error.mayPass { return error }
        throw CommandFailure(error)
    }

    /// Applies the applications of the file, which become the read-only ones.
    ///
    /// - Throws: `StoreError`, and `CommandFailure` if the file is rejected.
    static func apply(
        _ definitions: [ApplicationDefinition], from configuration: Configuration, to service: LinkService
    ) async throws {
        let outcome = try await service.applications.apply(file: definitions)
        guard case .refused(let problems) = outcome else { return }
        let file = configuration.applicationsFile ?? "no applications file"
        throw CommandFailure.usage("\(file): \(problems.joined(separator: "; "))")
    }

    /// Sentences about destinations of applications that the operator blocks; links skip these.
    static func blockedDestinations(of service: LinkService) -> [String] {
        let problems = service.applications.directory.current.applications.flatMap { served in
            let application = ApplicationDocument.application(served.document) ?? served.application
            let check = DestinationCheck(policy: served.application.destinations)
            return application.destinationProblems(check).map {
                "application \(served.id.text): \($0.field) \($0.problem)"
            }
        }
        let shown = problems.prefix(10)
        return shown + (problems.count > shown.count ? ["and \(problems.count - shown.count) more"] : [])
    }

    /// Sets the metadata keys.
    ///
    /// - Throws: `CommandFailure` with the ID of a key that the database was sealed with, if it is missing or
    ///   different; then nothing was changed.
    static func use(_ keys: [MetadataKeyValue], in store: any SealingStore) async throws {
        do {
            try await useAsIs(keys, in: store)
        } catch let error as StoreError {
            throw CommandFailure(error)
        }
    }

    /// - Throws: `StoreError`, or `CommandFailure` if the keys are not the right ones.
    private static func useAsIs(_ keys: [MetadataKeyValue], in store: any SealingStore) async throws {
        try await perform(store) { (store) async throws(StoreError) in try await store.use(MetadataKeys(keys)) }
    }

    /// Only checks the keys.
    static func check(_ keys: [MetadataKeyValue], in store: any SealingStore) async throws {
        do {
            try await perform(store) { (store) async throws(StoreError) in
                MetadataKeys(keys).problem(with: try await store.secrets(prefix: MetadataKeys.proofPrefix))
            }
        } catch let error as StoreError {
            throw CommandFailure(error)
        }
    }

    private static func perform(
        _ store: any SealingStore,
        _ look: (any SealingStore) async throws(StoreError) -> MetadataKeyProblem?
    ) async throws {
        if let problem = try await look(store) { throw CommandFailure.usage("metadataKeys: \(problem)") }
    }

    /// A database with an unfinished import has only a part of the links.
    private static func refuseUnfinishedImport(into store: any SealingStore) async throws {
        guard try await store.secrets(prefix: ImportProgress.secretName).isEmpty else {
            throw CommandFailure.failed(ImportProgress.refusal)
        }
    }

    func close() async {
        await background.stop()
        await service.stop()
        await store.close()
    }
}
