package import WaymarkHTTP

#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// What `StaticFiles` needs of a request, copied out of it so that it can be answered outside the loop.
package struct StaticFileRequest: Sendable {
    /// The names below the root; the last is empty for a directory. None where the path can't be a file that is served.
    package let segments: [String]
    /// The whole path as received.
    let path: String
    private let ifNoneMatch: [UInt8]?
    private let ifModifiedSince: HTTPDate?

    /// - Parameter prefix: how many segments at the front of the path stand for the root, such as 1 for `/_/`.
    package init(_ head: RequestHead, in bytes: Span<UInt8>, droppingSegments prefix: Int = 0) {
        path = String(decoding: bytes.copy(head.path), as: UTF8.self)
        segments = Self.segments(of: bytes, head.path, dropping: prefix) ?? []
        var tags: [UInt8]?
        for position in 0..<head.fieldCount where head.field(at: position).known == .ifNoneMatch {
            tags = (tags.map { $0 + [UInt8(ascii: ",")] } ?? []) + bytes.copy(head.field(at: position).value)
        }
        ifNoneMatch = tags
        ifModifiedSince = head.value(.ifModifiedSince).flatMap {
            HTTPDate(bytes, $0, reference: Int64(time(nil)))
        }
    }

    /// The request for a given path that is not the client's, such as a file that stands in for another.
    package init(segments: [String]) {
        self.segments = segments.allSatisfy(Self.isVisible) ? segments : []
        path = "/" + segments.joined(separator: "/")
        ifNoneMatch = nil
        ifModifiedSince = nil
    }

    /// Whether the client has this version already (RFC 9110 section 13.2.2: tags count more than times).
    func isFresh(tag: String, modified: Int64) -> Bool {
        guard let ifNoneMatch else { return ifModifiedSince.map { modified <= $0.unixSeconds } ?? false }
        return ifNoneMatch.split(separator: UInt8(ascii: ",")).contains { element in
            var element = element.drop { $0 == 0x20 || $0 == 0x09 }
            while element.last == 0x20 || element.last == 0x09 { element.removeLast() }
            if element.elementsEqual("*".utf8) { return true }
            // Compared weakly (section 13.1.2).
            if element.starts(with: "W/".utf8) { element = element.dropFirst(2) }
            return element.elementsEqual(tag.utf8)
        }
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
        guard names.allSatisfy(isVisible), last.isEmpty || isVisible(last) else { return nil }
        return names + [last]
    }

    /// Whether a name can be served: no way up or across, nothing hidden but what RFC 8615 defines.
    private static func isVisible(_ name: String) -> Bool {
        guard let first = name.utf8.first else { return false }
        if first == UInt8(ascii: "."), name != ".well-known" { return false }
        return !name.utf8.contains { $0 == UInt8(ascii: "/") || $0 == UInt8(ascii: "\\") || $0 < 0x20 }
    }
}
