import Synchronization
import WaymarkAPI
import WaymarkClient
import WaymarkImports
import WaymarkLinks
import WaymarkStores

/// One import, on the server that runs it, from its start until its end is stored.
final class ImportRun: Sendable {
    private struct Progress {
        var counts = ImportCounts()
        var notes: [String] = []
        /// Why it ends before its source, unless its caller stopped it.
        var reason: String?
        var hasEnded = false
    }

    /// How an import ended.
    private struct End {
        var state: ImportResponse.State
        var error: String?
        var at: Timestamp
    }

    /// Milliseconds without the store after which it ends; less than `Imports.lease`.
    private static let patience: Int64 = 10_000
    /// How often its end is written, once a second, while the store is unavailable.
    private static let attempts = 10

    let id: String
    private let key: KeyIdentity
    private let server: String
    private let service: LinkService
    private let client: any HTTPSending
    private let database: ImportSettings.OpenDatabase?
    private let order: Mutex<ImportOrder?>
    private let description: ImportResponse
    private let application: ApplicationID
    private let createdAt: Timestamp
    /// Of `uptime`; nil: it reads files.
    private let deadline: Int64?
    private let rowLimit: Int
    private let report = ImportReportQueue()
    private let progress = Mutex(Progress())
    private let bytesRead = Atomic<Int>(0)
    private let stopRequested = Atomic<Bool>(false)
    private let isLost = Atomic<Bool>(false)
    /// Since when the store is unavailable, of `uptime`; 0: it is not.
    private let failingSince = Atomic<Int64>(0)
    private let writing = AsyncMutex()
    /// Its place, which requests under way keep, too.
    private let permit: ImportPermit

    init(
        id: String, for key: KeyIdentity, _ order: ImportOrder, _ permit: ImportPermit, on server: String,
        _ service: LinkService, _ settings: ImportSettings, client: any HTTPSending, now: Timestamp
    ) {
        self.id = id
        self.permit = permit
        self.key = key
        self.server = server
        self.service = service
        self.client = client
        database = settings.database
        self.order = Mutex(order)
        application = order.destination.application.id
        createdAt = now
        let isFromService = order.files.isEmpty
        deadline =
            isFromService ? service.dependencies.uptime() + Int64(settings.serviceSeconds) * 1_000 : nil
        rowLimit = settings.rows
        description = ImportResponse(
            id: id, source: order.service.rawValue, app: application.text, domain: order.domain?.text,
            dryRun: order.isDryRun, state: .running, error: nil, createdAt: now.rfc3339, endedAt: nil, counts: .init(),
            fileBytes: order.files.reduce(0) { $0 + $1.bytes }, fileBytesRead: 0, isReportComplete: true)
    }

    var hasEnded: Bool { progress.withLock { $0.hasEnded } }
    var response: ImportResponse { response(nil) }
    var stored: StoredImportRun {
        StoredImportRun(
            id: id, key: key.id, application: application.text, server: server, createdAt: createdAt,
            state: response.json)
    }

    private func response(_ end: End?) -> ImportResponse {
        var response = description
        response.fileBytesRead = min(response.fileBytes, bytesRead.load(ordering: .relaxed))
        response.isReportComplete = report.isComplete
        let (counts, notes) = progress.withLock { ($0.counts, $0.notes) }
        response.notes = notes
        response.counts = .init(
            rows: counts.rows, created: counts.created, same: counts.same, clash: counts.clash,
            refused: counts.refused)
        response.state = end?.state ?? (stopRequested.load(ordering: .relaxed) ? .stopping : .running)
        response.error = end?.error
        response.endedAt = end?.at.rfc3339
        return response
    }

    // MARK: Stopping

    /// It ends before its next row, or after the batch that is being written.
    ///
    /// - Parameter reason: nil: a caller asked for it.
    func requestStop(because reason: String? = nil) {
        if !stopRequested.load(ordering: .relaxed), let reason { progress.withLock { $0.reason = reason } }
        stopRequested.store(true, ordering: .relaxed)
    }

    /// Whether it has to end, because somebody asked for it, or because what it was started with holds no longer.
    private var mustEnd: Bool {
        if stopRequested.load(ordering: .relaxed) { return true }
        if !service.keys.isValid(key) {
            requestStop(
                because: key.sessionID == nil
                    ? "the API key that started it was revoked or has expired; send the same import with another key"
                    : "the session that started it has ended; sign in and send the same import again")
        } else if service.applications.directory.current.application(application) == nil {
            requestStop(because: "the application was deleted")
        } else if let deadline, service.dependencies.uptime() > deadline {
            requestStop(because: "the service did not come to an end in time; rows that were imported stay")
        }
        return stopRequested.load(ordering: .relaxed)
    }

    /// Waits until it has ended, but not longer.
    func waitForEnd(until end: ContinuousClock.Instant) async {
        while !hasEnded, ContinuousClock.now < end { try? await Task.sleep(for: .milliseconds(10)) }
    }

    // MARK: Running

    /// To be called once, as a task on its executor.
    ///
    /// - Parameter forget: called once its end is stored, or can't be.
    func run(forget: () -> Void) async {
        // Taken out, so that uploaded files are deleted when it ends.
        guard let order = order.withLock({ $0.take() }) else { return }
        // Not on its executor, whose thread may be in a long read.
        let heart = Task.detached(priority: .utility) { [weak self] in
            while !Task.isCancelled {
                try? await Task.sleep(for: .seconds(1))
                guard let self, !Task.isCancelled else { return }
                _ = mustEnd
                await tryToWrite()
            }
        }
        let failure = await work(order)
        heart.cancel()
        await heart.value
        let end = progress.withLock { progress in
            let now = service.dependencies.now()
            if let reason = progress.reason { return End(state: .failed, error: reason, at: now) }
            if stopRequested.load(ordering: .relaxed) { return End(state: .stopped, error: nil, at: now) }
            return End(state: failure == nil ? .finished : .failed, error: failure, at: now)
        }
        for attempt in 1...Self.attempts {
            do {
                try await write(end)
                break
            } catch {
                if attempt < Self.attempts { try? await Task.sleep(for: .seconds(1)) }
            }
        }
        forget()
        if !isLost.load(ordering: .relaxed) { await Imports.publish(response(end), at: end.at, service) }
        progress.withLock { $0.hasEnded = true }
    }

    /// Nil if all rows were read.
    private func work(_ order: ImportOrder) async -> String? {
        do {
            let source = Source(try await source(order), for: self)
            let preparation = order.destination.preparation
            defer { keepNotes(source.notes + preparation.notes(about: order.service)) }
            let work = LinkImport(
                into: ServiceImportTarget(service, mayWrite: { [self] in !mustEnd }), preparation,
                isDryRun: order.isDryRun)
            _ = try await work.run(
                from: source, again: { [self] in Source(try await self.source(order), for: self) },
                report: { results in
                    report.append(results)
                    progress.withLock { progress in
                        for result in results { progress.counts.add(result.outcome) }
                    }
                }, isStopped: { mustEnd })
        } catch let failure as SourceError {
            return failure.description
        } catch is CancellationError {
            // It was stopped.
        } catch StoreError.upgradePending(let pending) {
            return pending.sentence
        } catch StoreError.full(let sentence) {
            return sentence
        } catch {
            return Self.storeProblem
        }
        return nil
    }

    private func keepNotes(_ notes: [String]) {
        report.append(notes: notes)
        progress.withLock { $0.notes = notes }
    }

    private static let storeProblem =
        "the store is not available; send the same import again later, what is there is not imported twice"

    /// The rows of a source, as long as there are not too many and their results are stored.
    private final class Source: LinkSource {
        private let rows: any LinkSource
        private let run: ImportRun
        private var count = 0

        init(_ rows: any LinkSource, for run: ImportRun) {
            self.rows = rows
            self.run = run
        }

        var total: Int? { rows.total }
        var isRepeatable: Bool { rows.isRepeatable }
        var notes: [String] { rows.notes }

        func next() async throws -> [SourceRow] {
            while run.report.isFull, !run.mustEnd {
                if await !run.tryToWrite() { try await Task.sleep(for: .milliseconds(200)) }
            }
            let next = try await rows.next()
            count += next.count
            guard count <= run.rowLimit else {
                throw SourceError("the source has more than \(run.rowLimit) links; rows that were imported stay")
            }
            return next
        }
    }

    private func source(_ order: ImportOrder) async throws -> any LinkSource {
        let connection = ServiceConnection(client) { [self] in mustEnd }
        guard !order.files.isEmpty else {
            guard let access = order.access else { throw SourceError("give a file") }
            return try order.service.links(of: access, time: order.time, over: connection)
        }
        if order.service == .kutt,
            let database = try database?(order.files.map(\.path), order.time, { [self] in mustEnd })
        {
            return database
        }
        let files = order.files.map { file in
            ForeignFile(name: file.name, reopen: { [self] in reader(of: file) }) { [self] in reader(of: file) }
        }
        var lookup: BranchLookup?
        if let access = order.access {
            lookup = try order.service.branchLookup(access, order.time, over: connection)
        }
        return try await order.service.links(in: files, map: order.columns, time: order.time, branchLinks: lookup)
    }

    private func reader(of file: ImportedFile) -> PieceReader {
        var offset = 0
        return { [self] in
            // Reached within a long record, too.
            if mustEnd { throw CancellationError() }
            do {
                let piece = try file.read(offset)
                offset += piece.count
                bytesRead.add(piece.count, ordering: .relaxed)
                return piece
            } catch {
                throw SourceError("\(file.name): the file can't be read")
            }
        }
    }

    // MARK: Storing

    /// Stores the rows so far; false if the store is unavailable.
    @discardableResult
    func tryToWrite() async -> Bool {
        do throws(StoreError) {
            try await write(nil)
            failingSince.store(0, ordering: .relaxed)
            return true
        } catch {
            let now = max(1, service.dependencies.uptime())
            let since = failingSince.load(ordering: .relaxed)
            if since == 0 { failingSince.store(now, ordering: .relaxed) }
            if since != 0, now - since > Self.patience { requestStop(because: Self.storeProblem) }
            return false
        }
    }

    private func write(_ end: End?) async throws(StoreError) {
        try await writing.withTurn { [self] () async throws(StoreError) in
            while !isLost.load(ordering: .relaxed) {
                let (piece, isLast) = report.next()
                let answer = try await service.importRuns.advance(
                    ImportRunStep(
                        id: id, server: server, now: service.dependencies.now(), state: response(end).json,
                        hasEnded: end != nil && isLast, piece: piece))
                report.settle(piece)
                switch answer {
                case .goOn: break
                case .stop: requestStop()
                case .lost:
                    isLost.store(true, ordering: .relaxed)
                    requestStop(because: "another server has ended it, because this one was silent for too long")
                }
                if isLast { return }
            }
        }
    }
}
