import CWaymarkDocuments

/// Files of the repository that are part of the executable.
package enum EmbeddedFile {
    /// The API document of this version, whatever the public folder has.
    package static let apiDocument = bytes(at: "Public/openapi.json") ?? []

    /// From the root of the repository.
    static let paths: [String] = {
        var paths: [String] = []
        // Safety: the table and what it points to are constants of the program; past its end the function returns nil.
        while let document = unsafe waymark_document_at(paths.count) {
            paths.append(unsafe String(cString: document.pointee.path))
        }
        return paths
    }()

    /// Nil if there is no such file.
    static func bytes(at path: String) -> [UInt8]? {
        // Safety: as above; each file is a constant of `count` bytes.
        guard let index = paths.firstIndex(of: path), let document = unsafe waymark_document_at(index)?.pointee
        else { return nil }
        return unsafe Array(UnsafeBufferPointer(start: document.bytes, count: document.count))
    }
}
