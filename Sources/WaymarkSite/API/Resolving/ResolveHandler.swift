import WaymarkAPI
import WaymarkHTTP
import WaymarkJSON
import WaymarkLinks
import WaymarkServer
import WaymarkService

/// `POST /api/v1/resolve`: called by an app that was opened by a link.
enum ResolveHandler {
    static func answer(_ call: Call, _ site: Site) async throws -> Response {
        let document = try ObjectReader.document(call.body, shape: ResolveRequest.shape)
        let question = try Question(document)
        var target = question.target
        if let address = question.address,
            let reading = try await site.service.locate(address.path, at: address.host, remembering: false)
        {
            target = .smartlink(address.host, reading.slug, opened: address.opened(reading))
        }
        if let url = question.longLink, try await !site.service.isSlug(url), site.service.isLongLink(url) {
            target = .longLink(url.text)
        }
        guard let target else { throw Problem.linkUnknown }
        let request = ResolveInput(
            target: target, platform: question.platform, redeems: question.redeems, asker: call.reach,
            idempotency: call.idempotencyKey.map { site.idempotencyKey($0, call.key, "resolve", document) })
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
            return .json(
                .ok, ResolveResponse(resolved, question.platform, question.appVersion).json,
                fields: .replayed(resolved.isReplay))
        }
    }

    /// The parsed body.
    private struct Question {
        /// Nil if a URL is given.
        let target: ResolveInput.Target?
        /// Nil for a URL that can't be a link's.
        let address: SmartlinkAddress?
        /// The URL if it could be a long link's.
        let longLink: WebURL?
        let platform: Platform
        let redeems: Bool
        let appVersion: AppVersion?

        init(_ document: JSONDocument) throws(Problem) {
            let (members, shape) = ResolveRequest.Members.attempt(document)
            guard let members else { throw Problem(invalid: shape) }
            var meaning: [FieldProblem] = []
            let url = members.smartlink.flatMap { WebURL($0) }
            if url == nil, let problem = members.smartlink.flatMap({ WebURL.problem(in: $0) }) {
                meaning.append(FieldProblem(field: "smartlink", problem: problem))
            }
            let platform = Platform(rawValue: members.platform)
            if platform == nil {
                let known = Platform.allCases.map(\.rawValue).joined(separator: ", ")
                meaning.append(FieldProblem(field: "platform", problem: "must be one of \(known)"))
            }
            let appVersion = members.appVersion.flatMap { AppVersion($0) }
            if members.appVersion != nil, appVersion == nil {
                meaning.append(FieldProblem(field: "appVersion", problem: AppVersion.rule))
            }
            let problems = FieldProblem.merged(shape: shape, meaning: meaning)
            guard problems.isEmpty, let platform, let subject = members.subject else {
                throw Problem(invalid: problems)
            }
            self.platform = platform
            redeems = members.redeem
            self.appVersion = appVersion
            longLink = url.flatMap { $0.isLongLink ? $0 : nil }
            switch subject {
            case .clickID(let id): (target, address) = (.clickID(id), nil)
            case .smartlink: (target, address) = (nil, url.flatMap { SmartlinkAddress($0) })
            }
        }
    }
}

extension ResolveResponse {
    /// - Parameter appVersion: the app's version as reported; nil if the app does not ask for updates.
    init(_ resolved: ResolvedLink, _ platform: Platform, _ appVersion: AppVersion?) {
        let update = appVersion.flatMap {
            resolved.link.requiredUpdate(from: $0, on: platform, application: resolved.application.application)
        }
        self.init(
            deeplink: resolved.deepLink.url, route: resolved.deepLink.route?.text,
            routeParameters: resolved.deepLink.routeParameters, queryParameters: resolved.deepLink.queryParameters,
            metadata: resolved.metadata.map { RawJSON(unchecked: $0) },
            redeem: RedeemCount(
                limit: resolved.redeem.limit, used: resolved.redeem.used, status: resolved.redeem.status.rawValue),
            update: update.map { AppUpdate(minimumVersion: $0.minimumVersion.text, url: $0.url) })
    }
}
