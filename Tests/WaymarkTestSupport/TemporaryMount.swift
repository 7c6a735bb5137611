internal import Foundation

/// A small disk of one test's own (tmpfs), so that it can be full or read-only. Linux, and the right to mount, only.
package final class TemporaryMount: Sendable {
    package let path: String

    package convenience init(on folder: TemporaryFolder, bytes: Int) throws {
        try self.init(at: folder.path("disk"), bytes: bytes)
    }

    /// - Parameter path: a folder, made here.
    package init(at path: String, bytes: Int) throws {
        self.path = path
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
        try Self.mount(path, options: "size=\(bytes)")
    }

    package func resize(to bytes: Int) throws {
        try Self.mount(path, remounting: true, options: "size=\(bytes)")
    }

    package func makeReadOnly() throws {
        try Self.mount(path, remounting: true, readOnly: true, options: "")
    }

    package static let isPossible: Bool = {
        guard let folder = try? TemporaryFolder() else { return false }
        return (try? TemporaryMount(on: folder, bytes: 100_000)) != nil
    }()

    private static func mount(
        _ path: String, remounting: Bool = false, readOnly: Bool = false, options: String
    ) throws {
        #if os(Linux)
            let flags = (remounting ? UInt(MS_REMOUNT) : 0) | (readOnly ? UInt(MS_RDONLY) : 0)
            guard Foundation.mount("tmpfs", path, "tmpfs", flags, options) == 0 else { throw POSIXError(.EPERM) }
        #else
            throw POSIXError(.ENOTSUP)
        #endif
    }

    deinit {
        #if os(Linux)
            umount2(path, Int32(MNT_DETACH))
        #endif
    }
}
