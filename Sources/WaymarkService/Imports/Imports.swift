import Synchronization
package import WaymarkAPI
package import WaymarkClient
import WaymarkImports
import WaymarkLinks
package import WaymarkStores

/// The imports of this server that run, and the stored ones of all servers.
package final class Imports: Sendable {
    /// Milliseconds without a sign of a server after which its imports count as ended.
    static let lease: Int64 = 15_000

    private let executors = ImportExecutors()
    package let settings: ImportSettings
    /// Asks the services that links are imported from.
    package let client: any HTTPSending
    private let service: LinkService
    /// Identifies this process.
    private let server = String(UInt64.random(in: .min ... .max), radix: 36)
    private let state = Mutex(State())

    private struct State {
        /// By application, or by the ID of a key of all applications.
        var permits: [String: Int] = [:]
        var runs: [String: ImportRun] = [:]
        var isClosed = false
    }

    init(_ settings: ImportSettings, _ service: LinkService, client: any HTTPSending) {
        self.settings = settings
        self.client = client
        self.service = service
    }

    // MARK: Permits

    /// The right to run one import, which ends with the object; nil if there are too many. An application gets no more than it
    /// leaves free for others, but one if there is any.
    package func permit(for key: KeyIdentity) -> ImportPermit? {
        let owner = key.reach(ofOneOf: [.links])?.single.map { "app \($0.text)" } ?? "key \(key.id)"
        let isAdmitted = state.withLock { state in
            let free = settings.running - state.permits.values.reduce(0, +)
            let own = state.permits[owner] ?? 0
            guard !state.isClosed, free > 0, own == 0 || own + 1 <= free - 1 else { return false }
            state.permits[owner] = own + 1
            return true
        }
        return isAdmitted ? ImportPermit(self, owner: owner) : nil
    }

    fileprivate func release(_ owner: String) {
        state.withLock { state in
            let rest = (state.permits[owner] ?? 1) - 1
            state.permits[owner] = rest == 0 ? nil : rest
        }
    }

    // MARK: Running

    package func start(
        _ order: ImportOrder, _ permit: ImportPermit, for key: KeyIdentity
    ) async throws(StoreError) -> ImportResponse {
        let id = service.dependencies.randomBytes(12).reduce(into: "imp_") { id, byte in
            id += byte < 16 ? "0" : ""
            id += String(byte, radix: 16)
        }
        let run = ImportRun(
            id: id, for: key, order, permit, on: server, service, settings, client: client,
            now: service.dependencies.now())
        let isClosed = state.withLock { state in
            state.runs[id] = run
            return state.isClosed
        }
        if isClosed { run.requestStop(because: Self.serverStops) }
        do throws(StoreError) {
            try await service.importRuns.insert(run.stored)
        } catch {
            forget(id)
            throw error
        }
        let executor = executors.take()
        Task(executorPreference: executor) { [self] in
            // The import has entries in the audit, its links have none.
            await AuditCall.$current.withValue(AuditCall.current?.withoutLinks) { await run.run { forget(id) } }
            executors.put(executor)
            // Of no use if the store is not available: the next import does it.
            try? await forgetOld(at: service.dependencies.now())
        }
        return run.response
    }

    private static let serverStops =
        "the server was stopped; send the same import again, what is there is not imported twice"

    private func forget(_ id: String) { state.withLock { $0.runs[id] = nil } }

    /// Deletes what is beyond the limits.
    private func forgetOld(at now: Timestamp) async throws(StoreError) {
        let ids = ImportRetention.surplus(try await service.importRuns.importRuns(), at: now)
        if !ids.isEmpty { try await service.importRuns.forgetImports(ids) }
    }

    /// Starts no further imports, and ends those that run after their current batch. Waits ten seconds for all of them together,
    /// and not again if it is called again.
    package func stop() async {
        let runs = state.withLock { state in
            defer { state.isClosed = true }
            return state.isClosed ? [] : Array(state.runs.values)
        }
        for run in runs { run.requestStop(because: Self.serverStops) }
        let end = ContinuousClock.now + .seconds(10)
        for run in runs { await run.waitForEnd(until: end) }
    }

    // MARK: Reading

    /// Nil if there is none with this ID that the key may see.
    package func find(_ id: String, for key: KeyIdentity) async throws(StoreError) -> StoredImportRun? {
        guard let run = try await service.importRuns.importRun(id), Self.sees(key, run) else { return nil }
        return try await settled(run)
    }

    /// Those that the key may see, the newest first.
    package func list(for key: KeyIdentity) async throws(StoreError) -> [StoredImportRun] {
        var runs: [StoredImportRun] = []
        for run in try await service.importRuns.importRuns() where Self.sees(key, run) {
            runs.append(try await settled(run))
        }
        return runs
    }

    /// Ends all imports whose server is gone, and forgets old ones.
    package func settle() async throws {
        for run in try await service.importRuns.importRuns() { _ = try await settled(run) }
        try await forgetOld(at: service.dependencies.now())
    }

    /// A caller sees its own imports into applications that it may still import into; an administrator sees all of these.
    private static func sees(_ key: KeyIdentity, _ run: StoredImportRun) -> Bool {
        let scope: KeyScope = run.key == key.id ? .links : .admin
        return key.reach(ofOneOf: [scope])?.contains(ApplicationID(run.application)) ?? false
    }

    package func response(_ run: StoredImportRun) -> ImportResponse {
        if let running = local(run.id) { return running.response }
        var response =
            ImportResponse(json: run.state)
            ?? ImportResponse(
                id: run.id, source: "", app: run.application, domain: nil, dryRun: false, state: .failed,
                error: "its state is damaged", createdAt: run.createdAt.rfc3339, endedAt: run.createdAt.rfc3339,
                counts: .init(), fileBytes: 0, fileBytesRead: 0, isReportComplete: false)
        if run.isStopRequested, response.state == .running { response.state = .stopping }
        return response
    }

    /// One that runs on this server.
    func local(_ id: String) -> ImportRun? { state.withLock { $0.runs[id] } }

    /// The run, which is ended first if its server is gone: a process that ended, or that can't reach the store.
    private func settled(_ run: StoredImportRun) async throws(StoreError) -> StoredImportRun {
        let now = service.dependencies.now()
        guard run.endedAt == nil, local(run.id) == nil,
            // Without other servers it was another process.
            !service.isStoreShared || run.server == server || now.rawValue - run.seenAt.rawValue > Self.lease
        else { return run }
        var response = response(run)
        response.state = .failed
        response.error =
            "the server that ran it ended after about \(response.counts.rows) rows; send the same import again, what is there is not imported twice"
        response.endedAt = now.rfc3339
        if try await service.importRuns.abandon(run, state: response.json, at: now) {
            await Self.publish(response, at: now, service)
        }
        return try await service.importRuns.importRun(run.id) ?? run
    }

    /// Of no use if the store is not available.
    static func publish(_ response: ImportResponse, at now: Timestamp, _ service: LinkService) async {
        guard !response.dryRun, let application = ApplicationID(response.app) else { return }
        let counts = response.counts
        try? await service.webhooks.publish([
            OutboxEvent(
                .importFinished, of: application, at: now,
                [
                    .init("id", response.id), .init("source", response.source),
                    .init("state", response.state.rawValue), .init("created", .number(Int64(counts.created))),
                    .init("same", .number(Int64(counts.same))), .init("clash", .number(Int64(counts.clash))),
                    .init("refused", .number(Int64(counts.refused))),
                ])
        ])
    }

    // MARK: Stopping one

    /// Returns once it has ended, after five seconds at most.
    package func stop(_ run: StoredImportRun) async throws(StoreError) {
        guard try await service.importRuns.requestStop(ofImport: run.id) else { return }
        if let running = local(run.id) {
            running.requestStop()
            return await running.waitForEnd(until: .now + .seconds(5))
        }
        // Its server asks the store once a second.
        for _ in 0..<25 {
            guard let found = try await service.importRuns.importRun(run.id), found.endedAt == nil else { return }
            try? await Task.sleep(for: .milliseconds(200))
        }
    }

    // MARK: Reports

    /// Stores the rows so far, if it runs on this server, so that its report has them.
    package func writeReport(of run: StoredImportRun) async { await local(run.id)?.tryToWrite() }
}

/// The right to run one import.
package final class ImportPermit: Sendable {
    private let imports: Imports
    private let owner: String

    init(_ imports: Imports, owner: String) {
        self.imports = imports
        self.owner = owner
    }

    deinit { imports.release(owner) }
}
