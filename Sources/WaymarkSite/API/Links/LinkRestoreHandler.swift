import WaymarkAPI
import WaymarkHTTP
import WaymarkLinks
import WaymarkServer
import WaymarkService
import WaymarkStores

/// `POST /api/v1/links/{domain}/{slug}:restore`: a new version with the values of an earlier one.
enum LinkRestoreHandler {
    static func answer(_ call: Call, _ site: Site) async throws -> Response {
        let version = try LinkRestoreRequest(json: call.body).version
        let (link, application) = try await LinkLookup.link(call, site)
        let expecting: Int?
        switch call.ifMatch.expectation(current: link.version) {
        case .failed: throw Problem.versionMismatch(current: link.version)
        case .version(let version): expecting = version
        }
        let author = call.key.author
        let smartlinkHosts = site.service.applications.directory.current.smartlinkHosts
        let outcome = try await site.service.restore(
            link.domain, link.slug, version: version, for: call.reach, expecting: expecting
        ) { link, served, content in
            change(link, to: content, served.application, smartlinkHosts, author)
        }
        switch outcome {
        case .unknown: throw Problem.linkUnknown
        case .unknownVersion:
            throw Problem(.versionUnknown, "The link has had the versions 1 to \(link.version), not \(version).")
        case .notStored:
            throw Problem(invalid: [
                FieldProblem(
                    field: "version",
                    problem:
                        "can't be restored: its values were not stored, because it was changed by an earlier release")
            ])
        case .versionMismatch(let current): throw Problem.versionMismatch(current: current)
        case .refused(let problem): throw problem
        case .notRenamed(let outcome, let slug): throw LinkRenameHandler.problem(outcome, slug, link)
        case .restored(let link):
            return .json(.ok, LinkResponse(link, application, at: site.now).json, fields: .eTag(link.version))
        }
    }

    /// The rules of a change of all members, except metadata and password, which stay.
    private static func change(
        _ link: Link, to former: LinkContent, _ application: Application, _ smartlinkHosts: SmartlinkHosts,
        _ author: ChangeAuthor
    ) -> PatchDecision<Problem> {
        // Only whether there are metadata matters: they are kept.
        let request = LinkRequest(former, metadata: link.hasMetadata ? Array("{}".utf8) : nil)
        switch request.validateForStorage(
            for: application, notInto: smartlinkHosts,
            from: LinkOrigin(firebase: former.firebase, importedClicks: former.importedClicks))
        {
        case .invalid(let problems): return .refuse(Problem(invalid: problems))
        case .valid(let valid):
            var content = valid.content
            content.password = link.content.password
            return .change(LinkChange(content: content, author: author))
        }
    }
}
