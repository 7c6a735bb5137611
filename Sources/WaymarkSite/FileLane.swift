import WaymarkAPI
import WaymarkHTTP
import WaymarkServer

/// The pages under `/_/` and the few files that every host is asked for, from the public folder.
struct FileLane {
    let site: Site

    /// What pages on the public listener need; everything else under `/_/` is a tool for operators.
    private static let pageAssets: Set<String> = ["style.css", "open.js", "ipad.js", "icon.svg"]

    func respond(_ kind: OpenRoute, to head: RequestHead, in bytes: Span<UInt8>, from peer: Peer) -> Reply {
        let request = StaticFileRequest(head, in: bytes, droppingSegments: [.rootFile, .certificateChallenge].contains(kind) ? 0 : 1)
        // As the file system will be asked, not as the path spells it.
        let name = request.segments.joined(separator: "/")
        let asJSON = MediaType.prefersJSON(head.text(.accept, in: bytes))
        let isHidden =
            kind == .file
            && (request.segments.first == "hosts" || request.segments.first == ".well-known"
                || (site.options.hasAdminListener && peer.role != .admin && !Self.pageAssets.contains(name)))
        guard !isHidden, let files = site.files else { return .now(Self.nothing(asJSON: asJSON)) }
        return .later {
            switch files.serve(request) {
            case .response(let response): Self.finished(response)
            case .notFound: Self.nothing(asJSON: asJSON)
            case .failed: .problem(Problem(.storeUnavailable, "Files can't be opened right now."))
            }
        }
    }

    private static func finished(_ response: Response) -> Response {
        var response = response
        response.fields.append(fields)
        return response
    }

    private static func nothing(asJSON: Bool) -> Response {
        StatePage.response(Problem(.resourceUnknown, "There is no such file."), asJSON: asJSON)
    }

    /// Kept for five minutes, then asked for again with the entity tag.
    private static let fields: HeaderBlock = {
        var fields = HeaderBlock((.cacheControl, "public, max-age=300"), (.referrerPolicy, "no-referrer"))
        _ = fields.append(.contentSecurityPolicy, Page.contentSecurityPolicy)
        return fields
    }()
}
