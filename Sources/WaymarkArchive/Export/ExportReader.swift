internal import WaymarkJSON
import WaymarkLinks
package import WaymarkStores

/// Reads an export line by line, and verifies at the end that it is complete.
package struct ExportReader {
    package let header: ArchiveHeader
    private let nextLine: () throws -> [UInt8]?
    private var digest: LineDigest
    private var isAtEnd = false

    /// - Parameters:
    ///   - nextLine: returns the next line without its newline; nil at the end.
    ///   - sha256: returns the digest of the bytes.
    /// - Throws: `ArchiveFailure` if the first line is not a header.
    package init(sha256: @escaping ([UInt8]) -> [UInt8], nextLine: @escaping () throws -> [UInt8]?) throws {
        guard let first = try nextLine() else { throw ArchiveFailure("is empty") }
        header = try ArchiveHeader(line: first)
        self.nextLine = nextLine
        digest = LineDigest(sha256: sha256)
        digest.add(first, isLink: false)
    }

    /// The next entry; nil after the last one.
    ///
    /// - Throws: `ArchiveFailure` with the number of an unreadable line, or if the end is missing or shows that lines
    ///   were lost or changed.
    package mutating func next() throws -> ArchiveEntry? {
        if isAtEnd { return nil }
        guard let line = try nextLine() else {
            throw ArchiveFailure("ends after \(digest.lines) lines without an end: it is a part of an export only")
        }
        guard let value = try? JSONValue(parsing: line) else { throw unreadable }
        if let end = ArchiveEnd(value) {
            guard end == digest.end else {
                throw ArchiveFailure("has been modified: its checksum does not match its content")
            }
            guard try nextLine() == nil else { throw ArchiveFailure("goes on behind its end") }
            isAtEnd = true
            return nil
        }
        guard let entry = ArchiveEntry(value) else { throw unreadable }
        digest.add(line, isLink: entry.isLink)
        return entry
    }

    private var unreadable: ArchiveFailure {
        ArchiveFailure("line \(digest.lines + 1) can't be read; it is damaged, or of a newer version")
    }
}
