import WaymarkAPI
import WaymarkHTTP
import WaymarkJSON
import WaymarkLinks
import WaymarkServer
import WaymarkService

/// `POST /api/v1/resolve`: what an app asks when a link opened it.
enum ResolveHandler {
    static func answer(_ call: Call, _ site: Site) async throws -> Response {
        let document = try ObjectReader.document(call.body)
        let question = try Question(document)
        guard let target = question.target else { throw Problem.linkUnknown }
        let request = ResolveRequest(
            target: target, platform: question.platform, redeems: question.redeems, asker: call.key.application,
            idempotency: call.idempotencyKey.map { site.idempotencyKey($0, call.key, "resolve", document.root) })
        switch try await site.service.resolve(request) {
        case .mismatch: throw Problem.idempotencyMismatch
        case .unknown:
            if case .clickID = target {
                throw Problem(.linkUnknown, "The click id is forged, too old, or of a link this key may not see.")
            }
            throw Problem.linkUnknown
        case .unavailable(let state):
            throw Problem(state) ?? .linkUnknown
        case .answered(let resolved):
            let deepLink = resolved.deepLink
            return .json(
                .ok,
                ResolveAnswer(
                    deeplink: deepLink.url, route: deepLink.route?.text,
                    routeParameters: deepLink.routeParameters,
                    queryParameters: deepLink.queryParameters,
                    metadata: resolved.metadata.map { RawJSON(unchecked: $0) },
                    redeem: RedeemCount(
                        limit: resolved.redeem.limit, used: resolved.redeem.used,
                        status: resolved.redeem.status.rawValue)
                ).json)
        }
    }

    /// The body, understood.
    private struct Question {
        /// Nil for a URL under which no link can stand.
        let target: ResolveRequest.Target?
        let platform: Platform
        let redeems: Bool

        init(_ document: JSONDocument) throws(Problem) {
            let (members, shape) = ResolveBody.Members.attempt(document)
            guard let members else { throw Problem(invalid: shape) }
            var meaning: [FieldProblem] = []
            let url = members.smartlink.flatMap { WebURL($0) }
            if members.smartlink != nil, url == nil {
                meaning.append(FieldProblem(field: "smartlink", problem: "must be an http or https URL"))
            }
            let platform = Platform(rawValue: members.platform)
            if platform == nil {
                let known = Platform.allCases.map(\.rawValue).joined(separator: ", ")
                meaning.append(FieldProblem(field: "platform", problem: "must be one of \(known)"))
            }
            let problems = FieldProblem.merged(shape: shape, meaning: meaning)
            guard problems.isEmpty, let platform, let subject = members.subject else {
                throw Problem(invalid: problems)
            }
            self.platform = platform
            redeems = members.redeem
            switch subject {
            case .clickID(let id): target = .clickID(id)
            case .smartlink: target = url.flatMap(Self.target)
            }
        }

        private static func target(_ url: WebURL) -> ResolveRequest.Target? {
            guard let host = url.host, url.path.hasPrefix("/"),
                let slug = slug(url.path)
            else { return nil }
            return .smartlink(host, slug, query: url.query)
        }

        /// The path's only segment, decoded once.
        private static func slug(_ path: String) -> Slug? {
            let bytes = Array(path.utf8)
            return PercentEncoding.decodeText(bytes.span, ByteRange(1, bytes.count)).flatMap { Slug($0) }
        }
    }
}
