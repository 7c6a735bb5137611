import Synchronization
import WaymarkAPI
import WaymarkImports
import WaymarkLinks
import WaymarkServer
import WaymarkService
import WaymarkStores

/// One import, from its start until it is forgotten.
final class ImportRun: Sendable {
    private struct Progress {
        var state = ImportResponse.State.running
        var counts = ImportCounts()
        var error: String?
        var endedAt: Timestamp?
    }

    let id: String
    /// The ID of the key that started it, and alone may see it.
    let keyID: String
    private let order: Mutex<ImportOrder?>
    private let description: ImportResponse
    private let report: ImportReportFile
    private let progress = Mutex(Progress())
    private let bytesRead = Atomic<Int>(0)
    private let stopRequested = Atomic<Bool>(false)

    init(id: String, keyID: String, _ order: ImportOrder, _ report: ImportReportFile, now: Timestamp) {
        self.id = id
        self.keyID = keyID
        self.order = Mutex(order)
        self.report = report
        description = ImportResponse(
            id: id, source: order.service.rawValue, app: order.destination.application.id.text,
            domain: order.domain?.text, dryRun: order.isDryRun, state: .running, error: nil, createdAt: now.rfc3339,
            endedAt: nil, counts: .init(), fileBytes: order.files.reduce(0) { $0 + $1.bytes }, fileBytesRead: 0,
            isReportComplete: true)
    }

    var hasEnded: Bool { progress.withLock { $0.endedAt != nil } }
    var reportBytes: Int { report.bytes }
    var isStopped: Bool { stopRequested.load(ordering: .relaxed) }
    var openReport: ImportReportFile { report }

    var response: ImportResponse {
        var response = description
        response.fileBytesRead = min(response.fileBytes, bytesRead.load(ordering: .relaxed))
        response.isReportComplete = report.isComplete
        progress.withLock { progress in
            response.state = progress.state == .running && isStopped ? .stopping : progress.state
            response.error = progress.error
            response.endedAt = progress.endedAt?.rfc3339
            let counts = progress.counts
            response.counts = .init(
                rows: counts.rows, created: counts.created, same: counts.same, clash: counts.clash,
                refused: counts.refused)
        }
        return response
    }

    /// It ends after the batch that is being written.
    func requestStop() { stopRequested.store(true, ordering: .relaxed) }

    /// Waits until it has ended, but at most so many seconds: a service that it reads from may not answer.
    func waitForEnd(seconds: Int) async {
        let end = ContinuousClock.now + .seconds(seconds)
        while !hasEnded, ContinuousClock.now < end { try? await Task.sleep(for: .milliseconds(10)) }
    }

    /// To be called once, as a task on the executor for imports.
    func run(_ service: LinkService, _ environment: (any ImportEnvironment)?) async {
        // Taken out, so that uploaded files are deleted when it ends.
        guard let order = order.withLock({ $0.take() }) else { return }
        var reason: String?
        do {
            let source = try await source(order, environment)
            let work = LinkImport(
                into: ServiceImportTarget(service), order.destination.preparation, isDryRun: order.isDryRun)
            _ = try await work.run(
                from: source,
                report: { results in
                    report.append(results)
                    progress.withLock { progress in
                        for result in results { progress.counts.add(result.outcome) }
                    }
                }, isStopped: { isStopped })
        } catch let failure as SourceError {
            reason = failure.description
        } catch is CancellationError {
            // A pause was ended by a stop.
        } catch {
            reason = "the store is not available; send the same import again later, what is there is not imported twice"
        }
        let now = service.dependencies.now()
        let (state, counts) = progress.withLock { progress in
            progress.state = isStopped ? .stopped : reason == nil ? .finished : .failed
            progress.error = isStopped ? nil : reason
            progress.endedAt = now
            return (progress.state, progress.counts)
        }
        guard !order.isDryRun else { return }
        // Of no use if the store is not available: the imports of a server end with it, too.
        try? await service.webhooks.publish([
            OutboxEvent(
                .importFinished, of: order.destination.application.id, at: now,
                [
                    .init("id", id), .init("source", description.source), .init("state", state.rawValue),
                    .init("created", .number(Int64(counts.created))), .init("same", .number(Int64(counts.same))),
                    .init("clash", .number(Int64(counts.clash))), .init("refused", .number(Int64(counts.refused))),
                ])
        ])
    }

    private func source(
        _ order: ImportOrder, _ environment: (any ImportEnvironment)?
    ) async throws -> any LinkSource {
        let fetching = order.access == nil ? nil : environment?.fetching { [self] in isStopped }
        guard !order.files.isEmpty else {
            guard let access = order.access, let fetching else { throw SourceError("give a file") }
            return try order.service.links(of: access, time: order.time, over: fetching)
        }
        if order.service == .kutt,
            let database = try environment?.database(
                at: order.files.map(\.spool.path), time: order.time, isStopped: { [self] in isStopped })
        {
            return database
        }
        let files = order.files.map { file in
            ForeignFile(name: file.name) { [self] in reader(of: file) }
        }
        var lookup: BranchLookup?
        if let access = order.access, let fetching {
            lookup = try order.service.branchLookup(access, order.time, over: fetching)
        }
        return try await order.service.links(in: files, map: order.columns, time: order.time, branchLinks: lookup)
    }

    private func reader(of file: ImportForm.File) -> PieceReader {
        var offset = 0
        return { [self] in
            do throws(SpoolFile.Failure) {
                let piece = try file.spool.read(at: offset)
                offset += piece.count
                bytesRead.add(piece.count, ordering: .relaxed)
                return piece
            } catch {
                throw SourceError("\(file.name): the file can't be read")
            }
        }
    }
}
