import WaymarkAPI
import WaymarkHTTP
import WaymarkLinks
import WaymarkServer
import WaymarkService

/// `POST /api/v1/links/{domain}/{slug}:rename`: another slug for a link, which keeps answering under the one it has.
enum LinkRenameHandler {
    static func answer(_ call: Call, _ site: Site) async throws -> Response {
        let text = try LinkRenameRequest(json: call.body).slug
        guard let slug = Slug(text) else {
            throw Problem(invalid: [
                FieldProblem(field: "slug", problem: Slug.problem(of: text)?.rawValue ?? "is not valid")
            ])
        }
        let (link, application) = try await LinkLookup.link(call, site)
        let expecting: Int?
        switch call.ifMatch.expectation(current: link.version) {
        case .failed: throw Problem.versionMismatch(current: link.version)
        case .version(let version): expecting = version
        }
        let outcome = try await site.service.rename(
            link.domain, link.slug, to: slug, for: call.reach, by: call.key.author, expecting: expecting)
        switch outcome {
        case .unknown: throw Problem.linkUnknown
        case .versionMismatch(let current): throw Problem.versionMismatch(current: current)
        case .slugTaken, .slugReserved, .tooManyAliases: throw problem(outcome, slug, link)
        case .renamed(let link):
            return .json(.ok, LinkResponse(link, application, at: site.now).json, fields: .eTag(link.version))
        }
    }

    /// Why a link can't have a slug.
    static func problem(_ outcome: RenameOutcome, _ slug: Slug, _ link: Link) -> Problem {
        switch outcome {
        case .slugTaken:
            Problem(
                .slugTaken,
                "Another link has the slug \(slug.text) on \(link.domain.text), or had it and keeps it as an alias.")
        case .slugReserved:
            Problem(invalid: [FieldProblem(field: "slug", problem: Slug.Problem.reserved.rawValue)])
        default:
            Problem(invalid: [
                FieldProblem(
                    field: "slug",
                    problem:
                        "can't be changed again: the link has \(LinkLimits.aliases) aliases; take one of them, or make a new link"
                )
            ])
        }
    }
}
