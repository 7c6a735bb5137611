import WaymarkBytes
import WaymarkHTTP

/// A file in one of the forms it may be sent in: plain or compressed.
struct FileRepresentation {
    let file: OpenFile
    let tag: EntityTag
    let modified: HTTPDate
    /// Of the plain content; nil if unknown.
    let digest: CompressionCache.Digest?
    private let isCoded: Bool
    /// The compressed bytes, if they do not come from the file.
    private let bytes: [UInt8]?

    /// - Parameters:
    ///   - isCoded: whether the file holds the gzip coding of another file.
    ///   - now: in Unix seconds.
    init?(_ file: OpenFile, tag: FileTags.Tag, isCoded: Bool = false, now: Int64) {
        guard let entityTag = tag.entityTag(coded: isCoded) else { return nil }
        self.file = file
        self.tag = entityTag
        self.isCoded = isCoded
        digest = tag.digest
        bytes = nil
        // A Last-Modified in the future is never sent (RFC 9110 section 8.8.2.1).
        modified = HTTPDate(unixSeconds: min(file.version.modified, now))
    }

    /// - Parameter bytes: the plain content, compressed.
    init?(coding plain: FileRepresentation, _ bytes: [UInt8]) {
        // Another representation needs another strong tag (section 8.8.3.3).
        guard let tag = EntityTag(plain.tag.opaque + "-gz") else { return nil }
        self.tag = tag
        self.bytes = bytes
        file = plain.file
        modified = plain.modified
        digest = nil
        isCoded = true
    }

    /// The response to a request for this form, or for a part of it.
    ///
    /// - Parameter fields: fields of every response about the file.
    func outcome(
        _ selection: RangeSelection, _ request: StaticFileRequest, _ type: FileType, _ fields: HeaderFields
    ) -> StaticFiles.Outcome {
        var fields = fields
        // Our tags contain only bytes that a field allows.
        _ = fields.append(.eTag, tag.text)
        switch request.preconditions.outcome(tag: tag, modified: modified) {
        case .failed: return .preconditionFailed
        case .notModified: return .response(Response(.notModified, fields: fields))
        case .proceed: break
        }
        _ = fields.append(.lastModified, modified.text)
        if isCoded {
            fields.append(.contentEncoding, "gzip" as StaticString)
        } else {
            fields.append(.acceptRanges, "bytes" as StaticString)
        }
        switch selection {
        case .whole: return .response(whole(type, fields))
        case .unsatisfiable:
            var fields = HeaderFields((.acceptRanges, "bytes"))
            _ = fields.append(.contentRange, "bytes */\(file.count)")
            return .rangeNotSatisfiable(fields)
        case .ranges(let ranges): return .response(partial(ranges, type, fields))
        }
    }

    private func whole(_ type: FileType, _ fields: HeaderFields) -> Response {
        var fields = fields
        fields.append(.contentType, type.mediaType)
        return Response(.ok, fields: fields, body: bytes.map { .bytes($0) } ?? .file(file))
    }

    /// One part by itself, several as multipart; never a multipart with one part, and never a Content-Range with
    /// several (section 15.3.7.2). The whole file if it is shorter than the multipart with the text between its parts: a Range
    /// field may be ignored (sections 14.2 and 17.15).
    private func partial(_ ranges: [Range<Int>], _ type: FileType, _ fields: HeaderFields) -> Response {
        var fields = fields
        guard ranges.count > 1 else {
            let range = ranges.first ?? 0..<file.count
            fields.append(.contentType, type.mediaType)
            _ = fields.append(.contentRange, FileParts.contentRange(range, of: file.count))
            return Response(.partialContent, fields: fields, body: .parts(FileParts(file, range)))
        }
        let boundary = Self.boundary()
        let parts = FileParts(file, ranges, mediaType: type.mediaType, boundary: boundary)
        guard parts.count <= file.count else { return whole(type, fields) }
        _ = fields.append(.contentType, "multipart/byteranges; boundary=\(boundary)")
        return Response(.partialContent, fields: fields, body: .parts(parts))
    }

    /// Random each time, so that no file can contain it deliberately.
    private static func boundary() -> String {
        Hexadecimal.text((0..<16).map { _ in UInt8.random(in: .min ... .max) })
    }
}
