public import Foundation

/// Where the client keeps what must outlast the app: events that are not sent yet, the keys of requests without an answer,
/// and the installation's id.
///
/// The client calls it from any thread, but never twice at once for one name, also on the main actor; what is
/// written is some kilobytes. One storage belongs to one client.
public protocol ClientStorage: Sendable {
    /// The bytes that were written last under the name; nil where there are none. Throws where they may be there and
    /// can't be read now (a device that was not unlocked since its start); the client then asks again later.
    func read(_ name: String) throws -> [UInt8]?
    /// Replaces what is there under the name. Whoever is killed in the middle leaves the old bytes or the new ones,
    /// never a part.
    func write(_ bytes: [UInt8], to name: String) throws
    /// Moves bytes that make no sense out of the way, so that nothing is there under the name and whoever looks for the
    /// cause can still see them. What was set aside before under that name may go.
    func setAside(_ name: String)
}

/// Keeps everything until the process ends: for tests, previews, and apps that want nothing kept.
public final class MemoryStorage: ClientStorage {
    private let entries: LockedValue<[String: [UInt8]]>

    /// A storage with what is given; by default nothing.
    public init(_ entries: [String: [UInt8]] = [:]) {
        self.entries = LockedValue(entries)
    }

    public func read(_ name: String) -> [UInt8]? { entries.withLock { $0[name] } }

    public func write(_ bytes: [UInt8], to name: String) { entries.withLock { $0[name] = bytes } }

    public func setAside(_ name: String) {
        entries.withLock { entries in
            entries[name + ".broken"] = entries.removeValue(forKey: name)
        }
    }
}

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
