import WaymarkAPI
import WaymarkHTTP
import WaymarkJSON
import WaymarkLinks
import WaymarkServer
import WaymarkService

/// `PATCH /api/v1/links/{domain}/{slug}`: a JSON merge patch (RFC 7396), applied to the link as the body that would
/// create it, whose result is checked as a whole.
enum LinkPatchHandler {
    /// Members of a link that no patch can change.
    private static let fixed: Set<String> = [
        "smartlink", "domain", "slug", "app", "hasMetadata", "redeem", "state", "clicks", "createdAt", "updatedAt",
        "version", "unique",
    ]

    /// Members that say where a link leads.
    private static let destinations: Set<String> = ["route", "routeParameters", "urls", "rules"]

    static func answer(_ call: Call, _ site: Site) async throws -> Response {
        let patch = try patch(call.body)
        let (link, _) = try await LinkLookup.link(call, site)
        let expecting: Int?
        switch call.ifMatch.expectation(current: link.version) {
        case .failed: throw Problem.versionMismatch(current: link.version)
        case .version(let version): expecting = version
        }
        let places = site.service.applications.directory.current.smartlinkPlaces
        let outcome = try await site.service.patch(
            link.domain, link.slug, for: call.key.application, expecting: expecting
        ) { link, served, metadata in
            change(link, served.application, places, metadata, by: patch)
        }
        switch outcome {
        case .unknown: throw Problem.linkUnknown
        case .versionMismatch(let current): throw Problem.versionMismatch(current: current)
        case .refused(let problem): throw problem
        case .updated(let link):
            guard let served = site.service.applications.directory.current.application(link.application) else {
                throw Problem.linkUnknown
            }
            return .json(
                .ok, LinkAnswer(link, served.application, at: site.now).json, fields: .eTag(link.version))
        }
    }

    private static func patch(_ body: [UInt8]) throws -> JSONValue {
        let document = try ObjectReader.document(body)
        guard let object = document.root.object else {
            throw Problem(invalid: [
                FieldProblem(field: "body", problem: "must be an object, not \(document.root.noun)")
            ])
        }
        return JSONValue(object)
    }

    private static func change(
        _ link: Link, _ application: Application, _ places: SmartlinkPlaces, _ metadata: [UInt8]?,
        by patch: JSONValue
    ) -> PatchDecision<Problem> {
        let names = (patch.object?.members ?? []).map(\.name)
        let refused = names.filter(fixed.contains).map { FieldProblem(field: $0, problem: "can't be changed") }
        guard let current = try? JSONValue(parsing: LinkBody(link.content, metadata: metadata).json) else {
            return .refuse(Problem(.internalError, "The link as stored can't be read."))
        }
        var remaining = patch.object ?? JSONObject()
        for name in fixed { remaining[name] = nil }
        let merged = JSONMergePatch.apply(JSONValue(remaining), to: current)
        guard let document = try? JSONDocument(merged.bytes()) else {
            return .refuse(Problem(invalid: [FieldProblem(field: "body", problem: "is nested too deeply")]))
        }
        let (body, shape) = LinkBody.attempt(document)
        guard let body else { return .refuse(Problem(invalid: refused + shape)) }
        // An application can stop allowing what its links lead to. That must not keep anyone from switching one off.
        let leadsElsewhere = !destinations.isDisjoint(with: names)
        switch LinkDraft(body).validate(
            for: leadsElsewhere ? application : nil, notInto: leadsElsewhere ? places : nil
        ) {
        case .invalid(let problems):
            return .refuse(
                Problem(
                    invalid: refused + FieldProblem.merged(shape: shape, meaning: problems.map(FieldProblem.init))))
        case .valid(let valid):
            guard refused.isEmpty, shape.isEmpty else { return .refuse(Problem(invalid: refused + shape)) }
            return .change(LinkChange(content: valid.content, metadata: metadataChange(valid.metadata, by: patch)))
        }
    }

    private static func metadataChange(_ metadata: [UInt8]?, by patch: JSONValue) -> LinkChange.MetadataChange {
        guard patch["metadata"] != nil else { return .keep }
        return metadata.map { .set($0) } ?? .remove
    }
}
