public import Foundation

/// A folder with a small JSON file for each thing that is kept.
///
/// Files are replaced whole: written beside the old one and renamed. A file that makes no sense is renamed to
/// `NAME.json.broken`. The folder is made when something is first written, readable by the user only. On Apple's systems it
/// is left out of backups: a device that is set up from one is another installation.
public struct FileStorage: ClientStorage {
    /// The folder. It should be one that the system does not clear and that no other client uses.
    public let folder: URL

    /// - Parameter folder: a file URL; it need not exist.
    public init(folder: URL) {
        self.folder = folder
    }

    /// A folder `Waymark` in the user's application support folder, in which apps keep what users don't see.
    public static func applicationSupport() throws -> FileStorage {
        let support = try FileManager.default.url(
            for: .applicationSupportDirectory, in: .userDomainMask, appropriateFor: nil, create: true)
        return FileStorage(folder: support.appendingPathComponent("Waymark", isDirectory: true))
    }

    public func read(_ name: String) throws -> [UInt8]? {
        do {
            return Array(try Data(contentsOf: file(name)))
        } catch CocoaError.fileReadNoSuchFile {
            return nil
        } catch CocoaError.fileNoSuchFile {
            return nil
        }
    }

    public func write(_ bytes: [UInt8], to name: String) throws {
        do {
            try Data(bytes).write(to: file(name), options: .atomic)
        } catch  where !FileManager.default.fileExists(atPath: folder.path) {
            try FileManager.default.createDirectory(
                at: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
            excludeFromBackups()
            try Data(bytes).write(to: file(name), options: .atomic)
        }
    }

    private func excludeFromBackups() {
        #if canImport(Darwin)
            var folder = folder
            var values = URLResourceValues()
            values.isExcludedFromBackup = true
            // Without it everything works as before; there is nobody to tell.
            try? folder.setResourceValues(values)
        #endif
    }

    public func setAside(_ name: String) {
        let broken = file(name).appendingPathExtension("broken")
        try? FileManager.default.removeItem(at: broken)
        try? FileManager.default.moveItem(at: file(name), to: broken)
    }

    private func file(_ name: String) -> URL {
        folder.appendingPathComponent(name, isDirectory: false).appendingPathExtension("json")
    }
}
