import Foundation
import Synchronization

/// The lines of standard input, each as soon as it is complete.
final class MessageLines: Sendable {
    /// In bytes, without the line's end: as for bodies of requests.
    static let limit = 1 << 20
    private static let pieceSize = 65_536

    enum Line: Sendable {
        case message([UInt8])
        /// Longer than `limit`; it was dropped while it was read.
        case tooLong
    }

    private let state = Mutex(State())

    private struct State {
        var buffer: [UInt8] = []
        var isDropping = false
        var isAtEnd = false

        /// The next line if the buffer has its end.
        mutating func line() -> Line? {
            guard let end = buffer.firstIndex(of: UInt8(ascii: "\n")) else {
                if buffer.count > MessageLines.limit { isDropping = true }
                if isDropping { buffer.removeAll() }
                return nil
            }
            let line = Array(buffer[..<end])
            buffer.removeSubrange(...end)
            defer { isDropping = false }
            return isDropping || line.count > MessageLines.limit ? .tooLong : .message(line)
        }
    }

    /// Nil at the end of the input. Blocks; only one call at a time.
    func next() -> Line? {
        state.withLock { state in
            while true {
                while let line = state.line() {
                    if case .message(let text) = line, text.allSatisfy(Self.isBlank) { continue }
                    return line
                }
                if state.isAtEnd { return nil }
                let piece = Self.read()
                if piece.isEmpty {
                    state.isAtEnd = true
                    // A last line needs no end.
                    if !state.buffer.isEmpty { state.buffer.append(UInt8(ascii: "\n")) }
                } else {
                    state.buffer += piece
                }
            }
        }
    }

    private static func isBlank(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x09 || byte == 0x0D }

    /// What is there, as soon as anything is; empty at the end. `FileHandle` would wait for a whole piece.
    private static func read() -> [UInt8] {
        // Safety: the system writes at most `count` bytes into the buffer, and as many are declared initialised.
        unsafe [UInt8](unsafeUninitializedCapacity: pieceSize) { buffer, filled in
            while true {
                let count = unsafe Foundation.read(STDIN_FILENO, buffer.baseAddress, buffer.count)
                if count < 0, errno == EINTR { continue }
                filled = max(count, 0)
                return
            }
        }
    }
}
