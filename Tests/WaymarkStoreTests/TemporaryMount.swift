import Foundation

/// A small disk of one test's own (tmpfs), so that it can be full or read-only. Linux, and the right to mount, only.
final class TemporaryMount: Sendable {
    let path: String

    init(on folder: TemporaryFolder, bytes: Int) throws {
        path = folder.path("disk")
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
        guard Self.mounted(path, flags: 0, options: "size=\(bytes)") else { throw POSIXError(.EPERM) }
    }

    func makeReadOnly() throws {
        #if os(Linux)
            guard Self.mounted(path, flags: UInt(MS_REMOUNT | MS_RDONLY), options: "") else {
                throw POSIXError(.EPERM)
            }
        #endif
    }

    static let isPossible: Bool = {
        guard let folder = try? TemporaryFolder() else { return false }
        return (try? TemporaryMount(on: folder, bytes: 100_000)) != nil
    }()

    private static func mounted(_ path: String, flags: UInt, options: String) -> Bool {
        #if os(Linux)
            mount("tmpfs", path, "tmpfs", flags, options) == 0
        #else
            false
        #endif
    }

    deinit {
        #if os(Linux)
            umount2(path, Int32(MNT_DETACH))
        #endif
    }
}
