import Logging
import Synchronization
import WaymarkAPI
import WaymarkHTTP
import WaymarkServer
import WaymarkService

/// The imports of this server: those that run, and the last ones that ended.
package final class Imports: Sendable {
    /// Imports that have ended and can still be read.
    static let endedLimit = 50
    /// Bytes of the reports of those.
    static let endedReportBytes = 512 << 20

    let executor = ImportExecutor()
    private let settings: ImportSettings
    private let state = Mutex(State())

    private struct State {
        /// By the ID of the key.
        var permits: [String: Int] = [:]
        var runs: [ImportRun] = []
        var isClosed = false

        mutating func forgetOldest() {
            var ended = 0
            var bytes = 0
            var kept: [ImportRun] = []
            for run in runs.reversed() {
                if run.hasEnded {
                    ended += 1
                    bytes += run.reportBytes
                    guard ended <= Imports.endedLimit, bytes <= Imports.endedReportBytes else { continue }
                }
                kept.append(run)
            }
            runs = kept.reversed()
        }
    }

    init(_ settings: ImportSettings) { self.settings = settings }

    /// Deletes files that a process left behind which was killed.
    package func removeAbandonedFiles() -> Int { SpoolFile.removeAbandoned(in: settings.folder) }

    /// The right to run one import, which ends with the object; nil if there are too many.
    func permit(for key: KeyIdentity) -> ImportPermit? {
        let isAdmitted = state.withLock { state in
            let all = state.permits.values.reduce(0, +)
            let own = state.permits[key.id] ?? 0
            guard !state.isClosed, all < settings.running, own < max(1, settings.running / 2) else { return false }
            state.permits[key.id] = own + 1
            return true
        }
        return isAdmitted ? ImportPermit(self, keyID: key.id) : nil
    }

    fileprivate func release(_ keyID: String) {
        state.withLock { state in
            let rest = (state.permits[keyID] ?? 1) - 1
            state.permits[keyID] = rest == 0 ? nil : rest
        }
    }

    static func tooMany(_ fields: HeaderFields = HeaderFields()) -> Response {
        var all = fields
        all.append(.retryAfter, 10)
        return .problem(
            Problem(.rateLimited, "Too many imports run already; wait until one has ended, or stop one."), fields: all)
    }

    /// - Throws: `Problem` if the report can't be stored.
    func start(_ order: ImportOrder, _ permit: ImportPermit, for key: KeyIdentity, _ site: Site) throws(Problem)
        -> ImportRun
    {
        let report: ImportReportFile
        do throws(SpoolFile.Failure) {
            report = try ImportReportFile(in: settings.folder)
        } catch {
            site.logger.warning("the report of an import can't be stored in \(settings.folder): error \(error.code)")
            throw error.isDiskFull
                ? Problem(.overloaded, "The server has no space left for the report; try again later.")
                : Problem(.internalError, "The server can't store the report.")
        }
        let id = site.service.dependencies.randomBytes(12).reduce(into: "imp_") { id, byte in
            id += byte < 16 ? "0" : ""
            id += String(byte, radix: 16)
        }
        let run = ImportRun(id: id, keyID: key.id, order, report, now: site.now)
        state.withLock { state in
            state.runs.append(run)
            state.forgetOldest()
        }
        let environment = settings.environment
        let service = site.service
        Task(executorPreference: executor) {
            await run.run(service, environment)
            withExtendedLifetime(permit) {}
        }
        return run
    }

    /// Nil for one of another key.
    func run(_ id: String, for key: KeyIdentity) -> ImportRun? {
        state.withLock { $0.runs.first { $0.id == id && $0.keyID == key.id } }
    }

    /// The newest first.
    func runs(for key: KeyIdentity) -> [ImportRun] {
        state.withLock { $0.runs.filter { $0.keyID == key.id }.reversed() }
    }

    /// Starts no further imports, and ends those that run after their current batch.
    package func stop() async {
        let runs = state.withLock { state in
            state.isClosed = true
            return state.runs
        }
        for run in runs { run.requestStop() }
        for run in runs { await run.waitForEnd(seconds: 10) }
    }
}

/// The right to run one import.
final class ImportPermit: Sendable {
    private let imports: Imports
    private let keyID: String

    init(_ imports: Imports, keyID: String) {
        self.imports = imports
        self.keyID = keyID
    }

    deinit { imports.release(keyID) }
}
