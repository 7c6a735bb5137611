import Synchronization
import WaymarkImports
import WaymarkServer

/// The report of one import, in a temporary file: a million rows are too many for memory.
final class ImportReportFile: Sendable {
    /// Bytes; about a million rows. Rows beyond it are only counted.
    static let limit = 128 << 20

    private let spool: SpoolFile
    private let state = Mutex((bytes: 0, isComplete: true))

    init(in folder: String) throws(SpoolFile.Failure) {
        spool = try SpoolFile(in: folder)
        try spool.append(Array(ImportReport.header.utf8)[...])
    }

    var bytes: Int { state.withLock { $0.bytes } }
    var isComplete: Bool { state.withLock { $0.isComplete } }

    /// Appends rows in order; after one that can't be stored, none is.
    func append(_ results: [ImportResult]) {
        guard isComplete else { return }
        var lines: [UInt8] = []
        ImportReport.append(results, to: &lines)
        let isStored: Bool
        do throws(SpoolFile.Failure) {
            if bytes + lines.count <= Self.limit {
                try spool.append(lines[...])
                isStored = true
            } else {
                isStored = false
            }
        } catch {
            isStored = false
        }
        let count = lines.count
        state.withLock { state in
            if isStored { state.bytes += count } else { state.isComplete = false }
        }
    }

    /// With the rows so far; nil if the file can't be opened.
    func opened() -> OpenFile? { spool.opened() }
}
