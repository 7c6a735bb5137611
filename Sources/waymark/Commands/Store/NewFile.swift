import Foundation
import WaymarkBytes

/// A file that gets its name only when it is complete and on disk, and never replaces another. Until then it is
/// `NAME.partial`.
///
/// Safety: system calls read each path as a C string that Swift lends for the call; `init` rejects a NUL in it.
struct NewFile {
    let path: String
    var partial: String { path + ".partial" }

    /// - Throws: `CommandFailure` if a file with this name exists.
    init(_ path: String) throws {
        guard !path.isEmpty, !path.utf8.contains(0) else { throw CommandFailure.usage("\"\(path)\" is no file") }
        guard path != "-" else {
            throw CommandFailure.usage("standard output can't be used here: give a file instead of \"-\"")
        }
        self.path = path
        guard unsafe access(path, F_OK) != 0 else {
            throw CommandFailure.usage("\(path): the file is there already, and is left as it is")
        }
    }

    /// Whether there is a file from an interrupted attempt.
    var hasPartial: Bool { unsafe access(partial, F_OK) == 0 }

    /// Creates the partial file, readable and writable by its owner only.
    func make() throws {
        let descriptor = unsafe open(partial, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw refusal(errno) }
        close(descriptor)
    }

    func removePartial() { unsafe unlink(partial) }

    /// Gives the file its final name.
    func finish() throws {
        try sync(partial)
        // Not rename, which would replace a file created meanwhile.
        guard unsafe link(partial, path) == 0 else { throw refusal(errno) }
        unsafe unlink(partial)
        try sync(path.folderOfPath)
    }

    func refusal(_ code: Int32) -> CommandFailure {
        switch code {
        case EEXIST where unsafe hasPartial && access(path, F_OK) != 0:
            .usage("\(partial): left of an attempt that did not end; delete it first")
        case EEXIST: .usage("\(path): the file is there already, and is left as it is")
        case ENOENT, ENOTDIR: .usage("\(path): its folder does not exist")
        case EACCES, EPERM: .usage("\(path): the folder may not be written")
        case EROFS: .usage("\(path): the disk is read-only")
        case ENOSPC, EDQUOT: .failed("\(path): the disk is full")
        default: .failed("\(path): the file can't be written (error \(code))")
        }
    }

    private func sync(_ path: String) throws {
        let descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw refusal(errno) }
        defer { close(descriptor) }
        guard fsync(descriptor) == 0 else { throw refusal(errno) }
    }
}
