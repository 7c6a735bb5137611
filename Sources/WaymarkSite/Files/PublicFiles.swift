import Logging
import Synchronization
import WaymarkServer

/// The public folder currently served, or the files of the executable. Safe to use from any thread.
final class PublicFiles: Sendable {
    private let folder: String?
    private let compression: CompressionCache
    private let logger: Logger
    private let files: Mutex<StaticFiles?>

    /// - Parameter folder: nil for the files of the executable.
    init(folder: String?, compression: CompressionCache, logger: Logger) {
        self.folder = folder
        self.compression = compression
        self.logger = logger
        files = Mutex(nil)
        reload()
    }

    /// Nil if the folder could not be opened: then there are no pages.
    var current: StaticFiles? { files.withLock { $0 } }

    /// Reopens the folder, because its name may refer to a different one or may not have existed before. If that fails,
    /// the folder opened before is still used.
    func reload() {
        do {
            if let files = current { return try files.reopen() }
            guard let folder else {
                let embedded = StaticFiles(
                    EmbeddedFile.publicFiles, fields: FileRoute.fields, compression: compression)
                return files.withLock { $0 = embedded }
            }
            let fresh = try StaticFiles(root: folder, fields: FileRoute.fields, compression: compression)
            files.withLock { $0 = fresh }
        } catch {
            logger.warning("the public folder can't be opened: \(error)")
        }
    }
}
