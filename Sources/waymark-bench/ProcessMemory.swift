import Foundation

/// What a process holds in memory, as Linux counts it.
enum ProcessMemory {
    static var residentMebibytes: Int { residentMebibytes(of: getpid()) }

    static func residentMebibytes(of process: Int32) -> Int {
        let status = (try? String(contentsOfFile: "/proc/\(process)/status", encoding: .utf8)) ?? ""
        let line = status.split(separator: "\n").first { $0.hasPrefix("VmRSS:") }
        return (line?.split(separator: " ").dropFirst().first.flatMap { Int($0) } ?? 0) / 1_024
    }
}

/// What the kernel keeps of files.
enum PageCache {
    /// Lets go of the file's pages, so that the next look at each goes to the disk.
    static func drop(_ path: String) {
        // Safety: the path is lent as a C string for the call.
        let descriptor = unsafe open(path, O_RDONLY)
        guard descriptor >= 0 else { return }
        defer { close(descriptor) }
        fsync(descriptor)
        #if os(Linux)
            posix_fadvise(descriptor, 0, 0, POSIX_FADV_DONTNEED)
        #endif
    }
}
