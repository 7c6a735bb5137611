import WaymarkAPI
import WaymarkHTTP
import WaymarkLinks
import WaymarkServer
import WaymarkService

/// `/_/llms.txt` and `/_/docs/{name}.md`: the documentation of this version.
struct DocumentRoute {
    let site: Site

    /// - Parameter name: of a page; nil for the index.
    func respond(_ name: String?, to head: RequestHead, in bytes: Span<UInt8>) -> Reply {
        let preconditions = Preconditions(head, in: bytes, now: site.now.seconds)
        let format = ProblemFormat(head, bytes)
        return .later { [site] in
            let content = name.map { Documentation.shared.page($0) } ?? Documentation.shared.index
            guard let content else {
                return StatePage.response(Problem(.resourceUnknown, "There is no such page."), as: format)
            }
            var fields = name == nil ? Self.textFields : Self.markdownFields
            if let tag = EntityTag(ContentTag.text(of: content, sha256: site.service.dependencies.sha256)) {
                // Hexadecimal digits are always accepted.
                _ = fields.append(.eTag, tag.text)
                switch preconditions.outcome(tag: tag, modified: nil) {
                case .failed:
                    return .problem(.versionMismatch, "The page does not have the ETag that If-Match asks for.")
                case .notModified: return Response(.notModified, fields: fields)
                case .proceed: break
                }
            }
            return Response(.ok, fields: fields, body: .bytes(content))
        }
    }

    private static let textFields = fields("text/plain; charset=utf-8")
    private static let markdownFields = fields("text/markdown; charset=utf-8")

    private static func fields(_ contentType: StaticString) -> HeaderFields {
        HeaderFields(
            (.contentType, contentType), (.cacheControl, "no-cache"), (.xContentTypeOptions, "nosniff"),
            (.xRobotsTag, "noindex"))
    }
}
