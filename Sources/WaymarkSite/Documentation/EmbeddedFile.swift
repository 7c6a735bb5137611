import CWaymarkDocuments
import WaymarkServer

/// Files of the repository that are part of the executable.
package enum EmbeddedFile {
    /// The API document of this version, whatever the public folder has.
    package static let apiDocument = publicFiles["openapi.json"]?.bytes ?? []

    /// Pages of the documentation, by their paths from the root of the repository.
    // Safety: both functions give a constant of the program, or nil past the end of the table.
    static let documents = unsafe table { unsafe waymark_document_at($0) }
    /// The files of the folder `Public`, by their paths below it.
    // Safety: as above.
    static let publicFiles = unsafe table { unsafe waymark_public_file_at($0) }

    private static func table(
        _ file: (_ index: Int) -> UnsafePointer<waymark_document>?
    ) -> [String: ProgramBytes] {
        var files: [String: ProgramBytes] = [:]
        // Safety: the table and what it points to are constants of the program, each file of `count` bytes; past its end the
        // function returns nil.
        while let entry = unsafe file(files.count)?.pointee {
            unsafe files[String(cString: entry.path)] = unsafe ProgramBytes(
                UnsafeRawBufferPointer(start: entry.bytes, count: entry.count))
        }
        return files
    }
}
