import Synchronization
package import WaymarkHTTP
package import WaymarkSockets

/// Serves the files below one directory, or those of the executable, and nothing else; `ServedFolder` and `EmbeddedFolder`
/// define which.
///
/// Reads the disk, so call it in `Reply.later`. Safe to use from any thread.
package final class StaticFiles: Sendable {
    package enum Outcome: Sendable {
        case response(Response)
        /// No such file, or one that must not be served.
        case notFound
        /// 412: the request's precondition names another version of the file.
        case preconditionFailed
        /// 416, with its Content-Range.
        case rangeNotSatisfiable(HeaderFields)
        /// The system can't open files now, for example because no descriptors are left.
        case failed(SystemError)
    }

    /// Nil for the files of the executable.
    private let root: String?
    private let folder: Mutex<any FileFolder>
    private let fields: HeaderFields
    private let compression: CompressionCache
    private let tags: FileTags

    /// - Parameters:
    ///   - root: a directory.
    ///   - fields: added to every response, such as Content-Security-Policy.
    ///   - compression: shared with other responses. Default: its own.
    /// - Throws: if the directory can't be opened.
    package init(
        root: String, fields: HeaderFields = HeaderFields(), compression: CompressionCache = CompressionCache()
    ) throws(SystemError) {
        self.root = root
        self.fields = fields
        self.compression = compression
        folder = Mutex(try ServedFolder(root))
        tags = FileTags(compression)
    }

    /// - Parameter files: of the executable, by their paths.
    package init(
        _ files: [String: ProgramBytes], fields: HeaderFields = HeaderFields(),
        compression: CompressionCache = CompressionCache()
    ) {
        root = nil
        self.fields = fields
        self.compression = compression
        folder = Mutex(EmbeddedFolder(files))
        tags = FileTags(compression)
    }

    /// Opens the directory again by its name, which may refer to another directory by now.
    ///
    /// - Throws: if it can't be opened; the previous one remains in use.
    package func reopen() throws(SystemError) {
        guard let root else { return }
        let fresh = try ServedFolder(root)
        folder.withLock { $0 = fresh }
    }

    /// Answers a GET or HEAD.
    package func serve(_ request: StaticFileRequest) async -> Outcome {
        guard let last = request.segments.last else { return .notFound }
        let name = last.isEmpty ? "index.html" : last
        let type = FileType(ofFileNamed: name)
        let found = folder.withLock { $0 }.find(
            name, in: request.segments.dropLast(),
            isSidecarWanted: type.isCompressible && request.coding.prefersGzip)
        switch found {
        case .nothing: return .notFound
        case .failed(let error): return .failed(error)
        case .directory:
            // Relative links of a page only work after the slash. Empty segments don't get here, so this can't be
            // `//host`.
            var fields = fields
            fields.append(.cacheControl, Self.checked)
            guard !last.isEmpty, fields.append(.location, request.path + "/" + request.query) else { return .notFound }
            return .response(Response(.movedPermanently, fields: fields))
        case .file(let file, let sidecar):
            var fields = fields
            fields.append(.cacheControl, FileName.holdsHash(name) ? Self.kept : Self.checked)
            fields.append(.xContentTypeOptions, "nosniff" as StaticString)
            // On every variant, so that a cache never serves one to a client that asked for the other (section
            // 12.5.5).
            let isNegotiable = type.isCompressible && file.count >= Gzip.least
            if isNegotiable { fields.append(.vary, "Accept-Encoding" as StaticString) }
            return await answer(request, file, isNegotiable ? .some(sidecar) : .none, type, fields)
        }
    }

    /// For names that change with their content: cached for a year without revalidation.
    private static let kept: StaticString = "public, max-age=31536000, immutable"
    /// Cached, but revalidated each time with the entity tag.
    private static let checked: StaticString = "public, no-cache"

    /// - Parameter sidecar: nil if the file is never sent compressed; `.some(nil)` if it has no sidecar.
    private func answer(
        _ request: StaticFileRequest, _ file: OpenFile, _ sidecar: OpenFile??, _ type: FileType, _ fields: HeaderFields
    ) async -> Outcome {
        let tag = await tags.tag(of: file)
        guard let plain = FileRepresentation(file, tag: tag, now: request.now) else { return .notFound }
        let selection = selection(request, plain)
        // Range positions count bytes of the plain file, so range requests get that one.
        if let sidecar, request.coding.prefersGzip, selection == .whole || request.coding.refusesIdentity,
            let coded = await coded(plain, sidecar, now: request.now)
        {
            return coded.outcome(.whole, request, type, fields)
        }
        return plain.outcome(selection, request, type, fields)
    }

    private func selection(_ request: StaticFileRequest, _ plain: FileRepresentation) -> RangeSelection {
        guard let range = request.range,
            request.preconditions.allowRange(tag: plain.tag, modified: plain.modified)
        else { return .whole }
        return RangeSelection(range.span, size: plain.file.count)
    }

    /// The sidecar if there is one, else the cached or newly compressed form. Nil if the plain bytes are the better
    /// response.
    private func coded(_ plain: FileRepresentation, _ sidecar: OpenFile?, now: Int64) async -> FileRepresentation? {
        if let sidecar {
            return FileRepresentation(sidecar, tag: await tags.tag(of: sidecar), isCoded: true, now: now)
        }
        let file = plain.file
        guard let digest = plain.digest,
            let bytes = await compression.compressed(digest, read: { file.contents(of: digest) })
        else { return nil }
        return FileRepresentation(coding: plain, bytes)
    }
}
