import WaymarkAPI
import WaymarkHTTP
import WaymarkJSON
import WaymarkLinks
import WaymarkServer
import WaymarkService
import WaymarkStores

/// `PATCH /api/v1/links/{domain}/{slug}`: applies a JSON merge patch (RFC 7396) to the body that would create the link,
/// and validates the result as a whole.
enum LinkPatchHandler {
    /// Members that can't be changed.
    private static let fixed: Set<String> = {
        let members = LinkRequest.members.members
        let changing = members.filter { !$0.traits.contains(.isFixed) }.map(\.name)
        return Set(LinkResponse.members.names + members.map(\.name)).subtracting(changing)
    }()

    /// Members that affect where a link leads.
    private static let destinations = Set(
        LinkRequest.members.members.filter { $0.traits.contains(.isDestination) }.map(\.name))

    static func answer(_ call: Call, _ site: Site) async throws -> Response {
        let patch = try patch(try ObjectReader.document(call.body, shape: LinkRequest.shape))
        let (link, _) = try await LinkLookup.link(call, site)
        let expecting: Int?
        switch call.ifMatch.expectation(current: link.version) {
        case .failed: throw Problem.versionMismatch(current: link.version)
        case .version(let version): expecting = version
        }
        let author = call.key.author
        let password = try await PasswordChange(patch, site)
        let smartlinkHosts = site.service.applications.directory.current.smartlinkHosts
        let outcome = try await site.service.patch(
            link.domain, link.slug, for: call.reach, expecting: expecting
        ) { link, served, metadata in
            change(link, served.application, smartlinkHosts, metadata, by: patch, password, author)
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
                .ok, LinkResponse(link, served.application, at: site.now).json, fields: .eTag(link.version))
        }
    }

    /// A patch as sent, and its problems that don't depend on the link.
    struct Patch: Sendable {
        let members: JSONObject
        let problems: [FieldProblem]

        static let empty = Patch(members: JSONObject(), problems: [])
    }

    /// - Parameter document: parsed with the shape of a link.
    static func patch(_ document: JSONDocument) throws(Problem) -> Patch {
        guard let object = document.root.object else {
            throw Problem(invalid: [
                FieldProblem(field: "body", problem: "must be an object, not \(document.root.noun)")
            ])
        }
        var problems: [FieldProblem] = []
        for member in object.members where fixed.contains(member.name) {
            problems.append(FieldProblem(field: member.name, problem: "can't be changed"))
        }
        // Accepting an unknown name would hide a typo.
        for field in LinkRequest.shape.unknownRemovals(in: document.root) where !fixed.contains(field) {
            problems.append(FieldProblem(field: field, problem: "is not a known field"))
        }
        for member in object["urls"]?.object?.members ?? []
        where member.value.isNull && Platform(rawValue: member.name) == nil {
            let known = Platform.allCases.map(\.rawValue).joined(separator: ", ")
            problems.append(
                FieldProblem(field: "urls.\(member.name)", problem: "is not a platform; known are \(known)"))
        }
        if !document.isWhole { problems += tooMuch(document, besides: problems) }
        return Patch(members: object, problems: problems)
    }

    /// Problems of values dropped while parsing the patch, which are no longer visible in its result.
    private static func tooMuch(_ document: JSONDocument, besides others: [FieldProblem]) -> [FieldProblem] {
        let known = fixed.union(others.map(\.field))
        let (_, shape) = LinkRequest.attempt(document)
        // Null removes a member.
        var problems = shape.filter { !known.contains($0.field) && $0.kind != .null }
        if let metadata = document.root["metadata"]?.object, metadata.isEmpty,
            let range = document.root["metadata"]?.range, range.count > LinkLimits.metadata
        {
            problems.append(
                FieldProblem(field: "metadata", problem: "is longer than \(LinkLimits.metadata) bytes"))
        }
        return problems
    }

    /// - Parameter adjust: changes the patched body before it is validated.
    static func change(
        _ link: Link, _ application: Application, _ smartlinkHosts: SmartlinkHosts, _ metadata: [UInt8]?,
        by patch: Patch, _ password: PasswordChange, _ author: ChangeAuthor,
        adjusting adjust: (inout LinkRequest) -> Void = { _ in }
    ) -> PatchDecision<Problem> {
        let names = patch.members.members.map(\.name)
        guard let current = try? JSONValue(parsing: LinkRequest(link.content, metadata: metadata).json) else {
            return .refuse(Problem(.internalError, "The link as stored can't be read."))
        }
        var remaining = patch.members
        for name in fixed { remaining[name] = nil }
        let merged = JSONMergePatch.apply(JSONValue(remaining), to: current)
        guard let document = try? JSONDocument(merged.bytes(), shape: LinkRequest.shape) else {
            return .refuse(Problem(invalid: [FieldProblem(field: "body", problem: "is nested too deeply")]))
        }
        let (body, read) = LinkRequest.attempt(document)
        let told = Set(patch.problems.map(\.field))
        let shape = patch.problems + read.filter { !told.contains($0.field) }
        guard var body else { return .refuse(Problem(invalid: shape)) }
        adjust(&body)
        // An application may stop allowing a link's destinations. It must still be possible to disable the link.
        let leadsElsewhere = !destinations.isDisjoint(with: names)
        switch body.validateForStorage(
            for: leadsElsewhere ? application : nil, notInto: leadsElsewhere ? smartlinkHosts : nil,
            from: LinkOrigin(firebase: link.content.firebase, importedClicks: link.content.importedClicks)
        ) {
        case .invalid(let problems):
            return .refuse(
                Problem(invalid: FieldProblem.merged(shape: shape, meaning: problems)))
        case .valid(let valid):
            guard shape.isEmpty else { return .refuse(Problem(invalid: shape)) }
            var content = valid.content
            switch password {
            case .keep: if let kept = link.content.password { content.password = kept }
            case .remove: break
            case .set(let fresh): content.password = fresh
            }
            return .change(
                LinkChange(
                    content: content, metadata: metadataChange(valid.metadata, by: patch.members),
                    author: author))
        }
    }

    private static func metadataChange(_ metadata: [UInt8]?, by patch: JSONObject) -> LinkChange.MetadataChange {
        guard patch["metadata"] != nil else { return .keep }
        return metadata.map { .set($0) } ?? .remove
    }
}

/// What a patch does with the link's password.
enum PasswordChange: Sendable {
    case keep, remove
    case set(LinkPassword)

    /// Hashes the new one. One that is not valid is left to the validation of the patched link.
    init(_ patch: LinkPatchHandler.Patch, _ site: Site) async throws(StoreError) {
        guard let value = patch.members["password"] else {
            self = .keep
            return
        }
        guard !value.isNull else {
            self = .remove
            return
        }
        guard patch.problems.isEmpty, let text = value.string, LinkPassword.problem(of: text) == nil else {
            self = .keep
            return
        }
        self = .set(try await site.service.passwords.hash(text))
    }
}
