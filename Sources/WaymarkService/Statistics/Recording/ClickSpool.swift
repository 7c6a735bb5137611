import Foundation
import Synchronization
import WaymarkBytes
import WaymarkStores

/// Blocks of clicks that the store has not taken, in files beside the database: a bound of bytes, in order, across
/// crashes. A block may be taken twice after a crash; its key keeps the store from adding it twice.
///
/// Each file belongs to one process, which holds its lock; a process takes over what others have left when it starts.
final class ClickSpool: Sendable {
    /// Blocks to be stored, from the oldest file.
    struct Page {
        var blocks: [PackedBlock]
        fileprivate let bytes: Int
    }

    private struct State {
        /// The oldest first.
        var files: [ClickSpoolFile] = []
        /// Whether the last of them was made by this process, and has no damage that blocks could follow.
        var isOpen = false
        /// Why blocks were refused, and why some can't be read.
        var refusal: String?
        var obstacle: String?
        var losses: [String] = []
        /// Numbers of file names, increasing while there are files.
        var lastNumber = 0
    }

    private static let lastNumber = 1_000_000_000

    /// The beginning of the names of its files.
    let path: String
    private let limit: Int
    private let minimumFree: Int
    private let identity: UInt64
    private let state = Mutex(State())

    /// - Parameters:
    ///   - limit: bytes of all files.
    ///   - minimumFree: bytes that are left to the file system, whose other user is the database.
    ///   - identity: of the database; the files of another one are left alone.
    init(path: String, limit: Int, minimumFree: Int, identity: UInt64) {
        self.path = path
        self.limit = limit
        self.minimumFree = minimumFree
        self.identity = identity
    }

    /// Bytes that are not stored yet, or whose files can't be deleted yet.
    var bytes: Int { state.withLock { $0.files.reduce(0) { $0 + $1.size } } }
    var isEmpty: Bool { state.withLock { $0.files.isEmpty } }
    /// Why the last blocks were refused, or the next ones can't be read; nil if neither is so.
    var problem: String? { state.withLock { $0.refusal ?? $0.obstacle } }
    /// Whether it takes blocks; otherwise it only has what was left.
    var isWritable: Bool { limit > 0 }

    /// What was found damaged since the last call, in sentences.
    func takeLosses() -> [String] {
        state.withLock { state in
            defer { state.losses = [] }
            return state.losses
        }
    }

    /// Takes over the files that earlier processes have left.
    ///
    /// - Returns: Sentences about files that are left alone.
    func adopt() -> [String] {
        let prefix = (path as NSString).lastPathComponent + "-"
        let names: [String]
        do {
            names = try FileManager.default.contentsOfDirectory(atPath: path.folderOfPath)
        } catch {
            // Nothing is left where there is no folder.
            if (error as NSError).code == NSFileReadNoSuchFileError { return [] }
            return ["click records of earlier runs are not looked for: \(error.localizedDescription)"]
        }
        let numbers = names.compactMap { name -> Int? in
            guard name.hasPrefix(prefix), let number = Int(name.dropFirst(prefix.count)) else { return nil }
            // Only names that `path` gives: others' files may begin in the same way.
            return 1...Self.lastNumber ~= number && name == "\(prefix)\(number)" ? number : nil
        }.sorted()
        return state.withLock { state in
            var sentences: [String] = []
            for number in numbers {
                state.lastNumber = max(state.lastNumber, number)
                do throws(ClickSpoolFile.Failure) {
                    guard let file = try ClickSpoolFile.adopt(path(number), identity: identity) else { continue }
                    state.files.append(file)
                } catch {
                    sentences.append("click records in \(path(number)) are left there: \(error.reason)")
                }
            }
            return sentences
        }
    }

    /// Adds blocks; they survive a crash when it returns.
    ///
    /// - Returns: False if there is no room, or if they can't be written; then none was added.
    func append(_ blocks: [PackedBlock]) -> Bool {
        state.withLock { state in
            do throws(ClickSpoolFile.Failure) {
                let size = blocks.reduce(0) { $0 + $1.block.bytes.count + ClickSpoolFile.overhead }
                guard state.files.reduce(size, { $0 + $1.size }) <= limit else {
                    throw ClickSpoolFile.Failure(reason: "they take \(limit) bytes (clicks.spoolBytes)")
                }
                // Several files, because a file can only be deleted when all of it is stored.
                if state.isOpen, let last = state.files.last, last.size > limit / 16 { state.isOpen = false }
                while !state.isOpen {
                    state.lastNumber = state.lastNumber % Self.lastNumber + 1
                    // Another server's, or another database's, may have the name.
                    guard let file = try ClickSpoolFile.make(path(state.lastNumber), identity: identity) else {
                        continue
                    }
                    state.files.append(file)
                    state.isOpen = true
                }
                guard let file = state.files.last else { return false }
                if minimumFree > 0, let free = file.freeBytes, free - size < minimumFree {
                    throw ClickSpoolFile.Failure(reason: "the disk is full")
                }
                try file.append(blocks)
                state.refusal = nil
                return true
            } catch {
                state.refusal = error.reason
                removeTaken(&state)
                return false
            }
        }
    }

    /// The next blocks to be stored; nil if there are none, or if they can't be read now.
    func next(limit: Int) -> Page? {
        state.withLock { state in
            while let file = state.files.first {
                do throws(ClickSpoolFile.Failure) {
                    let page = try file.next(limit: limit)
                    state.obstacle = nil
                    if let page { return Page(blocks: page.blocks, bytes: page.bytes) }
                } catch {
                    guard error.isDamage else {
                        // What is there stays, for the next turn.
                        state.obstacle = "\(file.path) can't be read: \(error.reason)"
                        return nil
                    }
                    state.losses.append(error.reason)
                }
                removeFirst(&state)
            }
            return nil
        }
    }

    /// The blocks of this page, the last that `next` returned, are stored.
    func settle(_ page: Page) {
        state.withLock { state in
            state.files.first?.take(page.bytes)
            removeTaken(&state)
        }
    }

    /// Deletes files of which everything is stored.
    private func removeTaken(_ state: inout State) {
        while let file = state.files.first, file.isTaken { removeFirst(&state) }
    }

    private func removeFirst(_ state: inout State) {
        state.files.removeFirst().remove()
        if state.files.isEmpty {
            state.isOpen = false
            state.obstacle = nil
            state.lastNumber = 0
        }
    }

    private func path(_ number: Int) -> String { "\(path)-\(number)" }
}
