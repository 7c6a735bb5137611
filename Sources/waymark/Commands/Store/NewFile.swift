import Foundation

/// A file that appears under its name only when it is whole and on the disk, and never in place of another. Until then it
/// is `NAME.partial`.
///
/// Safety: system calls read each path as a C string that Swift lends for the call; `init` refuses a NUL in it.
struct NewFile {
    let path: String
    var partial: String { path + ".partial" }

    /// - Throws: `CommandFailure` where a file of that name is there.
    init(_ path: String) throws {
        guard !path.isEmpty, !path.utf8.contains(0) else { throw CommandFailure.usage("\"\(path)\" is no file") }
        self.path = path
        guard unsafe access(path, F_OK) != 0 else {
            throw CommandFailure.usage("\(path): the file is there already, and is left as it is")
        }
    }

    /// Whether something is left of an attempt that did not end.
    var hasPartial: Bool { unsafe access(partial, F_OK) == 0 }

    /// Makes the partial file, for its owner only.
    func make() throws {
        let descriptor = unsafe open(partial, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw refusal(errno) }
        close(descriptor)
    }

    func removePartial() { unsafe unlink(partial) }

    /// Gives the file its name.
    func finish() throws {
        try sync(partial)
        // Not rename: that would replace a file that somebody has made meanwhile.
        guard unsafe link(partial, path) == 0 else { throw refusal(errno) }
        unsafe unlink(partial)
        let folder = (path as NSString).deletingLastPathComponent
        try sync(folder.isEmpty ? "." : folder)
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
