public import Foundation

/// Persistent storage of the client: unsent events, the keys of requests without a response, the installation's ID,
/// and links with their metadata until they were shown.
///
/// The client calls it from any thread, including the main one, but never concurrently for the same name. Values are
/// a few kilobytes. A storage belongs to one client.
public protocol ClientStorage: Sendable {
    /// The bytes last written under the name; nil if there are none. Throws if they may exist but can't be read now
    /// (the device has not been unlocked since it booted); the client tries again later.
    func read(_ name: String) throws -> [UInt8]?
    /// Replaces the bytes under the name atomically: if the process is killed, the old or the new bytes remain, never
    /// a mix.
    func write(_ bytes: [UInt8], to name: String) throws
    /// Moves unreadable bytes aside, so that the name is free but the bytes can still be inspected. It may delete
    /// bytes set aside earlier under the same name.
    func setAside(_ name: String)
}

/// Stores everything in memory only: for tests, previews, and apps that don't want persistence.
public final class MemoryStorage: ClientStorage {
    private let entries: LockedValue<[String: [UInt8]]>

    /// Creates a storage. Default: empty.
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

/// A folder with one small JSON file per value.
///
/// Files are replaced atomically: written to a temporary file and renamed. An unreadable file is renamed to
/// `NAME.json.broken`. The folder is created on the first write with mode 0700, and files have mode 0600, because links
/// have private metadata. On Apple platforms the folder is excluded from backups: a device restored from one is a new
/// installation. On devices the files are encrypted until the first unlock after a start (data protection).
public struct FileStorage: ClientStorage {
    /// The folder. It should be one that the system does not purge and that no other client uses.
    public let folder: URL

    /// - Parameter folder: a file URL; it need not exist.
    public init(folder: URL) {
        self.folder = folder
    }

    /// The folder `Waymark` in the user's application support folder, where apps store files that users don't see; on
    /// tvOS, where apps have no such folder, in the caches folder. Throws if the system names no such folder.
    public static func applicationSupport() throws -> FileStorage {
        let support = try FileManager.default.url(
            for: directory, in: .userDomainMask, appropriateFor: nil, create: true)
        return FileStorage(folder: support.appendingPathComponent("Waymark", isDirectory: true))
    }

    /// The same folder as that of `applicationSupport()`. It is created on the first write, so this can't fail.
    public static var standard: FileStorage {
        let support = FileManager.default.urls(for: directory, in: .userDomainMask).first
        return FileStorage(
            folder: (support ?? FileManager.default.temporaryDirectory)
                .appendingPathComponent("Waymark", isDirectory: true))
    }

    private static var directory: FileManager.SearchPathDirectory {
        #if os(tvOS)
            .cachesDirectory
        #else
            .applicationSupportDirectory
        #endif
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
            try replace(name, bytes)
        } catch  where !FileManager.default.fileExists(atPath: folder.path) {
            try FileManager.default.createDirectory(
                at: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
            excludeFromBackups()
            try replace(name, bytes)
        }
    }

    private func replace(_ name: String, _ bytes: [UInt8]) throws {
        try Data(bytes).write(to: file(name), options: Self.writing)
        // Until here nobody else can read the file: the folder has mode 0700.
        try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: file(name).path)
    }

    private static var writing: Data.WritingOptions {
        #if os(iOS) || os(tvOS) || os(watchOS) || os(visionOS)
            [.atomic, .completeFileProtectionUntilFirstUserAuthentication]
        #else
            .atomic
        #endif
    }

    private func excludeFromBackups() {
        #if canImport(Darwin)
            var folder = folder
            var values = URLResourceValues()
            values.isExcludedFromBackup = true
            // If this fails the storage still works, and there is nobody to report it to.
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
