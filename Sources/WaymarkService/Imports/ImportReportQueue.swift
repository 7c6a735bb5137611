import Synchronization
import WaymarkImports
import WaymarkStores

/// The lines of a report that are not stored yet, and how many pieces are: a million lines are too many for memory.
final class ImportReportQueue: Sendable {
    /// Bytes of a report; about half a million rows. Rows beyond it are only counted.
    static let limit = 64 << 20
    /// Bytes of a piece, and of the lines that may wait.
    static let pieceLimit = 1 << 20

    private struct State {
        var lines: [UInt8] = []
        var bytes = 0
        var isComplete = true
        var number = 0
        /// On its way to the store, which may have it already.
        var underway: ImportRunStep.Piece?
    }

    private let state = Mutex(State())

    var isComplete: Bool { state.withLock { $0.isComplete } }
    var isFull: Bool { state.withLock { $0.lines.count >= Self.pieceLimit } }

    /// Appends rows in order; after one that there is no room for, none is.
    func append(_ results: [ImportResult]) {
        var lines: [UInt8] = []
        ImportReport.append(results, to: &lines)
        append(lines)
    }

    func append(notes: [String]) {
        var lines: [UInt8] = []
        ImportReport.append(notes: notes, to: &lines)
        append(lines)
    }

    private func append(_ lines: [UInt8]) {
        state.withLock { state in
            guard state.isComplete else { return }
            state.isComplete = state.bytes + lines.count <= Self.limit
            guard state.isComplete else { return }
            state.bytes += lines.count
            state.lines += lines
        }
    }

    /// The piece to be stored, the same until it is settled, and whether nothing waits behind it.
    func next() -> (piece: ImportRunStep.Piece?, isLast: Bool) {
        state.withLock { state in
            if state.underway == nil, !state.lines.isEmpty {
                state.underway = .init(number: state.number, bytes: Array(state.lines.prefix(Self.pieceLimit)))
                state.lines.removeFirst(min(Self.pieceLimit, state.lines.count))
            }
            return (state.underway, state.lines.isEmpty)
        }
    }

    func settle(_ piece: ImportRunStep.Piece?) {
        guard piece != nil else { return }
        state.withLock { state in
            state.underway = nil
            state.number += 1
        }
    }
}
