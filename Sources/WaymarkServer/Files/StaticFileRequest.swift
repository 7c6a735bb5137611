package import WaymarkHTTP

#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// What `StaticFiles` needs of a request, copied out of it so that it can be answered outside the loop.
package struct StaticFileRequest: Sendable {
    /// The names below the root; the last is empty for a directory. None where the path can't be a file that is served.
    package private(set) var segments: [String]
    /// The whole path as received.
    let path: String
    /// What stands behind the path, from the question mark on; empty where there is none.
    let query: String
    /// When it came, in Unix seconds.
    let now: Int64
    let preconditions: Preconditions
    /// The value of Range; nil where there is none, or it means nothing (section 14.2: it is for GET alone).
    let range: [UInt8]?
    let coding: CodingPreference

    /// - Parameters:
    ///   - prefix: how many segments at the front of the path stand for the root, such as 1 for `/_/`.
    ///   - isCompressible: whether the file may be sent compressed to clients that ask for it.
    package init(
        _ head: RequestHead, in bytes: Span<UInt8>, droppingSegments prefix: Int = 0, isCompressible: Bool = true
    ) {
        path = String(decoding: bytes.copy(head.path), as: UTF8.self)
        query = head.query.map { "?" + String(decoding: bytes.copy($0), as: UTF8.self) } ?? ""
        segments = Self.segments(of: bytes, head.path, dropping: prefix) ?? []
        now = Int64(time(nil))
        preconditions = Preconditions(head, in: bytes, now: now)
        // Two lines are no list; nobody can tell what is meant.
        range = head.method != .get || head.isRepeated(.range) ? nil : head.value(.range).map { bytes.copy($0) }
        coding = isCompressible ? CodingPreference(head, in: bytes) : .identityOnly
    }

    /// The same request for another file: a page whose address has no ending.
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

/// Names of files in a folder that is served.
enum FileName {
    /// Whether a name can be served: no way up or across, nothing hidden but what RFC 8615 defines.
    static func isVisible(_ name: String) -> Bool {
        guard let first = name.utf8.first else { return false }
        if first == UInt8(ascii: "."), name != ".well-known" { return false }
        return !name.utf8.contains {
            $0 == UInt8(ascii: "/") || $0 == UInt8(ascii: "\\") || $0 < 0x20 || $0 == 0x7F
        }
    }

    /// Whether the name changes with the content, as bundlers name what they make: one of the parts between dots, hyphens
    /// and underscores, other than the extension, is 8 to 64 hexadecimal digits in lower case with both a digit and a
    /// letter among them. Never a page: people know those by their names.
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
