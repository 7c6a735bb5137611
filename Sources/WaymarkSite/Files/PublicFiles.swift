import Logging
import Synchronization
import WaymarkServer

/// The public folder as it is served now. Safe to use from any thread.
final class PublicFiles: Sendable {
    private let folder: String
    private let compression: CompressionCache
    private let logger: Logger
    private let files: Mutex<StaticFiles?>

    init(folder: String, compression: CompressionCache, logger: Logger) {
        self.folder = folder
        self.compression = compression
        self.logger = logger
        files = Mutex(nil)
        reload()
    }

    /// Nil where the folder could not be opened: then there are no pages.
    var current: StaticFiles? { files.withLock { $0 } }

    /// Opens the folder again: its name may lead to another one by now, or have come into being. Where it can't be opened,
    /// what was open before stays.
    func reload() {
        do {
            if let files = current { return try files.reopen() }
            let fresh = try StaticFiles(root: folder, fields: FileRoute.fields, compression: compression)
            files.withLock { $0 = fresh }
        } catch {
            logger.warning("the public folder can't be opened: \(error)")
        }
    }
}
