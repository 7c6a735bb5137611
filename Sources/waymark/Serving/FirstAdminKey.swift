import Foundation
import Logging
import WaymarkBytes

/// Hands the first admin key of an empty store to the operator.
///
/// In a terminal it is printed once. Elsewhere standard output is a log that is stored and read by others, so the key is
/// written to a file that only its owner can read, and the log has the path of that file.
///
/// Safety: system calls read each path as a C string that Swift lends for the call, and bytes with their count;
/// strerror's text is copied before anything else can fail.
struct FirstAdminKey {
    static let fileName = "first-admin-key"

    /// The key, `wm_…`.
    let text: String

    /// - Parameter folder: where the file is written if standard output is no terminal.
    func show(in folder: String, logger: Logger) {
        guard isatty(STDOUT_FILENO) == 0 else { return printOnce() }
        let path = (folder as NSString).appendingPathComponent(Self.fileName)
        if let problem = write(to: path) {
            // A key that nobody has seen would leave the operator without access.
            logger.warning("\(path) can't be written, so standard output has the first admin key: \(problem)")
            printOnce()
        } else {
            logger.notice("the first admin key is in \(path); move it to where secrets are kept, and delete the file")
        }
    }

    private func printOnce() {
        print("Admin key, shown this once: \(text)")
        StandardOutput.flush()
    }

    /// Replaces a file of an earlier database. Returns what is wrong.
    func write(to path: String) -> String? {
        let partial = path + ".partial"
        unsafe unlink(partial)
        let descriptor = unsafe open(partial, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard descriptor >= 0 else { return unsafe String(cString: strerror(errno)) }
        let bytes = Array("\(text)\n".utf8)
        let count = unsafe bytes.withUnsafeBytes {
            unsafe Foundation.write(descriptor, $0.baseAddress, $0.count)
        }
        let isWritten = count == bytes.count && fsync(descriptor) == 0
        let code = errno
        close(descriptor)
        guard isWritten, unsafe rename(partial, path) == 0 else {
            let reason = unsafe String(cString: strerror(isWritten ? errno : code))
            unsafe unlink(partial)
            return reason
        }
        return nil
    }
}

extension Configuration {
    /// The folder `Public` of the working directory, if it has the pages of Waymark: many home folders have one without.
    static var adjacentPublicFolder: String? {
        FileManager.default.fileExists(atPath: "Public/dashboard/main.js") ? "Public" : nil
    }

    /// The folder for what the server writes by itself: that of the SQLite file, else systemd's state folder, else the
    /// working directory.
    func stateFolder(environment: [String: String] = ProcessInfo.processInfo.environment) -> String {
        if case .file(let path) = self.database { return path.folderOfPath }
        // systemd separates several folders by colons.
        let given = environment["STATE_DIRECTORY"]?.split(separator: ":").first.map(String.init)
        return given ?? "."
    }

    /// The beginning of the names of files with click records that the store does not take; nil for a database in memory.
    func clickSpool(environment: [String: String] = ProcessInfo.processInfo.environment) -> String? {
        switch self.database {
        case .memory: nil
        case .file(let path): URL(fileURLWithPath: path).resolvingSymlinksInPath().path + ".clicks"
        #if PostgreSQL
            case .postgres: (stateFolder(environment: environment) as NSString).appendingPathComponent("waymark.clicks")
        #endif
        }
    }
}
