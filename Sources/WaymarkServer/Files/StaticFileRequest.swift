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
