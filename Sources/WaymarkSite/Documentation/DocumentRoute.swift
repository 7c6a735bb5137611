import WaymarkAPI
import WaymarkHTTP
import WaymarkLinks
import WaymarkServer
import WaymarkService

/// The documentation of this version: `/_/llms.txt`, `/_/docs/{name}` as HTML and with `.md` as Markdown, and what its search reads.
struct DocumentRoute {
    let site: Site

    /// - Parameter name: of a page; nil for those without.
    func respond(
        _ kind: OpenRoute, _ name: String?, isCompressible: Bool, to head: RequestHead, in bytes: Span<UInt8>
    ) -> Reply {
        let isGzipPreferred = isCompressible && CodingPreference(head, in: bytes).prefersGzip
        let preconditions = Preconditions(head, in: bytes, now: site.now.seconds)
        let format = ProblemFormat(head, bytes)
        return .later { [site] in
            let documentation = Documentation.shared
            let content: [UInt8]?
            var fields: HeaderFields
            switch kind {
            case .documentationIndex: (content, fields) = (documentation.index, Self.textFields)
            case .documentationSearch: (content, fields) = (documentation.search, Self.searchFields)
            case .documentation: (content, fields) = (name.flatMap { documentation.page($0) }, Self.markdownFields)
            default: (content, fields) = (documentation.html(name ?? "index"), Self.pageFields)
            }
            guard let content else {
                return StatePage.response(Problem(.resourceUnknown, "There is no such page."), as: format)
            }
            if isCompressible { fields.append(.vary, "Accept-Encoding" as StaticString) }
            let coded = isGzipPreferred ? await site.compression.compressed(content, isKept: true) : nil
            let digest = ContentTag.text(of: content, sha256: site.service.dependencies.sha256)
            // Another representation has another strong tag (RFC 9110 section 8.8.3.3).
            if let tag = EntityTag(coded == nil ? digest : digest + "-gz") {
                // Hexadecimal digits are always accepted.
                _ = fields.append(.eTag, tag.text)
                switch preconditions.outcome(tag: tag, modified: nil) {
                case .failed:
                    return .problem(.versionMismatch, "The page does not have the ETag that If-Match asks for.")
                case .notModified: return Response(.notModified, fields: fields)
                case .proceed: break
                }
            }
            if coded != nil { fields.append(.contentEncoding, "gzip" as StaticString) }
            return Response(.ok, fields: fields, body: .bytes(coded ?? content))
        }
    }

    private static let textFields = typed("text/plain; charset=utf-8")
    private static let searchFields = typed("application/json")
    private static let pageFields: HeaderFields = {
        var fields = typed("text/html; charset=utf-8")
        fields.append(FileRoute.fields)
        return fields
    }()
    private static let markdownFields = typed("text/markdown; charset=utf-8")

    private static func typed(_ contentType: StaticString) -> HeaderFields {
        HeaderFields(
            (.contentType, contentType), (.cacheControl, "no-cache"), (.xContentTypeOptions, "nosniff"),
            (.xRobotsTag, "noindex"))
    }
}
