import WaymarkBytes
package import WaymarkHTTP

#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// The parts of a request that `StaticFiles` needs, copied so that it can be answered outside the loop.
package struct StaticFileRequest: Sendable {
    /// The names below the root; the last is empty for a directory. Empty if the path can't be a served file.
    package private(set) var segments: [String]
    /// The whole path as received.
    let path: String
    /// The query, including the question mark; empty if there is none.
    let query: String
    /// When it was received, in Unix seconds.
    let now: Int64
    let preconditions: Preconditions
    /// The value of Range; nil if there is none, or it does not apply (section 14.2: Range is for GET only).
    let range: [UInt8]?
    let coding: CodingPreference

    /// - Parameters:
    ///   - prefix: number of leading path segments that stand for the root, such as 1 for `/_/`.
    ///   - isCompressible: whether the file may be compressed for clients that accept it.
    package init(
        _ head: RequestHead, in bytes: Span<UInt8>, droppingSegments prefix: Int = 0, isCompressible: Bool = true
    ) {
        path = String(decoding: bytes.copy(head.path), as: UTF8.self)
        query = head.query.map { "?" + String(decoding: bytes.copy($0), as: UTF8.self) } ?? ""
        segments = Self.segments(of: bytes, head.path, dropping: prefix) ?? []
        now = Int64(time(nil))
        preconditions = Preconditions(head, in: bytes, now: now)
        // Range is not a list field, so two lines are ambiguous.
        range = head.method != .get || head.isRepeated(.range) ? nil : head.value(.range).map { bytes.copy($0) }
        coding = isCompressible ? CodingPreference(head, in: bytes) : .identityOnly
    }

    /// The same request for another file, such as a page whose address has no extension.
    package func asking(for segments: [String]) -> StaticFileRequest {
        var request = self
        request.segments = segments
        return request
    }

    private static func segments(of bytes: Span<UInt8>, _ path: ByteRange, dropping prefix: Int) -> [String]? {
        var segments: [String] = []
        var start = Int(path.start) + 1
        for position in path.indices.dropFirst() where bytes[position] == UInt8(ascii: "/") {
            guard let segment = PercentEncoding.decodeText(bytes, ByteRange(start, position)) else { return nil }
            segments.append(segment)
            start = position + 1
        }
        guard start <= Int(path.end), let last = PercentEncoding.decodeText(bytes, ByteRange(start, Int(path.end))),
            segments.count >= prefix
        else { return nil }
        let names = segments.dropFirst(prefix)
        guard names.allSatisfy(FileName.isVisible), last.isEmpty || FileName.isVisible(last) else { return nil }
        return names + [last]
    }
}

/// Names of files in a served folder.
enum FileName {
    /// Whether a name can be served: no path traversal, and nothing hidden except the names that RFC 8615 defines.
    static func isVisible(_ name: String) -> Bool {
        guard let first = name.utf8.first else { return false }
        if first == UInt8(ascii: "."), name != ".well-known" { return false }
        return !name.utf8.contains {
            $0 == UInt8(ascii: "/") || $0 == UInt8(ascii: "\\") || $0 < 0x20 || $0 == 0x7F
        }
    }

    /// Whether the name changes with the content, as bundlers name their output: one of the parts between dots,
    /// hyphens and underscores, other than the extension, is 8 to 64 lower-case hexadecimal digits, with at least one
    /// digit and one letter. Never a page: people know pages by their names.
    static func holdsHash(_ name: String) -> Bool {
        let parts = name.utf8.split(omittingEmptySubsequences: false) {
            $0 == UInt8(ascii: ".") || $0 == UInt8(ascii: "-") || $0 == UInt8(ascii: "_")
        }
        guard name.utf8.contains(UInt8(ascii: ".")), let suffix = parts.last,
            !["html", "htm", "xhtml"].contains(where: { suffix.elementsEqual($0.utf8) })
        else { return false }
        return parts.dropLast().contains { part in
            let digits = part.count { (0x30...0x39).contains($0) }
            let letters = part.count { (0x61...0x66).contains($0) }
            return (8...64).contains(part.count) && digits > 0 && letters > 0 && digits + letters == part.count
        }
    }
}
