import WaymarkAPI
import WaymarkHTTP
import WaymarkServer

/// The pages under `/_/`, the files that clients request from every host, and the operator's files under
/// `/.well-known/`: all from the public folder.
struct FileRoute {
    let site: Site
    let isCompressible: Bool

    /// Needed by pages on the public listener; everything else under `/_/` is a tool for operators.
    private static let pageAssets: Set<String> = ["style.css", "open.js", "ipad.js", "fragment.js", "icon.svg"]

    func respond(_ kind: OpenRoute, to head: RequestHead, in bytes: Span<UInt8>, from peer: Peer) -> Reply {
        let isAtRoot = kind == .rootFile || kind == .wellKnown
        var request = StaticFileRequest(
            head, in: bytes, droppingSegments: isAtRoot ? 0 : 1, isCompressible: isCompressible)
        switch kind {
        case .associationPage: request = request.asking(for: ["association.html"])
        case .referencePage: request = request.asking(for: ["reference.html"])
        default: break
        }
        // As passed to the file system, not as spelled in the path.
        let name = request.segments.joined(separator: "/")
        let format = ProblemFormat(head, bytes)
        let isHidden =
            kind == .file
            && (request.segments.first == "hosts" || request.segments.first == ".well-known"
                || (site.options.hasAdminListener && peer.role != .admin && !Self.pageAssets.contains(name)))
            // The directory itself is not a page.
            || kind == .wellKnown && request.segments.count < 2
        guard !isHidden, let files = site.files.current else { return .now(Self.nothing(as: format)) }
        return .later { [request] in
            switch await files.serve(request) {
            case .response(let response): response
            case .notFound: Self.nothing(as: format)
            case .preconditionFailed: Self.refusal(.preconditionFailed, "The file has another version.", as: format)
            case .rangeNotSatisfiable(let fields):
                Self.refusal(
                    .rangeNotSatisfiable, "The file is shorter than that.", fields: fields, as: format)
            case .failed: .problem(Problem(.storeUnavailable, "Files can't be opened right now."))
            }
        }
    }

    private static func nothing(as format: ProblemFormat) -> Response {
        StatePage.response(Problem(.resourceUnknown, "There is no such file."), as: format)
    }

    private static func refusal(
        _ status: Status, _ detail: String, fields: HeaderFields = HeaderFields(), as format: ProblemFormat
    ) -> Response {
        var problem = Problem(.requestRefused, detail)
        problem.status = Int(status.code)
        problem.title = status.reason
        var response = StatePage.response(problem, as: format)
        response.fields.append(fields)
        return response
    }

    /// Sent with every file.
    static let fields: HeaderFields = {
        var fields = HeaderFields((.referrerPolicy, "no-referrer"))
        _ = fields.append(.contentSecurityPolicy, Page.fileContentSecurityPolicy)
        return fields
    }()
}
