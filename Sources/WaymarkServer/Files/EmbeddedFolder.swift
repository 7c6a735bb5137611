#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// A folder whose files are part of the executable.
final class EmbeddedFolder: FileFolder {
    private let files: [String: OpenFile]
    private let folders: Set<String>

    /// - Parameter files: by their paths, without a leading slash.
    init(_ files: [String: ProgramBytes]) {
        let modified = Self.modified()
        var folders: Set = [""]
        var open: [String: OpenFile] = [:]
        for (number, path) in files.keys.sorted().enumerated() {
            guard let bytes = files[path] else { continue }
            open[path] = OpenFile(bytes, number: number, modified: modified)
            var folder = path[...]
            while let slash = folder.lastIndex(of: "/") {
                folder = folder[..<slash]
                folders.insert(String(folder))
            }
        }
        self.files = open
        self.folders = folders
    }

    func find(_ name: String, in folders: ArraySlice<String>, isSidecarWanted: Bool) -> FoundFile {
        let path = (folders + [name]).joined(separator: "/")
        if let file = files[path] { return .file(file, sidecar: nil) }
        return self.folders.contains(path) ? .directory : .nothing
    }

    /// When the executable was written, in Unix seconds; 0 if the system does not say.
    private static func modified() -> Int64 {
        var information = stat()
        // unsafe because stat reads a C string, which Swift makes for the call, and writes through the pointer.
        guard unsafe stat("/proc/self/exe", &information) == 0 else { return 0 }
        #if canImport(Glibc)
            return Int64(information.st_mtim.tv_sec)
        #else
            return Int64(information.st_mtimespec.tv_sec)
        #endif
    }
}
